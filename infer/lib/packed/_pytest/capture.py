# This file stands for _pytest.capture.
from pytest._builtin import CaptureFixture, CaptureResult
