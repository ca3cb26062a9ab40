# The module tqdm.autonotebook.
from tqdm import tqdm, trange
