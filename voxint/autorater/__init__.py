"""Scripts rated by rules and by judges: what is pure in it."""
