"""The pages: plain functions, form → scoring → template."""
