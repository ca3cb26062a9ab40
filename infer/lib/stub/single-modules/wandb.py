# Weights & Biases: what is logged has no effect on the program.


def log(*args, **kwargs):
    pass


watch = unwatch = finish = alert = define_metric = log
