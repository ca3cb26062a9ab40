# The graphs of torch.fx are not known: a model itself runs.
from torch.fx.features import create_feature_extractor, get_graph_node_names
