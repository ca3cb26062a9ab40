# This package stands for _pytest.mark.
from pytest._marks import Mark, MarkDecorator, MarkGenerator, ParameterSet, mark, param
