# The module tqdm.notebook.
from tqdm import tqdm, trange
