# The module tqdm.asyncio.
from tqdm import tqdm, trange
