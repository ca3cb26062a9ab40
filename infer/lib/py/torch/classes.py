# This file is torch.classes.


def load_library(path):
    pass
