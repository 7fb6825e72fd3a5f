"""Lessons and drills."""
