# Lightning under its newer name.
from pytorch_lightning import *
from pytorch_lightning import LightningDataModule, LightningModule, Trainer, Callback, seed_everything, __getattr__, __version__
