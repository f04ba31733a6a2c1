"""Recordings rated by judges and by measurement: what is pure in it."""
