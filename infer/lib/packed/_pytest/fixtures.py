# This file stands for _pytest.fixtures.
from pytest._fixtures import *
from pytest._fixtures import FixtureDef, FixtureLookupError, FixtureRequest

SubRequest = FixtureRequest
