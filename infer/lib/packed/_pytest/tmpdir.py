# This file stands for _pytest.tmpdir.
from pytest._builtin import TempPathFactory
