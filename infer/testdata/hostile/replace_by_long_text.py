# A million matches, each replaced by a text of a million letters, with groups of the match and without.
import re

import torch


def forward():
    short = re.sub("a", "b" * 10**6, "a" * 10**6)
    long = re.sub("a", "\\g<0>" + "b" * 10**6, "a" * 10**6)
    return torch.zeros(len(short), len(long))
