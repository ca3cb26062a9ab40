# This package stands for _pytest._code.
from pytest._raises import ExceptionInfo
