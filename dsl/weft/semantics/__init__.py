"""Stage 2: AST to typed AST, and its plain reference evaluation."""
