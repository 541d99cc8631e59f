"""Stage 1: source text to AST with spans."""
