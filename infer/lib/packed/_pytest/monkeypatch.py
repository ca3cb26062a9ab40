# This file stands for _pytest.monkeypatch.
from pytest._builtin import MonkeyPatch, monkeypatch
