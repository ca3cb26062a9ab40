# The module under which DeviceResident is defined.
from .link import DeviceResident
