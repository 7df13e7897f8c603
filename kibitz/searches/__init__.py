"""The searches: one file each, found by its METHOD; one folder for each family."""
