# The models of images.
