import itertools as _itertools
from torch_einops_utils import tree_map_tensor as _tree_map_tensor


def module_device(m):
    first = next(_itertools.chain(m.parameters(), m.buffers()), None)
    return None if first is None else first.device


def tree_map_tensor_to_device(tree, device):
    return _tree_map_tensor(lambda t: t.to(device), tree)
