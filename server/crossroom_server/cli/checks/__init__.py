"""What `crossroom doctor` looks at."""
