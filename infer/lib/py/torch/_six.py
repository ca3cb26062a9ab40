# This file is torch._six.
import math

string_classes = (str, bytes)
int_classes = int
container_abcs = None
inf = math.inf
nan = math.nan
