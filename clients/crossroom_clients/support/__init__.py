"""Small parts without a loop: errors, files, languages and argument types."""
