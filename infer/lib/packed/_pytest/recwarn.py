# This file stands for _pytest.recwarn.
from pytest._raises import WarningsRecorder, deprecated_call, warns
