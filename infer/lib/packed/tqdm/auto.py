# The module tqdm.auto.
from tqdm import tqdm, trange
