# Weights & Biases: what is logged has no effect on the program.


def log(data, *args, **kwargs):
    pass


watch = unwatch = finish = save = login = alert = define_metric = log
