# This file is torch.utils.tensorboard; nothing is written.


def _ignored(self, *args, **kwargs):
    pass


class SummaryWriter:
    def __init__(self, *args, **kwargs):
        pass

    add_scalar = add_scalars = add_histogram = add_image = add_images = add_figure = add_text = _ignored
    add_graph = add_embedding = add_hparams = add_pr_curve = add_video = add_audio = flush = close = _ignored

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass
