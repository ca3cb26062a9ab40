# How models are made: by a function with its weights, whose numbers are not known.
import functools as _functools
import importlib
from _shapecheck import data_str as _data_str, is_unknown as _is_unknown, unknown as _unknown

_BUILDERS = {}
_CLASSES = 1000


class WeightsEnum:
    # The weights of one model: of each, the size of pictures that it was trained on, how many classes it knows, and what pictures go through.
    def __init__(self, name, size, categories, transforms):
        self.name = name
        self._size = size
        self._categories = categories
        self._transforms = transforms

    @property
    def url(self):
        return _data_str()

    @property
    def value(self):
        return self

    @property
    def meta(self):
        return {'categories': self._categories and [_data_str()] * self._categories, 'min_size': _unknown('what torchvision tells of weights'),
                'num_params': _unknown('what torchvision tells of weights'), '_metrics': _unknown('what torchvision tells of weights')}

    @property
    def transforms(self):
        kind = getattr(importlib.import_module('torchvision.transforms._presets'), self._transforms)
        options = self._size if isinstance(self._size, dict) else {'crop_size': self._size}
        return _functools.partial(kind, **options) if options else kind

    def get_state_dict(self, *args, **kwargs):
        return _unknown('the weights that torchvision downloads')

    @classmethod
    def verify(cls, obj):
        if isinstance(obj, str):
            return cls[obj.replace(cls.__name__ + '.', '')]
        return obj

    @classmethod
    def picked(cls, chosen, legacy):
        # What an argument means: weights, their name, None, or as it once was whether there are some.
        if isinstance(chosen, bool):
            return getattr(cls, legacy, None) if chosen else None
        if not _is_unknown(chosen) and chosen is not None:
            chosen = cls.verify(chosen)
            if not isinstance(chosen, cls):
                raise TypeError(f'Invalid Weight class provided; expected {cls.__name__} but received {type(chosen).__name__}.')
        return chosen

    def __class_getitem__(cls, name):
        if not _is_unknown(name) and not isinstance(getattr(cls, name, None), cls):
            raise KeyError(name)
        return getattr(cls, name)


def weights(name, default=None, categories=_CLASSES, transforms='ImageClassification', **sizes):
    # The class of the weights of a model: of each the size of pictures, or the options of the transforms.
    cls = type(name, (WeightsEnum,), {})
    for entry, size in sizes.items():
        setattr(cls, entry, cls(entry, size, None if entry == 'IMAGENET1K_FEATURES' else categories, transforms))
    cls.DEFAULT = getattr(cls, default or list(sizes)[-1])
    return cls


def kinetics(name, entries=('KINETICS400_V1',), **options):
    # The weights of a model of films, with the options of what films go through.
    return weights(name, entries[0], 400, 'VideoClassification', **{entry: options for entry in entries})


def builder(name, cls, make, legacy='IMAGENET1K_V1', sized=False, weighted=False, classes=_CLASSES):
    # The function that makes a model; make takes what it is configured with, and with weighted
    # whether it gets weights. With classes the weights are for so many.
    def build(*args, **kwargs):
        if len(args) > 2:
            raise TypeError(f'{name}() takes 0 positional arguments but {len(args)} were given')
        given = dict(zip(('pretrained', 'progress'), args))
        given.update(kwargs)
        given.pop('progress', None)
        chosen = given.pop('pretrained', None)
        if 'weights' in given:
            chosen = given.pop('weights')
        chosen = cls.picked(chosen, legacy)
        if not _is_unknown(chosen) and chosen is not None:
            fixed = {'num_classes': classes} if chosen._categories and classes is not None else {}
            if sized:
                fixed['image_size'] = chosen._size
            for key, value in fixed.items():
                if given.get(key, value) != value:
                    raise ValueError(f"The parameter '{key}' expected value {value} but got {given[key]} instead.")
                given[key] = value
            if weighted:
                given['_weighted'] = True
        return make(**given)
    build.__name__ = build.__qualname__ = name
    _BUILDERS[name] = build
    return build


def list_models(module=None, include=None, exclude=None):
    return _unknown('which models torchvision has')


def get_model_builder(name):
    if not _is_unknown(name) and name.lower() not in _BUILDERS:
        for family in ('detection', 'maxvit', 'optical_flow', 'segmentation', 'video'):  # which are not loaded for the others
            importlib.import_module('torchvision.models.' + family)
    if _is_unknown(name) or name.lower() not in _BUILDERS:
        return _unknown('a model that the stub of torchvision does not have')
    return _BUILDERS[name.lower()]


def get_model(name, **config):
    return get_model_builder(name)(**config)


def get_weight(name):
    return _unknown('weights by their name')


def get_model_weights(name):
    return _unknown('weights by the name of a model')


def make_divisible(v, divisor, min_value=None):
    # The multiple of divisor that is nearest to v, and no less than 90 % of it.
    n = max(divisor if min_value is None else min_value, int(v + divisor / 2) // divisor * divisor)
    return n + divisor if n < 0.9 * v else n
