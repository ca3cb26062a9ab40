# This file stands for the package of einops' layers.
