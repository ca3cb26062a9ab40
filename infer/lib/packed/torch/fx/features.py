# This file is what torchvision.models.feature_extraction is on top of torch.fx, whose graphs are not known: a model runs until the
# last of the modules has run whose results are asked for. Nodes of the graph that are no module give what is unknown.
from _shapecheck import is_unknown, unknown
from ..nn.modules.module import Module


class _Enough(Exception):
    pass


def _find(model, name):
    # The module of a node, and which of its calls the node is: those after the first have a number behind the name.
    parts, number = name.split('.'), 1
    for i, part in enumerate(parts):
        base, _, n = part.rpartition('_')
        if part not in model._modules and i == len(parts) - 1 and n.isdigit() and base in model._modules:
            part, number = base, int(n) + 1
        model = model._modules.get(part)
        if model is None:
            return None, 0, ()
        parts[i] = part
    return model, number, parts


def _place(model, parts):
    # Where a module is in the order in which modules were registered; a module is behind its parts.
    out = []
    for part in parts:
        out.append(list(model._modules).index(part))
        model = model._modules[part]
    return out + [len(model._modules)]


def _until(model, parts):
    # What a graph keeps that ends at a module: that and what was registered before it.
    if not parts:
        return model
    out = Module()
    for table in (out._parameters, out._buffers):
        table.update(model._parameters if table is out._parameters else model._buffers)
    for name, child in model._modules.items():
        out._modules[name] = _until(child, parts[1:]) if name == parts[0] else child
        if name == parts[0]:
            break
    return out


class _Extractor(Module):
    def __init__(self, model, train, test):
        super().__init__()
        object.__setattr__(self, '_model', model)
        self._names = {True: train, False: test}
        nodes = [_find(model, name) for name in {**train, **test}]
        # A later call may come after what is registered behind the module.
        paths = [parts[:-1] if number > 1 else parts for module, number, parts in nodes if module is not None]
        kept = _until(model, max(paths, key=lambda parts: _place(model, parts))) if paths else model
        for table in ('_parameters', '_buffers', '_modules'):
            object.__setattr__(self, table, getattr(kept, table))
        self.training = model.training

    def train(self, mode=True):
        self._model.train(mode)
        return super().train(mode)

    def forward(self, *args, **kwargs):
        names, out, handles = self._names[self.training], {}, []
        wanted = {name: _find(self._model, name) for name in names}
        count = len([name for name in names if wanted[name][0] is not None])

        def keeps(name, number):
            calls = []

            def hook(module, args, result):
                calls.append(None)
                if len(calls) == number:
                    out[names[name]] = result
                    if len(out) == count:
                        raise _Enough
            return hook

        for name in names:
            module, number, _ = wanted[name]
            if module is not None:
                handles.append(module.register_forward_hook(keeps(name, number)))
        try:
            if count:
                self._model(*args, **kwargs)
        except _Enough:
            pass
        finally:
            for handle in handles:
                handle.remove()
        for name in names:
            if names[name] not in out:
                out[names[name]] = unknown('a node of a graph of torch.fx that is no module')
        return out


def create_feature_extractor(model, return_nodes=None, train_return_nodes=None, eval_return_nodes=None, tracer_kwargs=None, suppress_diff_warning=False,
                             concrete_args=None):
    if return_nodes is None and train_return_nodes is None and eval_return_nodes is None:
        raise ValueError('Either `return_nodes` or `train_return_nodes` and `eval_return_nodes` together, should be specified')
    if (train_return_nodes is None) != (eval_return_nodes is None):
        raise ValueError('If any of `train_return_nodes` and `eval_return_nodes` are specified, then both should be specified')
    if return_nodes is not None and train_return_nodes is not None:
        raise ValueError('If `train_return_nodes` and `eval_return_nodes` are specified, then both should be specified')
    sides = [return_nodes if side is None else side for side in (train_return_nodes, eval_return_nodes)]
    if is_unknown(model) or any(is_unknown(side) for side in sides):
        return unknown('the features of a model or of nodes that are not known')
    train, test = [{str(k): str(v) for k, v in side.items()} if isinstance(side, dict) else {str(k): str(k) for k in side} for side in sides]
    return _Extractor(model, train, test)


def get_graph_node_names(model, tracer_kwargs=None, suppress_diff_warning=False, concrete_args=None):
    return unknown('the nodes of a graph of torch.fx'), unknown('the nodes of a graph of torch.fx')
