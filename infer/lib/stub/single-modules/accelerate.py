# Accelerate with one process: what is prepared is what was given. Everything stays on one
# device, so that no move between devices is missing.
import contextlib as _contextlib
import torch as _torch
from _shapecheck import unknown as _unknown


class Accelerator:
    num_processes = 1
    process_index = local_process_index = 0
    is_main_process = is_local_main_process = is_last_process = sync_gradients = True
    use_distributed = False

    def __init__(self, *args, gradient_accumulation_steps=1, **kwargs):
        self.gradient_accumulation_steps = gradient_accumulation_steps
        self.device = _torch.device('cpu')

    def prepare(self, *args, device_placement=None):
        return args[0] if len(args) == 1 else args

    def prepare_model(self, model, *args, **kwargs):
        return model

    def prepare_optimizer(self, optimizer, *args, **kwargs):
        return optimizer

    def prepare_scheduler(self, scheduler):
        return scheduler

    def prepare_data_loader(self, data_loader, *args, **kwargs):
        return data_loader

    def backward(self, loss, **kwargs):
        loss.backward(**kwargs)

    def clip_grad_norm_(self, parameters, max_norm, norm_type=2):
        return _torch.nn.utils.clip_grad_norm_(parameters, max_norm, norm_type)

    def clip_grad_value_(self, parameters, clip_value):
        _torch.nn.utils.clip_grad_value_(parameters, clip_value)

    def unwrap_model(self, model, *args, **kwargs):
        return model

    def get_state_dict(self, model, unwrap=True):
        return model.state_dict()

    def gather(self, tensor):
        return tensor

    def gather_for_metrics(self, input_data, use_gather_object=False):
        return input_data

    def reduce(self, tensor, reduction='sum', scale=1.0):
        return tensor

    def pad_across_processes(self, tensor, dim=0, pad_index=0, pad_first=False):
        return tensor

    @_contextlib.contextmanager
    def _context(self, *args, **kwargs):
        yield

    accumulate = autocast = no_sync = profile = join_uneven_inputs = main_process_first = local_main_process_first = _context

    def _nothing(self, *args, **kwargs):
        pass

    print = log = save = save_state = load_state = save_model = wait_for_everyone = init_trackers = end_training = free_memory = clear = _nothing
    register_for_checkpointing = register_save_state_pre_hook = register_load_state_pre_hook = _nothing

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _unknown('what the stub of accelerate does not have')
