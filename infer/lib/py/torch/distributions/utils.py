# This file is torch.distributions.utils.
from .distribution import broadcast_all


def logits_to_probs(logits, is_binary=False):
    return logits.sigmoid() if is_binary else logits.softmax(-1)


def probs_to_logits(probs, is_binary=False):
    return probs.log()
