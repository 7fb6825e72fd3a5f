"""What people read: words for ids, the glossary, the catalogues."""
