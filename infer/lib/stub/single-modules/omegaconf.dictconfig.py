# omegaconf.dictconfig.
from omegaconf import DictConfig
