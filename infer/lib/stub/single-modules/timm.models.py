# Models of others that are registered with timm.
from timm.models.registry import register_model
