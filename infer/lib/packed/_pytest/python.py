# This file stands for _pytest.python.
from pytest._collect import Class, Function, Metafunc, Module
