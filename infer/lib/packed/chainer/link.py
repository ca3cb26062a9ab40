# This file defines Link, Chain and ChainList: objects with parameters and links inside.
import _shapecheck
import contextlib
import copy
import numpy
from .parameter import Parameter
from chainer import Variable, _shape_in_file


class DeviceResident:
    _overridden_to_methods = ()

    @property
    def xp(self):
        return numpy

    @property
    def device(self):
        from . import backend
        return backend.get_device('@numpy')

    def to_cpu(self):
        return self

    def to_gpu(self, device=None):
        return self

    def to_intel64(self):
        return self

    def to_chx(self):
        return self

    def from_chx(self):
        return self

    def to_device(self, device):
        return self

    def device_resident_accept(self, visitor):
        pass


class LinkHook:
    """What is called before and after the forward of links: of all in a with statement, or of one that has it."""

    name = 'LinkHook'

    def __enter__(self):
        if self.name in _hooks:
            raise KeyError('hook %s already exists' % self.name)
        _hooks[self.name] = self
        self.added(None)
        return self

    def __exit__(self, *exc):
        _hooks[self.name].deleted(None)
        del _hooks[self.name]

    def added(self, link):
        pass

    def deleted(self, link):
        pass

    def forward_preprocess(self, args):
        pass

    def forward_postprocess(self, args):
        pass


_hooks = {}


class _HookArgs:
    forward_name = 'forward'

    def __init__(self, link, args, kwargs):
        self.link, self.args, self.kwargs = link, args, kwargs


class Link(DeviceResident):
    """Base class of links. The tables are those that the engine walks."""

    _parameters = None
    _local_link_hooks = None
    name = None

    def __init__(self, **params):
        d = self.__dict__
        d['_params'] = set()
        d['_persistent'] = set()
        d['_parameters'] = {}
        d['_buffers'] = {}
        d['_modules'] = {}
        d['_within_init_scope'] = False
        self.name = None
        for name, value in params.items():
            dtype = None
            if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], tuple):
                value, dtype = value
            self.add_param(name, value, dtype=dtype)

    def __check_init_done(self):
        if '_parameters' not in self.__dict__:
            raise RuntimeError('Link.__init__() has not been called.')

    def __setattr__(self, name, value):
        d = self.__dict__
        if d.get('_within_init_scope') and isinstance(value, Parameter):
            value.name = name
            d['_parameters'][name] = value
            d['_params'].add(name)
            d['_persistent'].discard(name)
        elif '_parameters' in d:
            if name in d['_parameters']:
                d['_parameters'][name] = value
            elif name in d['_buffers']:
                d['_buffers'][name] = value
        object.__setattr__(self, name, value)

    def __delattr__(self, name):
        self._params.discard(name)
        self._persistent.discard(name)
        self._parameters.pop(name, None)
        self._buffers.pop(name, None)
        object.__delattr__(self, name)

    def __call__(self, *args, **kwargs):
        self._Link__check_init_done()
        if not _hooks and not self._local_link_hooks:
            return _shapecheck.module_call(self, *args, **kwargs)
        hooks = list(_hooks.values()) + list(self.local_link_hooks.values())
        given = _HookArgs(self, args, kwargs)
        for hook in hooks:
            hook.forward_preprocess(given)
        given.out = _shapecheck.module_call(self, *args, **kwargs)
        for hook in hooks:
            hook.forward_postprocess(given)
        return given.out

    @property
    def local_link_hooks(self):
        if self._local_link_hooks is None:
            self.__dict__['_local_link_hooks'] = {}
        return self._local_link_hooks

    @property
    def printable_specs(self):
        return ()

    @property
    def _n_local_link_hooks(self):
        return len(self._local_link_hooks or ())

    @property
    def update_enabled(self):
        return any(p.update_rule is not None and p.update_rule.enabled for p in self.params())

    @property
    def within_init_scope(self):
        return self.__dict__.get('_within_init_scope', False)

    @contextlib.contextmanager
    def init_scope(self):
        self._Link__check_init_done()
        d = self.__dict__
        old = d['_within_init_scope']
        d['_within_init_scope'] = True
        try:
            yield
        finally:
            d['_within_init_scope'] = old

    def add_param(self, name, shape=None, dtype=None, initializer=None):
        if name in self.__dict__:
            raise AttributeError('cannot register a new parameter %s: attribute exists' % name)
        if initializer is None:
            initializer = numpy.nan
        if dtype is not None and (isinstance(initializer, (int, float)) or initializer is None):
            from . import initializers
            initializer = initializers.Constant(initializer, dtype)
        param = Parameter(initializer, shape)
        with self.init_scope():
            setattr(self, name, param)

    def add_persistent(self, name, value):
        if name in self.__dict__:
            raise AttributeError('cannot register a new persistent value %s: attribute exists' % name)
        self._persistent.add(name)
        self._params.discard(name)
        object.__setattr__(self, name, value)
        if isinstance(value, numpy.ndarray):
            self._buffers[name] = value

    def register_persistent(self, name):
        if not hasattr(self, name):
            raise AttributeError('cannot register non-existent attribute %s as a persistent value' % name)
        self._persistent.add(name)
        self._params.discard(name)
        self._parameters.pop(name, None)
        value = getattr(self, name)
        if isinstance(value, numpy.ndarray):
            self._buffers[name] = value

    def copy(self, mode='share'):
        if mode not in ('share', 'copy', 'init'):
            raise ValueError("The 'mode' argument should be either 'init', 'copy', or 'share'. But %s was given." % mode)
        if mode != 'share':
            return copy.deepcopy(self)
        new = object.__new__(type(self))
        d = new.__dict__
        for key, value in self.__dict__.items():
            d[key] = value
        d['_params'] = set(self._params)
        d['_persistent'] = set(self._persistent)
        d['_buffers'] = dict(self._buffers)
        d['_modules'] = dict(self._modules)
        table = {}
        for key, param in self._parameters.items():
            if isinstance(param, Parameter):
                param = copy.copy(param)
                param.cleargrad()
            table[key] = param
            d[key] = param
        d['_parameters'] = table
        d['name'] = None
        return new

    @classmethod
    def from_params(cls, *args, **kwargs):
        raise NotImplementedError('This link does not implement `from_params`.')

    def repeat(self, n_repeat, mode='init'):
        from .sequential import Sequential
        return Sequential(*[self.copy(mode) for _ in range(n_repeat)])

    def params(self, include_uninit=True):
        out = []
        for name in sorted(self._parameters):
            param = self._parameters[name]
            if include_uninit or param.is_initialized:
                out.append(param)
        return iter(out)

    def namedparams(self, include_uninit=True):
        out = []
        for name in sorted(self._parameters):
            param = self._parameters[name]
            if include_uninit or param.is_initialized:
                out.append(('/' + name, param))
        return iter(out)

    def links(self, skipself=False):
        return iter([] if skipself else [self])

    def namedlinks(self, skipself=False):
        return iter([] if skipself else [('/', self)])

    def children(self):
        return iter([])

    def copyparams(self, link, copy_persistent=True):
        for name, param in self._parameters.items():
            param.copydata(link.__dict__[name])

    def cleargrads(self):
        for param in self.params():
            param.cleargrad()

    def zerograds(self):
        for param in self.params():
            param.zerograd()

    def addgrads(self, link):
        pass

    def enable_update(self):
        self._set_update(True)

    def disable_update(self):
        self._set_update(False)

    def _set_update(self, enabled):
        for param in self.params():
            if param.update_rule is not None:
                param.update_rule.enabled = enabled

    def serialize(self, serializer):
        for name in sorted(self._params):
            param = self.__dict__[name]
            data = serializer(name, None if param._waits else param.array)
            if param._waits and _shapecheck.is_unknown(data):
                _shape_in_file(param, data)
            elif param._waits and data is not None:
                param.initialize(data.shape)
        for name in sorted(self._persistent):
            value = self.__dict__[name]
            loaded = serializer(name, value)
            if _shapecheck.is_unknown(loaded) or isinstance(loaded, numpy.ndarray) == isinstance(value, numpy.ndarray):
                setattr(self, name, loaded)

    def add_hook(self, hook, name=None):
        if not isinstance(hook, LinkHook):
            raise TypeError('Hook must be of type LinkHook')
        if name is None:
            name = hook.name
        if name in self.local_link_hooks:
            raise KeyError('Hook %s already exists' % name)
        self.local_link_hooks[name] = hook
        hook.added(self)
        return self

    def delete_hook(self, name):
        if name not in self.local_link_hooks:
            raise KeyError('Hook %s does not exist' % name)
        self.local_link_hooks[name].deleted(self)
        del self.local_link_hooks[name]

    def count_params(self):
        size = 0
        for param in self.params():
            if param.is_initialized:
                size += param.size
        return size

    def __repr__(self):
        return '%s()' % type(self).__name__


class Chain(Link):
    """A link with links as attributes."""

    def __init__(self, **links):
        super().__init__()
        self.__dict__['_children'] = set()
        for name, link in links.items():
            self.add_link(name, link)

    def __getitem__(self, name):
        return getattr(self, name)

    def __setattr__(self, name, value):
        d = self.__dict__
        if d.get('_within_init_scope') and isinstance(value, Link):
            if hasattr(self, name):
                raise AttributeError('cannot register a new link %s: attribute exists' % name)
            value.name = name
            d['_children'].add(name)
            d['_modules'][name] = value
        elif '_modules' in d and name in d['_modules']:
            d['_modules'][name] = value
        super().__setattr__(name, value)

    def __delattr__(self, name):
        self._children.discard(name)
        self._modules.pop(name, None)
        super().__delattr__(name)

    def add_link(self, name, link):
        if name in self.__dict__:
            raise AttributeError('cannot register a new link %s: attribute exists' % name)
        if not isinstance(link, Link):
            raise TypeError('cannot register a non-link object as a child')
        with self.init_scope():
            setattr(self, name, link)

    def copy(self, mode='share'):
        new = super().copy(mode)
        if mode != 'share':
            return new
        new.__dict__['_children'] = set(self._children)
        table = {}
        for name, child in self._modules.items():
            child = child.copy(mode)
            child.name = name
            table[name] = child
            new.__dict__[name] = child
        new.__dict__['_modules'] = table
        return new

    def _inside(self):
        return [(name, self._modules[name]) for name in sorted(self._modules)]

    def params(self, include_uninit=True):
        out = list(super().params(include_uninit))
        for _, child in self._inside():
            out += list(child.params(include_uninit))
        return iter(out)

    def namedparams(self, include_uninit=True):
        out = list(super().namedparams(include_uninit))
        for name, child in self._inside():
            out += [('/' + name + path, param) for path, param in child.namedparams(include_uninit)]
        return iter(out)

    def links(self, skipself=False):
        out = [] if skipself else [self]
        for _, child in self._inside():
            out += list(child.links())
        return iter(out)

    def namedlinks(self, skipself=False):
        out = [] if skipself else [('/', self)]
        for name, child in self._inside():
            out.append(('/' + name, child))
            out += [('/' + name + path, link) for path, link in child.namedlinks(True)]
        return iter(out)

    def children(self):
        return iter([child for _, child in self._inside()])

    def serialize(self, serializer):
        super().serialize(serializer)
        for name, child in self._inside():
            child.serialize(serializer[name])

    def copyparams(self, link, copy_persistent=True):
        super().copyparams(link)
        for name, child in self._modules.items():
            child.copyparams(link.__dict__[name])


class _Numbered(Chain):
    """What ChainList and Sequential share: links by number."""

    def __init__(self):
        Link.__init__(self)
        self.__dict__['_children'] = []

    def __setattr__(self, name, value):
        if self.__dict__.get('_within_init_scope') and isinstance(value, Link):
            raise TypeError('cannot register a new link within a "with chainlist.init_scope():" block.')
        Link.__setattr__(self, name, value)

    def __delattr__(self, name):
        Link.__delattr__(self, name)

    def _renumber(self):
        table = {}
        for name, child in self._inside():
            child.name = name
            table[name] = child
        self.__dict__['_modules'] = table

    def _inside(self):  # what is no link has no number
        return [(str(i), child) for i, child in enumerate([x for x in self._children if isinstance(x, Link)])]

    def __len__(self):
        return len(self._children)

    def __iter__(self):
        return iter(self._children)

    def __contains__(self, item):
        return item in self._children

    def copy(self, mode='share'):
        new = Link.copy(self)  # its own parameters are shared in each mode
        new.__dict__['_children'] = [child.copy(mode) if isinstance(child, Link) else child for child in self._children]
        new._renumber()
        return new


class ChainList(_Numbered):
    """A list of links."""

    def __init__(self, *links):
        super().__init__()
        for link in links:
            self.add_link(link)

    def __getitem__(self, index):
        return self._children[index]

    def __setitem__(self, index, value):
        self._children[index] = value
        self._renumber()

    def __delitem__(self, index):
        del self._children[index]
        self._renumber()

    def add_link(self, link):
        if not isinstance(link, Link):
            raise TypeError('cannot register a non-link object as a child')
        self._children.append(link)
        self._renumber()

    def append(self, value):
        self.add_link(value)

    def insert(self, index, link):
        self._children.insert(index, link)
        self._renumber()

    def extend(self, links):
        for link in links:
            self.add_link(link)

    def clear(self):
        self._children.clear()
        self._renumber()

    def pop(self, index=-1):
        link = self._children.pop(index)
        self._renumber()
        return link

    def remove(self, link):
        self._children.remove(link)
        self._renumber()

    def reverse(self):
        self._children.reverse()
        self._renumber()

    def index(self, link):
        return self._children.index(link)

    def count(self, link):
        return self._children.count(link)

    def __iadd__(self, links):
        self.extend(links)
        return self

    def copyparams(self, link, copy_persistent=True):
        for mine, other in zip(self._children, link._children):
            mine.copyparams(other)
