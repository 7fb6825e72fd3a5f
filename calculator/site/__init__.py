"""What every room uses: middleware, errors, forms, the release mark, logs."""
