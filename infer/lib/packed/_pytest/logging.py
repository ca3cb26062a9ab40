# This file stands for _pytest.logging.
from pytest._builtin import LogCaptureFixture
