# This file is torch.distributed.nn: collectives of one process.
from .. import ReduceOp


def all_reduce(tensor, op=ReduceOp.SUM, group=None):
    return tensor


def all_gather(tensor, group=None):
    return (tensor,)


def broadcast(tensor, src, group=None):
    return tensor
