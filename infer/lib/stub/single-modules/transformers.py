# Tokenizers where transformers is missing.
from _tokenizers import *
