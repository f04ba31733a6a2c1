"""Maintainer programs: an argument list and one walk each. None of them imports another."""
