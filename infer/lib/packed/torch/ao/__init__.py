# This file is torch.ao.
