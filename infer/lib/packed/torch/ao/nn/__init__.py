# This file is torch.ao.nn.
