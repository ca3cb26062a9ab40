# This file stands for _pytest.mark.structures.
from pytest._marks import Mark, MarkDecorator, MarkGenerator, ParameterSet
