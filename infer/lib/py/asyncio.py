# This file is what libraries without coroutines ask of asyncio.
from inspect import iscoroutinefunction
