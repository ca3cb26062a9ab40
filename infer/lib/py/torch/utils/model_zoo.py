# This file is torch.utils.model_zoo.
from ..hub import load_state_dict_from_url, tqdm

load_url = load_state_dict_from_url
