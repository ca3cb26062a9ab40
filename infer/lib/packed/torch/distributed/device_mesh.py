# This file is torch.distributed.device_mesh.
import _shapecheck


class DeviceMesh:
    def __init__(self, device_type, mesh=None, *, mesh_dim_names=None, **kwargs):
        self.device_type = device_type
        self.mesh_dim_names = mesh_dim_names


def init_device_mesh(device_type, mesh_shape, *, mesh_dim_names=None, **kwargs):
    return _shapecheck.unknown('what is distributed over processes')
