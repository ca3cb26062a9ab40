# tensorboardX writes what torch.utils.tensorboard does.
from torch.utils.tensorboard import SummaryWriter
