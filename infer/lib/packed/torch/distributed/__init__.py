# This file is torch.distributed of a single process that has not joined a group.


class ReduceOp:
    class RedOpType:
        pass

    SUM = 0
    AVG = 1
    PRODUCT = 2
    MIN = 3
    MAX = 4
    BAND = 5
    BOR = 6
    BXOR = 7
    PREMUL_SUM = 8


reduce_op = ReduceOp


class ProcessGroup:
    pass


class group:
    WORLD = None
    GROUP_MEMBER = None


class Backend(str):
    GLOO = 'gloo'
    NCCL = 'nccl'
    MPI = 'mpi'


def is_available():
    return True


def is_initialized():
    return False


def is_nccl_available():
    return False


def is_gloo_available():
    return True


def is_mpi_available():
    return False


def is_torchelastic_launched():
    return False


def get_rank(group=None):
    return 0


def get_world_size(group=None):
    return 1


def get_backend(group=None):
    return 'gloo'


class Work:
    def wait(self, timeout=None):
        return True

    def is_completed(self):
        return True


def _ignored(*args, **kwargs):
    if kwargs.get('async_op'):
        return Work()


init_process_group = _ignored
destroy_process_group = _ignored
barrier = _ignored
monitored_barrier = _ignored
new_group = _ignored
broadcast = _ignored
broadcast_object_list = _ignored
all_reduce = _ignored
reduce = _ignored
send = _ignored
recv = _ignored
isend = _ignored
irecv = _ignored
gather = _ignored
scatter = _ignored
reduce_scatter = _ignored
reduce_scatter_tensor = _ignored
all_to_all = _ignored
all_to_all_single = _ignored


def all_gather(tensor_list, tensor, group=None, async_op=False):
    for i in range(len(tensor_list)):
        tensor_list[i] = tensor
    return Work() if async_op else None


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    return Work() if async_op else None


def all_gather_object(object_list, obj, group=None):
    for i in range(len(object_list)):
        object_list[i] = obj


def gather_object(obj, object_gather_list=None, dst=0, group=None):
    pass
