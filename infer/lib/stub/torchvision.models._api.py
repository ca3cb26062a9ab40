# How models are made: by a function with its weights, whose numbers are not known.
import functools as _functools
from _shapecheck import data_str as _data_str, is_unknown as _is_unknown, unknown as _unknown

_BUILDERS = {}
_CLASSES = 1000


class WeightsEnum:
    # The weights of one model: of each, the size of pictures that it was trained on.
    def __init__(self, name, size, categories=True):
        self.name = name
        self._size = size
        self._categories = categories

    @property
    def url(self):
        return _data_str()

    @property
    def value(self):
        return self

    @property
    def meta(self):
        return {'categories': [_data_str()] * (21 if self.name.startswith('COCO') else _CLASSES) if self._categories else None, 'min_size': _unknown('what torchvision tells of weights'),
                'num_params': _unknown('what torchvision tells of weights'), '_metrics': _unknown('what torchvision tells of weights')}

    @property
    def transforms(self):
        if self.name.startswith('COCO'):
            return _unknown('the transforms of these weights')
        from torchvision.transforms._presets import ImageClassification
        return _functools.partial(ImageClassification, crop_size=self._size)

    def get_state_dict(self, *args, **kwargs):
        return _unknown('the weights that torchvision downloads')

    @classmethod
    def verify(cls, obj):
        if isinstance(obj, str):
            return cls[obj.replace(cls.__name__ + '.', '')]
        return obj

    def __class_getitem__(cls, name):
        if not _is_unknown(name) and not isinstance(getattr(cls, name, None), cls):
            raise KeyError(name)
        return getattr(cls, name)


def weights(name, default=None, **sizes):
    cls = type(name, (WeightsEnum,), {})
    for entry, size in sizes.items():
        setattr(cls, entry, cls(entry, size, entry != 'IMAGENET1K_FEATURES'))
    cls.DEFAULT = getattr(cls, default or list(sizes)[-1])
    return cls


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
        if isinstance(chosen, bool):
            chosen = getattr(cls, legacy, None) if chosen else None
        if not _is_unknown(chosen) and chosen is not None:
            chosen = cls.verify(chosen)
            if not isinstance(chosen, cls):
                raise TypeError(f'Invalid Weight class provided; expected {cls.__name__} but received {type(chosen).__name__}.')
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
