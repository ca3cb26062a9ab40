# Adapters of models. A wrapped model takes and gives what the model does; the sizes of its own
# weights are left out, so what its parameters are is not known.
import torch.nn as _nn
from _shapecheck import is_unknown as _is_unknown, unknown as _unknown


class _Config:
    def __init__(self, *args, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)

    @classmethod
    def from_pretrained(cls, *args, **kwargs):
        return _unknown('the configuration of adapters')

    def save_pretrained(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _unknown('what a configuration of peft holds')


class PeftConfig(_Config):
    pass


class LoraConfig(PeftConfig):
    def __init__(self, task_type=None, peft_type=None, r=8, target_modules=None, lora_alpha=8, lora_dropout=0.0, bias='none', **kwargs):
        super().__init__(task_type=task_type, r=r, target_modules=target_modules, lora_alpha=lora_alpha, lora_dropout=lora_dropout, bias=bias, **kwargs)


class AdaLoraConfig(LoraConfig):
    pass


class IA3Config(PeftConfig):
    pass


class LoHaConfig(PeftConfig):
    pass


class LoKrConfig(PeftConfig):
    pass


class OFTConfig(PeftConfig):
    pass


class TaskType:
    SEQ_CLS, SEQ_2_SEQ_LM, CAUSAL_LM, TOKEN_CLS, QUESTION_ANS, FEATURE_EXTRACTION = (
        'SEQ_CLS', 'SEQ_2_SEQ_LM', 'CAUSAL_LM', 'TOKEN_CLS', 'QUESTION_ANS', 'FEATURE_EXTRACTION')


class _Base(_nn.Module):
    # What peft keeps a model in.
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, *args, **kwargs):
        return self.model(*args, **kwargs)


class PeftModel(_nn.Module):
    def __init__(self, model, peft_config, adapter_name='default', **kwargs):
        super().__init__()
        self.peft_config = {adapter_name: peft_config}
        self.active_adapter = adapter_name
        self.base_model = _Base(model)

    def forward(self, *args, **kwargs):
        return self.base_model(*args, **kwargs)

    def get_base_model(self):
        return self.base_model.model

    def merge_and_unload(self, *args, **kwargs):
        return self.base_model.model

    unload = merge_and_unload

    def _nothing(self, *args, **kwargs):
        pass

    print_trainable_parameters = save_pretrained = set_adapter = add_adapter = load_adapter = merge_adapter = unmerge_adapter = _nothing
    enable_input_require_grads = gradient_checkpointing_enable = _nothing

    def get_nb_trainable_parameters(self):
        return _unknown('the parameters of adapters'), _unknown('the parameters of adapters')

    def state_dict(self, *args, **kwargs):
        return _unknown('the parameters of adapters')

    def parameters(self, recurse=True):
        return _unknown('the parameters of adapters')

    def named_parameters(self, *args, **kwargs):
        return _unknown('the parameters of adapters')

    @classmethod
    def from_pretrained(cls, model, model_id, *args, **kwargs):
        return model if _is_unknown(model) else cls(model, _unknown('the configuration of adapters'))

    def __getattr__(self, name):
        # What it lacks is the model's.
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name in ('base_model', 'peft_config') or name.startswith('__'):
                raise
            return getattr(self.base_model.model, name)


PeftModelForCausalLM = PeftModelForSequenceClassification = PeftModelForSeq2SeqLM = PeftModelForTokenClassification = PeftModel


def get_peft_model(model, peft_config, adapter_name='default', **kwargs):
    return model if _is_unknown(model) else PeftModel(model, peft_config, adapter_name)


def prepare_model_for_kbit_training(model, *args, **kwargs):
    return model


def get_peft_model_state_dict(model, *args, **kwargs):
    return _unknown('the parameters of adapters')


def set_peft_model_state_dict(model, *args, **kwargs):
    return _unknown('which parameters a state_dict lacks')
