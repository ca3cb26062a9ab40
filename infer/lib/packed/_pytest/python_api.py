# This file stands for _pytest.python_api.
from pytest._raises import approx, raises
