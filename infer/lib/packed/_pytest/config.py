# This file stands for _pytest.config.
from pytest._config import Config, Parser, PluginManager as PytestPluginManager
