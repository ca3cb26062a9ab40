# What torch.export makes where the exports of a script are recorded.
import inspect
import torch
import _shapecheck
from . import _dims
from ..jit._traced import text


class Program:
    """The module of an exported program: its runs give what the export kept."""

    def __init__(self, module, number):
        object.__setattr__(self, '_exported', (module, number))

    def __getattr__(self, name):
        return getattr(self._exported[0], name)

    def __setattr__(self, name, value):
        setattr(self._exported[0], name, value)

    def __call__(self, *args, **kw):
        module, number = self._exported
        if not _shapecheck.jit_records():
            return module(*args, **kw)
        return _shapecheck.export_run(number, args, kw, texts(args, kw))

    forward = __call__


def texts(args, kw):
    return [text(a) for a in args] + [k + '=' + text(v) for k, v in kw.items()]


def named(module, args, kwargs):
    """The names of the arguments, each with the parameter and the index there of a star."""
    out = []
    params = list(inspect.signature(module.forward).parameters.values())
    i = 0
    for a in args:
        if i < len(params) and params[i].kind.name in ('POSITIONAL_ONLY', 'POSITIONAL_OR_KEYWORD'):
            out.append((params[i].name, params[i].name, None))
            i += 1
        else:
            star = params[i].name if i < len(params) else 'args'
            n = len(out) - i
            out.append((star + '_' + str(n), star, n))
    return out + [(k, k, None) for k in kwargs]


def specs(names, args, kwargs, shapes):
    """Name and dynamic sizes of each argument."""
    values = list(args) + list(kwargs.values())
    if isinstance(shapes, _dims.ShapesCollection):
        return [(n[0], _dims.spec(v, shapes.of(v))) for n, v in zip(names, values)]
    if shapes is None:
        return [(n[0], None) for n in names]
    out = []
    for i, (name, param, star) in enumerate(names):
        if isinstance(shapes, dict):
            s = shapes.get(param)
            if star is not None and s is not None:
                s = s[star]
        elif star is not None and len(shapes) == len(names) - star and isinstance(shapes[-1], (tuple, list)):
            s = shapes[-1][star]
        else:
            s = shapes[i] if i < len(shapes) else None
        out.append((name, _dims.spec(values[i], s)))
    return out


def declared(entry, args, kwargs, shapes):
    """specs for an entry that may be a function."""
    names = [n for n in inspect.signature(getattr(entry, 'forward', entry)).parameters][:len(args)]
    return specs([(n, n, None) for n in names + list(kwargs)], args, kwargs, shapes)


def misfit(names, values, shapes):
    """Why dynamic_shapes has not the structure of the inputs, or None."""
    known = list(dict.fromkeys([n[1] for n in names]))
    if isinstance(shapes, dict):
        if set(shapes) != set(known):
            return f'the keys of dynamic_shapes must be the names of the arguments, {known}, but they are {list(shapes)}'
    elif isinstance(shapes, (tuple, list)) and len(known) == len(names):
        if len(shapes) != len(names):
            return f'there are {len(names)} inputs, but dynamic_shapes has {len(shapes)} elements'
    else:
        return None
    for i, (name, param, star) in enumerate(names):
        text = misfit_of(values[i], shapes[param] if isinstance(shapes, dict) else shapes[i], name) if star is None else None
        if text is not None:
            return text
    return None


def misfit_of(value, spec, where):
    """misfit of a part of the inputs."""
    if isinstance(value, torch.Tensor):
        if isinstance(spec, (tuple, list)) and len(spec) != value.dim():
            return f'{where} has {value.dim()} dimensions, but dynamic_shapes has {len(spec)} elements for it'
        return None
    if isinstance(value, (tuple, list)) and not hasattr(value, '_fields'):
        if not isinstance(spec, (tuple, list)) or len(spec) != len(value):
            return f'{where} has {len(value)} elements, but dynamic_shapes has {spec} for it'
        parts = [(value[i], spec[i], f'{where}[{i}]') for i in range(len(value))]
    elif isinstance(value, dict) and (spec is None or isinstance(spec, dict)):
        if spec is None or set(spec) != set(value):
            return f'{where} has the keys {list(value)}, but dynamic_shapes has {spec} for it'
        parts = [(v, spec[k], f'{where}[{k!r}]') for k, v in value.items()]
    else:
        return None
    for part in parts:
        text = misfit_of(*part)
        if text is not None:
            return text
    return None


def export(module, args, kwargs, shapes, strict):
    """The number of the program."""
    from ..nn import Module
    if not isinstance(module, Module):
        raise ValueError(f'Expected `mod` to be an instance of `torch.nn.Module`, got {type(module)}.')
    if not isinstance(args, tuple):
        _shapecheck.refuse('torch._dynamo.exc.UserError', 'SC541', f'Expecting `args` to be a tuple of example positional inputs, got {type(args)}')
    names = named(module, args, kwargs)
    values = list(args) + list(kwargs.values())
    text = misfit(names, values, shapes)
    given = specs(names, args, kwargs, shapes) if text is None else specs(names, args, kwargs, None)
    beyond = text is None and isinstance(shapes, (dict, tuple, list)) and any([
        star is None and _dims.beyond(values[i], shapes[param] if isinstance(shapes, dict) else shapes[i]) for i, (name, param, star) in enumerate(names)])
    return _shapecheck.export_trace(module, args, kwargs, given, bool(strict), texts(args, kwargs), type(module).__name__, text, beyond)
