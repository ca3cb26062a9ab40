# The module lightning: Lightning and Fabric, of which the latter is unknown.
from pytorch_lightning import *
from pytorch_lightning import LightningDataModule, LightningModule, Trainer, Callback, seed_everything, __getattr__, __version__
