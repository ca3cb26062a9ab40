# This file is torch.hub: nothing is fetched, so what would come is unknown.
import _shapecheck
from tqdm import tqdm


def load(repo_or_dir, model, *args, **kwargs):
    return _shapecheck.unknown('a model from torch.hub')


def load_state_dict_from_url(url, model_dir=None, map_location=None, progress=True, check_hash=False, file_name=None,
                             weights_only=False):
    return _shapecheck.unknown('weights from ' + str(url))


def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    pass


def get_dir():
    return '~/.cache/torch/hub'


def set_dir(d):
    pass


def list(github, *args, **kwargs):
    return _shapecheck.unknown('a list from torch.hub')


def help(github, model, *args, **kwargs):
    return ''


def _get_torch_home():
    return '~/.cache/torch'
