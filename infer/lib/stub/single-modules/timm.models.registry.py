# Registering with timm.


def register_model(fn):
    return fn
