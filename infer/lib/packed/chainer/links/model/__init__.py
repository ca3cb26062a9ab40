# The links that are models.
