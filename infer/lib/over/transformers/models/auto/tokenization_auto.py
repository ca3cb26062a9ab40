# What a tokenizer of the hub knows is not there to be read: ours gives ids of the sizes that are asked for.
from _tokenizers import AutoTokenizer
