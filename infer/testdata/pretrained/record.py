"""Records truth.json: what the functions of load.py give with PyTorch 2.15.0 and transformers 5.23.0.

  python record.py        in this folder, with HF_HUB_OFFLINE=1; it writes the folders' weights, which need not be kept
"""
import json
import re
import torch
import transformers as t

NAMES = {torch.float32: 'f32', torch.bfloat16: 'bf16', torch.float16: 'f16', torch.int64: 'i64', torch.bool: 'bool'}


def make():
    kw = dict(vocab_size=99, hidden_size=32, intermediate_size=48, num_hidden_layers=1, num_attention_heads=4, max_position_embeddings=64)
    t.BertModel(t.BertConfig(**kw)).save_pretrained('bert')
    t.BertForMaskedLM(t.BertConfig(**kw)).to(torch.bfloat16).save_pretrained('bertlm')
    t.T5ForConditionalGeneration(t.T5Config(vocab_size=99, d_model=32, d_kv=8, d_ff=48, num_layers=1, num_heads=4)).save_pretrained('t5')
    t.ViTModel(t.ViTConfig(hidden_size=32, intermediate_size=48, num_hidden_layers=1, num_attention_heads=4, image_size=32, patch_size=8)).save_pretrained('vit')


def show(v):
    if isinstance(v, torch.Tensor):
        return NAMES[v.dtype] + '[' + ','.join(map(str, v.shape)) + ']'
    if isinstance(v, dict):
        return '{' + ', '.join(f'"{k}": {show(x)}' for k, x in v.items()) + '}'
    if isinstance(v, list):
        return '[' + ', '.join(map(show, v)) + ']'
    return str(v)


make()
import load
out = {n: show(load.forward(getattr(load, n)())) for n in re.findall(r'^def (\w+)\(\):', open('load.py').read(), re.M)}
with open('truth.json', 'w') as f:
    json.dump(out, f, indent=1)
    f.write('\n')
