# Lightning: modules, data modules, and a trainer that takes one pass through the loaders.
# What else there is (loggers, callbacks, strategies) is unknown.
import dataclasses
import inspect
from argparse import Namespace

import torch
from _shapecheck import init_arguments, is_unknown, unknown
from torch import nn

__version__ = '2.5.0'


class AttributeDict(dict):
    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(f'Missing attribute "{name}"')

    def __setattr__(self, name, value):
        self[name] = value


class _Hooks:
    def _nothing(self, *args, **kwargs):
        return None

    prepare_data = setup = teardown = _nothing
    on_fit_start = on_fit_end = on_train_start = on_train_end = on_train_epoch_start = on_train_epoch_end = _nothing
    on_validation_epoch_start = on_validation_epoch_end = on_validation_start = on_validation_end = _nothing
    on_test_epoch_start = on_test_epoch_end = on_train_batch_start = on_train_batch_end = on_before_optimizer_step = _nothing
    on_before_zero_grad = on_after_backward = on_save_checkpoint = on_load_checkpoint = _nothing

    def save_hyperparameters(self, *args, ignore=None, frame=None, logger=True):
        if is_unknown(ignore) or any([is_unknown(a) for a in args]):
            self.__dict__['_hparams'] = unknown('the hyperparameters that Lightning collects')
            return
        if len(args) == 1 and not isinstance(args[0], str) and not args[0]:
            return
        found = init_arguments(self)
        if dataclasses.is_dataclass(self):
            found = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.init}
        ignore = [] if ignore is None else [ignore] if isinstance(ignore, str) else list(ignore)
        found = {k: v for k, v in found.items() if k not in ignore}
        objects = [a for a in args if not isinstance(a, str)]
        if len(objects) == 1:
            found = objects[0]
        elif args:
            found = {a: found[a] for a in args if isinstance(a, str)}
        if isinstance(found, Namespace):
            found = vars(found)
        if is_unknown(found) or not isinstance(found, dict):
            self.__dict__['_hparams'] = found
            return
        have = self.hparams
        if not is_unknown(have):
            have.update(found)
            for name in ignore:
                have.pop(name, None)

    @property
    def hparams(self):
        if '_hparams' not in self.__dict__:
            self.__dict__['_hparams'] = AttributeDict()
        return self.__dict__['_hparams']

    @classmethod
    def load_from_checkpoint(cls, *args, **kwargs):
        return unknown('what a checkpoint of Lightning holds')


class LightningDataModule(_Hooks):
    trainer = None

    def __init__(self, *args, **kwargs):
        super().__init__()


class LightningModule(_Hooks, nn.Module):
    automatic_optimization = True
    current_epoch = global_step = global_rank = local_rank = 0

    def __init__(self, *args, **kwargs):
        nn.Module.__init__(self)

    @property
    def trainer(self):
        return unknown('the trainer of Lightning')

    @property
    def logger(self):
        return unknown('the logger of Lightning')

    @property
    def device(self):
        return torch.device('cpu')

    @property
    def dtype(self):
        return torch.get_default_dtype()

    @property
    def example_input_array(self):
        return None

    def log(self, name, value, *args, **kwargs):
        pass

    def log_dict(self, dictionary, *args, **kwargs):
        pass

    def print(self, *args, **kwargs):
        pass

    def optimizers(self, use_pl_optimizer=True):
        found = self.configure_optimizers()
        return found[0][0] if isinstance(found, tuple) and isinstance(found[0], list) else found

    def lr_schedulers(self):
        return unknown('the schedulers of Lightning')

    def manual_backward(self, loss, *args, **kwargs):
        loss.backward(*args, **kwargs)

    def toggle_optimizer(self, *args, **kwargs):
        pass

    untoggle_optimizer = toggle_optimizer

    def freeze(self):
        self.requires_grad_(False)
        self.eval()

    def unfreeze(self):
        self.requires_grad_(True)
        self.train()

    def predict_step(self, batch, batch_idx=0, dataloader_idx=0):
        return self(batch)

    def all_gather(self, data, *args, **kwargs):
        return data


class Callback(_Hooks):
    pass


def _step(step, batch, i):
    n = len([p for p in inspect.signature(step).parameters])
    return step(batch) if n < 2 else step(batch, i)


def _passes(loaders, step):
    if loaders is None or is_unknown(loaders) or step is None:
        return
    if not isinstance(loaders, (list, tuple)):
        loaders = [loaders]
    for loader in loaders:
        for i, batch in enumerate(loader):
            out = _step(step, batch, i)
            loss = out.get('loss') if isinstance(out, dict) else out
            if isinstance(loss, torch.Tensor) and loss.requires_grad:
                loss.backward()


class _TrainerType(type):
    # What the versions before 2 have: add_argparse_args, from_argparse_args and others.
    def __getattr__(cls, name):
        if name.startswith('__'):
            raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")
        return unknown('the trainer of Lightning')


class Trainer(metaclass=_TrainerType):
    global_rank = local_rank = current_epoch = global_step = 0
    world_size = num_devices = num_nodes = 1
    is_global_zero = True

    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        return unknown('the trainer of Lightning')

    def _loaders(self, model, given, datamodule, name, stage):
        if isinstance(given, LightningDataModule):
            datamodule, given = given, None
        if datamodule is not None and not is_unknown(datamodule):
            datamodule.prepare_data()
            datamodule.setup(stage)
            if hasattr(datamodule, name):
                return getattr(datamodule, name)()
        if given is None and hasattr(model, name):
            return getattr(model, name)()
        return given

    def fit(self, model, train_dataloaders=None, val_dataloaders=None, datamodule=None, ckpt_path=None, **kwargs):
        train_dataloaders = kwargs.get('train_dataloader', train_dataloaders)
        if isinstance(train_dataloaders, LightningDataModule):
            datamodule, train_dataloaders = train_dataloaders, None
        model.prepare_data()
        model.setup('fit')
        train = self._loaders(model, train_dataloaders, datamodule, 'train_dataloader', 'fit')
        val = self._loaders(model, val_dataloaders, datamodule, 'val_dataloader', 'fit')
        if hasattr(model, 'configure_optimizers'):
            model.configure_optimizers()
        model.train()
        _passes(train, getattr(model, 'training_step', None))
        model.on_train_epoch_end()
        self.validate(model, val)

    def validate(self, model, dataloaders=None, datamodule=None, **kwargs):
        model.eval()
        with torch.no_grad():
            _passes(self._loaders(model, dataloaders, datamodule, 'val_dataloader', 'validate'), getattr(model, 'validation_step', None))
            model.on_validation_epoch_end()

    def test(self, model=None, dataloaders=None, datamodule=None, **kwargs):
        if model is None:
            return
        model.eval()
        with torch.no_grad():
            _passes(self._loaders(model, dataloaders, datamodule, 'test_dataloader', 'test'), getattr(model, 'test_step', None))

    def predict(self, model=None, dataloaders=None, datamodule=None, **kwargs):
        return unknown('the predictions that Lightning collects')


def seed_everything(seed=None, workers=False, verbose=True):
    torch.manual_seed(0 if seed is None else seed)
    return seed


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return unknown('pytorch_lightning.' + name)
