# This file stands for _pytest.outcomes.
from pytest._outcomes import *
from pytest._outcomes import Exit, Failed, OutcomeException, Skipped, XFailed
