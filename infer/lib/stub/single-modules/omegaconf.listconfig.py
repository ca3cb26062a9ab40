# omegaconf.listconfig.
from omegaconf import ListConfig
