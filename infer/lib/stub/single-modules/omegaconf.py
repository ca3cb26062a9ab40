# Configurations of OmegaConf. What a YAML file says and what refers to other keys is not known.
import dataclasses as _dataclasses
from collections.abc import MutableMapping as _MutableMapping, MutableSequence as _MutableSequence
from _shapecheck import data_str as _data_str, is_unknown as _is_unknown, unknown as _unknown

MISSING = '???'


class ConfigAttributeError(AttributeError):
    pass


class ConfigKeyError(KeyError):
    pass


class MissingMandatoryValue(Exception):
    pass


def _node(value):
    # A value as a part of a configuration.
    if _is_unknown(value) or isinstance(value, (DictConfig, ListConfig)):
        return value
    if isinstance(value, dict):
        return DictConfig(value)
    if isinstance(value, (list, tuple)):
        return ListConfig(value)
    if _dataclasses.is_dataclass(value):
        value = value() if isinstance(value, type) else value
        return DictConfig({f.name: getattr(value, f.name) for f in _dataclasses.fields(value)})
    return value


def _read(value):
    # Values that other keys or the environment decide, or that must be given.
    if isinstance(value, str) and (_is_unknown('${' in value) or '${' in value or value == MISSING):
        return _unknown('a value of a configuration that refers to others')
    return value


def _plain(value):
    if _is_unknown(value):
        return value
    if isinstance(value, DictConfig):
        return {k: _plain(v) for k, v in value._content.items()}
    if isinstance(value, ListConfig):
        return [_plain(v) for v in value._content]
    return value


class DictConfig(_MutableMapping):
    def __init__(self, content=None, **kwargs):
        content = content._content if isinstance(content, DictConfig) else content or {}
        object.__setattr__(self, '_content', {k: _node(v) for k, v in content.items()})

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        if name in self._content:
            return _read(self._content[name])
        if name.startswith('_'):
            return _unknown('what the stub of omegaconf does not have')
        raise ConfigAttributeError(f'Missing key {name}')

    def __getitem__(self, key):
        if key in self._content:
            return _read(self._content[key])
        raise ConfigKeyError(f'Missing key {key}')

    def __setitem__(self, key, value):
        self._content[key] = _node(value)

    def __setattr__(self, name, value):
        self._content[name] = _node(value)

    def __delitem__(self, key):
        del self._content[key]

    def __delattr__(self, name):
        del self._content[name]

    def __iter__(self):
        return iter(self._content)

    def __len__(self):
        return len(self._content)

    def __contains__(self, key):
        return key in self._content

    def __eq__(self, other):
        return _plain(self) == _plain(other)

    def get(self, key, default_value=None):
        return _read(self._content[key]) if key in self._content else default_value

    def copy(self):
        return DictConfig(_plain(self))

    def __deepcopy__(self, memo):
        return self.copy()

    def __repr__(self):
        return repr(_plain(self))


class ListConfig(_MutableSequence):
    def __init__(self, content=None, **kwargs):
        self._content = [_node(v) for v in content or ()]

    def __getitem__(self, index):
        if isinstance(index, slice):
            return ListConfig(self._content[index])
        return _read(self._content[index])

    def __setitem__(self, index, value):
        self._content[index] = _node(value)

    def __delitem__(self, index):
        del self._content[index]

    def __len__(self):
        return len(self._content)

    def __iter__(self):
        return iter([_read(v) for v in self._content])

    def insert(self, index, item):
        self._content.insert(index, _node(item))

    def __eq__(self, other):
        return _plain(self) == (list(other) if isinstance(other, tuple) else _plain(other))

    def __add__(self, other):
        return ListConfig(_plain(self) + list(other))

    def __deepcopy__(self, memo):
        return ListConfig(_plain(self))

    def __repr__(self):
        return repr(_plain(self))


def _merge(into, other):
    for key, value in other._content.items():
        have = into._content.get(key)
        if isinstance(have, DictConfig) and isinstance(value, DictConfig):
            _merge(have, value)
        else:
            into._content[key] = _node(_plain(value))


class _Lacking(type):
    # A name that the class lacks is unknown, and so is what files and the command line say.
    def __getattr__(cls, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _unknown('what the stub of omegaconf does not have')


class OmegaConf(metaclass=_Lacking):
    @staticmethod
    def create(obj=None, parent=None, flags=None):
        if _is_unknown(obj) or isinstance(obj, str):
            return _unknown('a configuration that is read from a text')
        return _node({} if obj is None else _plain(obj))

    @staticmethod
    def structured(obj, parent=None, flags=None):
        return _node(obj)

    @staticmethod
    def load(file_):
        return _unknown('the configuration of a YAML file')

    @staticmethod
    def save(config, f, resolve=False):
        pass

    @staticmethod
    def merge(*configs):
        nodes = [_node(_plain(c)) for c in configs]
        if any([not isinstance(n, DictConfig) for n in nodes]):
            return _unknown('what is merged with a configuration that is not known')
        for other in nodes[1:]:
            _merge(nodes[0], other)
        return nodes[0]

    @staticmethod
    def to_container(cfg, *, resolve=False, throw_on_missing=False, enum_to_str=False, structured_config_mode=None):
        return _plain(cfg) if isinstance(cfg, (DictConfig, ListConfig)) else _unknown('a configuration that is not known')

    @staticmethod
    def to_yaml(cfg, *, resolve=False, sort_keys=False):
        return _data_str()

    @staticmethod
    def is_config(obj):
        return _unknown('a value that is not known') if _is_unknown(obj) else isinstance(obj, (DictConfig, ListConfig))

    @staticmethod
    def is_dict(obj):
        return _unknown('a value that is not known') if _is_unknown(obj) else isinstance(obj, DictConfig)

    @staticmethod
    def is_list(obj):
        return _unknown('a value that is not known') if _is_unknown(obj) else isinstance(obj, ListConfig)

    @staticmethod
    def _nothing(*args, **kwargs):
        pass

    set_struct = set_readonly = register_new_resolver = register_resolver = resolve = _nothing


def open_dict(config):
    return _Flag()


read_write = open_dict


class _Flag:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass
