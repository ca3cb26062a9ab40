# This file is torch.jit.annotations.
from .._jit_internal import BroadcastingList1, BroadcastingList2, BroadcastingList3
