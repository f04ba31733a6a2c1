"""The scorers: contract models in, one contract model out. Pure: no file, clock, environment or logger."""
