"""Prints the names that the files of torch.nn.modules bind, a line a file: the version
of PyTorch, the module, its names. Run it with each version that modulenames.txt holds,
and join what it prints, the oldest version first."""
import os
import sys

import torch

version = '.'.join(torch.__version__.split('.')[:2])
folder = os.path.dirname(torch.nn.modules.__file__)
for file in sorted(os.listdir(folder)):
    module = 'torch.nn.modules.' + file[:-len('.py')]
    if file.endswith('.py') and file != '__init__.py' and module in sys.modules:
        names = vars(sys.modules[module])
        print(version, module, *sorted(n for n in names if not n.startswith('__')))
