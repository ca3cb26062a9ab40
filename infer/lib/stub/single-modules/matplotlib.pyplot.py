# Plots: what only draws gives nothing that a model needs.


def show(*args, **kwargs):
    pass


savefig = close = clf = cla = tight_layout = draw = pause = show
