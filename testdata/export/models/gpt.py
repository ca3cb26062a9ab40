# A decoder-only language model: causal attention with a registered mask, tied
# weights, and the loss when there are targets.
import math
from dataclasses import dataclass
from typing import NamedTuple, Optional

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class Config:
    vocab: int = 61
    context: int = 32
    layers: int = 3
    heads: int = 4
    width: int = 32
    dropout: float = 0.1
    bias: bool = True


class Norm(nn.Module):
    def __init__(self, width, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width)) if bias else None

    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, 1e-5)


class CausalAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        assert config.width % config.heads == 0
        self.heads = config.heads
        self.qkv = nn.Linear(config.width, 3 * config.width, bias=config.bias)
        self.out = nn.Linear(config.width, config.width, bias=config.bias)
        self.drop = nn.Dropout(config.dropout)
        mask = torch.tril(torch.ones(config.context, config.context))
        self.register_buffer("mask", mask.view(1, 1, config.context, config.context))

    def forward(self, x):
        b, t, c = x.size()
        q, k, v = self.qkv(x).split(c, dim=2)
        q, k, v = (y.view(b, t, self.heads, c // self.heads).transpose(1, 2) for y in (q, k, v))
        scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        scores = scores.masked_fill(self.mask[:, :, :t, :t] == 0, float("-inf"))
        y = self.drop(F.softmax(scores, dim=-1)) @ v
        return self.drop(self.out(y.transpose(1, 2).contiguous().view(b, t, c)))


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.before = Norm(config.width, config.bias)
        self.attention = CausalAttention(config)
        self.between = Norm(config.width, config.bias)
        self.mlp = nn.ModuleDict(dict(up=nn.Linear(config.width, 4 * config.width), act=nn.GELU(), down=nn.Linear(4 * config.width, config.width)))

    def forward(self, x):
        x = x + self.attention(self.before(x))
        m = self.mlp
        return x + m.down(m.act(m.up(self.between(x))))


class Output(NamedTuple):
    logits: Tensor
    loss: Optional[Tensor]


class GPT(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.config = config = Config(**options)
        self.transformer = nn.ModuleDict(dict(
            tokens=nn.Embedding(config.vocab, config.width),
            positions=nn.Embedding(config.context, config.width),
            drop=nn.Dropout(config.dropout),
            blocks=nn.ModuleList([Block(config) for _ in range(config.layers)]),
            norm=Norm(config.width, config.bias),
        ))
        self.head = nn.Linear(config.width, config.vocab, bias=False)
        self.head.weight = self.transformer.tokens.weight
        self.apply(self._init)
        for name, p in self.named_parameters():
            if name.endswith("out.weight"):
                nn.init.normal_(p, mean=0.0, std=0.2 / math.sqrt(2 * config.layers))

    def _init(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, mean=0.0, std=0.2)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, ids, targets=None):
        b, t = ids.size()
        assert t <= self.config.context, f"{t} tokens are more than {self.config.context}"
        at = torch.arange(0, t, dtype=torch.long, device=ids.device).unsqueeze(0)
        x = self.transformer.drop(self.transformer.tokens(ids) + self.transformer.positions(at))
        for block in self.transformer.blocks:
            x = block(x)
        x = self.transformer.norm(x)
        if targets is None:
            return Output(self.head(x[:, [-1], :]), None)
        logits = self.head(x)
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        return Output(logits, loss)


class Generator(nn.Module):
    """Greedy generation of a fixed number of tokens."""

    def __init__(self, steps=3):
        super().__init__()
        self.gpt = GPT(layers=1)
        self.steps = steps

    def forward(self, ids):
        for _ in range(self.steps):
            cropped = ids if ids.size(1) <= 32 else ids[:, -32:]
            logits = self.gpt(cropped).logits[:, -1, :] / 0.8
            ids = torch.cat((ids, logits.argmax(-1, keepdim=True)), dim=1)
        return ids
