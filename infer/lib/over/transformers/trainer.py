# The trainer keeps what it is given. How it trains is a matter of processes and files, and is not followed.
from transformers.trainer import Trainer as _Trainer
from _shapecheck import unknown as _unknown


def _init(self, model=None, args=None, data_collator=None, train_dataset=None, eval_dataset=None, processing_class=None, model_init=None, compute_loss_func=None,
          compute_metrics=None, callbacks=None, optimizers=(None, None), *more, tokenizer=None, **kwargs):
    self.model = self.model_wrapped = model if model is not None or model_init is None else model_init()
    self.args, self.data_collator, self.train_dataset, self.eval_dataset = args, data_collator, train_dataset, eval_dataset
    self.processing_class = self.tokenizer = processing_class if processing_class is not None else tokenizer
    self.model_init, self.compute_loss_func, self.compute_metrics = model_init, compute_loss_func, compute_metrics
    self.optimizer, self.lr_scheduler = optimizers


def _getattr(self, name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _unknown('the trainer of transformers')


def _ran(self, *args, **kwargs):
    return _unknown('what the trainer of transformers computes')


def _nothing(self, *args, **kwargs):
    pass


_Trainer.__init__ = _init
_Trainer.__getattr__ = _getattr
_Trainer.train = _Trainer.evaluate = _Trainer.predict = _Trainer.hyperparameter_search = _ran
_Trainer.save_model = _Trainer.save_state = _Trainer.push_to_hub = _Trainer.create_model_card = _Trainer.log_metrics = _Trainer.save_metrics = _nothing
_Trainer.add_callback = _Trainer.remove_callback = _nothing
