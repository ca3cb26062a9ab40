# The package packaging.
