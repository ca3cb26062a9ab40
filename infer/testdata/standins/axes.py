# Tensors by torch_einops_utils.
import torch
from torch import nn
import torch_einops_utils as teu
from torch_einops_utils import masked_mean, pad_at_dim, tree_map_tensor
from torch_einops_utils.device import module_device
from torch_einops_utils.nn import Identity, Lambda, Sequential

x, mask = torch.rand(2, 6, 5), torch.ones(2, 6, dtype=torch.bool)


def told(*tensors):
    return [(list(t.shape), str(t.dtype)) for t in tensors]


def means():
    return told(masked_mean(x), masked_mean(x, mask), masked_mean(x, mask, dim=1), masked_mean(x, dim=1, keepdim=True),
                masked_mean(x, mask, keepdim=True), teu.masked_sum(x, mask, dim=slice(1, None)), teu.masked_reduce(x, 'none', mask))


def sums():
    return told(teu.exclusive_cumsum(x), teu.reverse_cumsum(x, dim=1))


def slices():
    return told(teu.slice_at_dim(x, slice(1, 3)), teu.slice_left_at_dim(x, 2, dim=1), teu.slice_left_at_dim(x, 0),
                teu.slice_right_at_dim(x, 4, dim=1), teu.slice_right_at_dim(x, 0, dim=-2))


def ranks():
    return told(teu.pad_ndim(x, (1, 2)), teu.pad_right_ndim_to(mask, 4), teu.pad_left_ndim_to(mask, 3), teu.pad_left_ndim_to(x, 2),
                *teu.align_dims_left([x, mask]), teu.pad_right_ndim_to_and_expand_as(mask, x))


def joined():
    return told(teu.safe_cat([x, None, x], dim=1), teu.safe_cat((None, x)), teu.safe_stack([x, None, x])), \
        teu.safe_cat([None]), teu.safe_stack([])


def masks():
    lens = torch.tensor([3, 5])
    return told(teu.lens_to_mask(lens, 7), teu.and_masks([mask, None, mask]), teu.or_masks([mask, mask]), teu.mask_after(mask, 1),
                teu.mask_before(mask, 1, inclusive=False)), teu.and_masks([None])


def padded():
    return told(pad_at_dim(x, (1, 2)), pad_at_dim(x, (1, 0), dim=0), pad_at_dim(x, (0, -1), dim=1, value=1.), teu.pad_right_at_dim(x, 3, dim=1),
                teu.pad_left_at_dim(mask, 1, value=False), teu.pad_right_at_dim_to(x, 9), teu.pad_left_at_dim_to(x, 3),
                teu.shift_right(x), teu.shift_left(x, 2, dim=1))


def trees():
    leaves, inverse = teu.tree_flatten_with_inverse((x, [mask, 3]))
    out = inverse([t.float() if torch.is_tensor(t) else t for t in leaves])
    doubled = tree_map_tensor(lambda t: torch.cat([t, t]), {'a': x, 'b': 2})
    return told(out[0], out[1][0], doubled['a']), out[1][1], doubled['b']


def packed():
    one, back = teu.pack_with_inverse(x, '* d')
    two, apart = teu.pack_with_inverse([x, mask.float()[..., None].expand(2, 6, 5)], 'b * d')
    return told(one, back(one), two, *apart(two), back(one[:, 0], '*'))


def selected():
    at = torch.zeros(2, 3, dtype=torch.long)
    return told(teu.batched_index_select(x, at), teu.batched_index_select(x, torch.zeros(2, 6, 4, dtype=torch.long), dim=2))


def entropies():
    y = torch.zeros(2, 6)
    return told(teu.cross_entropy(x.movedim(1, 2), y), teu.cross_entropy(x, y, class_dim=-1, reduction='none'))


def optional():
    return told(teu.maybe(lambda t: t[0])(x), teu.maybe(None)(x)), teu.maybe(torch.relu)(None), teu.maybe(torch.relu, 3)(None)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Sequential(None, nn.Linear(5, 4), Lambda(lambda t: t.sum(-1)), Identity())

    def forward(self, x):
        return self.net(x)

    @teu.temp_eval
    def mode(self):
        return self.training


def modules():
    net = Net()
    with teu.temp_eval(net):
        inside = net.training
    return told(net(x)), len(net.net), list(net.state_dict()), net.mode(), inside, net.training, str(module_device(net)), module_device(Identity())
