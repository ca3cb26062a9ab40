# Models of transformers that are loaded from folders; truth.json has what PyTorch gives. See record.py.
import torch
from transformers import AutoConfig, AutoModel, AutoModelForMaskedLM, AutoModelForSequenceClassification
from transformers import BertConfig, BertForMaskedLM, BertForSequenceClassification, BertModel, T5ForConditionalGeneration, ViTForImageClassification, ViTModel


def bert():
    return BertModel.from_pretrained("bert")


def bert_auto():
    return AutoModel.from_pretrained("./bert")


def bert_none():
    return BertModel.from_pretrained("bert", dtype=None)


def bert_half():
    return BertModel.from_pretrained("bert", torch_dtype=torch.float16)


def bert_text():
    return BertModel.from_pretrained("bert", dtype="bfloat16")


def bert_labels():
    return BertForSequenceClassification.from_pretrained("bert", num_labels=3)


def bert_auto_labels():
    return AutoModelForSequenceClassification.from_pretrained("bert", num_labels=5, attn_implementation="eager")


def bert_arg():
    return BertModel.from_pretrained("bert", add_pooling_layer=False)


def bert_config():
    return AutoModel.from_config(AutoConfig.from_pretrained("bert", num_hidden_layers=2))


def bert_config_own():
    return BertModel.from_pretrained("bert", config=BertConfig.from_pretrained("bert", hidden_dropout_prob=0.5))


def bertlm():
    return BertForMaskedLM.from_pretrained("bertlm")


def bertlm_auto():
    return AutoModelForMaskedLM.from_pretrained("bertlm", dtype="auto")


def t5():
    return T5ForConditionalGeneration.from_pretrained("t5")


def t5_half():
    return T5ForConditionalGeneration.from_pretrained("t5", dtype=torch.float16)


def t5_bf16():
    return T5ForConditionalGeneration.from_pretrained("t5", dtype=torch.bfloat16)


def vit():
    return ViTModel.from_pretrained("vit")


def vit_labels():
    return ViTForImageClassification.from_pretrained("vit", num_labels=7, dtype=torch.bfloat16)


def mismatch_ignored():
    return BertModel.from_pretrained("bert", intermediate_size=64, ignore_mismatched_sizes=True)


ids = torch.zeros(2, 7, dtype=torch.long)


def sizes(m):
    out = {}
    for n, p in list(m.named_parameters()) + list(m.named_buffers()):
        out[n] = p
    return out


def forward(m):
    pixels = torch.zeros(2, 3, 32, 32, dtype=m.dtype)
    if m.config.model_type == 'vit':
        out = m(pixels)
    elif m.config.model_type == 't5':
        out = m(ids, decoder_input_ids=ids, use_cache=False)
    else:
        out = m(ids)
    return [m.training, m.dtype, dict(out), sizes(m)]
