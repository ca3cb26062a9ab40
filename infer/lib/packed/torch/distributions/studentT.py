# This file is torch.distributions.studentT.
from .continuous import StudentT
