"""voxint: is the name shown beside a voice the right person, and how sure is that?"""

__version__ = "0.1.0"
