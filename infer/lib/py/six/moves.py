# The module six.moves.
from builtins import filter, input, map, range, zip
from functools import reduce
from itertools import filterfalse, zip_longest
import builtins
import pickle as cPickle
import queue
import urllib

xrange = range
from io import StringIO, BytesIO
