# What parts of a model give.
from torch.fx.features import create_feature_extractor, get_graph_node_names
