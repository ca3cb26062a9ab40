# The module huggingface_hub.constants.
import _shapecheck

HF_HUB_OFFLINE = False
HF_HUB_DISABLE_TELEMETRY = True
HF_HOME = '~/.cache/huggingface'
HF_HUB_CACHE = HUGGINGFACE_HUB_CACHE = HF_HOME + '/hub'
ENDPOINT = 'https://huggingface.co'
REPO_TYPES = [None, 'model', 'dataset', 'space']


def is_offline_mode():
    return HF_HUB_OFFLINE


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _shapecheck.unknown('a constant of huggingface_hub')
