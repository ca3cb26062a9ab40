# The module under which the settings are defined.
from ._config import GlobalConfig, LocalConfig, config, global_config, using_config
