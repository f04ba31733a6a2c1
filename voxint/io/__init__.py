"""The two ends of the walk: files to models, and models to the only bytes they can have."""
