"""What the site is made of besides itself: licences, known vulnerabilities, a bill of materials."""
