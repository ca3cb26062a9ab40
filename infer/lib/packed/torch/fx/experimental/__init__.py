# This file is torch.fx.experimental.
