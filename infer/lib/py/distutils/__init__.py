# The package distutils.
