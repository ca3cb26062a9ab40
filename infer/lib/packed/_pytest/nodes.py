# This file stands for _pytest.nodes.
from pytest._collect import Item, Node
