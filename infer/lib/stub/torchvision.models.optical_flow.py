# Models that tell how pixels move from one image to the next.
from torchvision.models.optical_flow.raft import RAFT, Raft_Large_Weights, Raft_Small_Weights, raft_large, raft_small
