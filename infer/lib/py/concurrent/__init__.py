# The package concurrent.
