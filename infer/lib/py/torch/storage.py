# This file is torch.storage.
from ._legacy import TypedStorage, UntypedStorage
