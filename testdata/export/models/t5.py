# An encoder-decoder with relative positions in buckets, root-mean-square norms,
# cross attention and padding masks.
import math
from dataclasses import dataclass
from typing import Optional

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class RMSNorm(nn.Module):
    def __init__(self, width, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x):
        scale = x.to(torch.float32).pow(2).mean(-1, keepdim=True)
        return self.weight * (x * torch.rsqrt(scale + self.eps)).type_as(x)


class RelativeBias(nn.Module):
    def __init__(self, heads, buckets=8, far=16, both=True):
        super().__init__()
        self.table = nn.Embedding(buckets, heads)
        self.buckets, self.far, self.both = buckets, far, both

    def bucket(self, distance):
        buckets, found = self.buckets, torch.zeros_like(distance)
        if self.both:
            buckets //= 2
            found = found + (distance > 0).long() * buckets
            distance = distance.abs()
        else:
            distance = -torch.min(distance, torch.zeros_like(distance))
        exact = buckets // 2
        small = distance < exact
        log = torch.log(distance.float() / exact) / math.log(self.far / exact)
        large = exact + (log * (buckets - exact)).to(torch.long)
        large = torch.min(large, torch.full_like(large, buckets - 1))
        return found + torch.where(small, distance, large)

    def forward(self, queries: int, keys: int):
        context = torch.arange(queries, dtype=torch.long)[:, None]
        memory = torch.arange(keys, dtype=torch.long)[None, :]
        return self.table(self.bucket(memory - context)).permute(2, 0, 1).unsqueeze(0)


class Attention(nn.Module):
    def __init__(self, width, heads, size):
        super().__init__()
        self.heads, self.size = heads, size
        inner = heads * size
        self.q, self.k, self.v = (nn.Linear(width, inner, bias=False) for _ in range(3))
        self.o = nn.Linear(inner, width, bias=False)

    def split(self, x):
        return x.view(x.shape[0], -1, self.heads, self.size).transpose(1, 2)

    def forward(self, x, memory=None, bias=None):
        memory = x if memory is None else memory
        scores = torch.matmul(self.split(self.q(x)), self.split(self.k(memory)).transpose(3, 2))
        if bias is not None:
            scores += bias
        weights = F.softmax(scores.float(), dim=-1).type_as(scores)
        out = torch.matmul(weights, self.split(self.v(memory)))
        return self.o(out.transpose(1, 2).contiguous().view(x.shape[0], -1, self.heads * self.size))


class Gated(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.wi_0 = nn.Linear(width, hidden, bias=False)
        self.wi_1 = nn.Linear(width, hidden, bias=False)
        self.wo = nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        return self.wo(F.gelu(self.wi_0(x), approximate="tanh") * self.wi_1(x))


class Layer(nn.Module):
    def __init__(self, width, heads, size, hidden, cross):
        super().__init__()
        self.norms = nn.ModuleList(RMSNorm(width) for _ in range(3 if cross else 2))
        self.attention = Attention(width, heads, size)
        self.cross = Attention(width, heads, size) if cross else None
        self.feed = Gated(width, hidden)

    def forward(self, x, bias, memory=None, memory_bias=None):
        x = x + self.attention(self.norms[0](x), bias=bias)
        if self.cross is not None:
            x = x + self.cross(self.norms[1](x), memory=memory, bias=memory_bias)
        return x + self.feed(self.norms[-1](x))


class Stack(nn.Module):
    def __init__(self, embed, layers, width, heads, size, hidden, decoder):
        super().__init__()
        self.embed = embed
        self.decoder = decoder
        self.relative = RelativeBias(heads, both=not decoder)
        self.block = nn.ModuleList([Layer(width, heads, size, hidden, decoder) for _ in range(layers)])
        self.final = RMSNorm(width)

    def forward(self, ids, mask, memory=None, memory_mask=None):
        b, t = ids.shape
        bias = self.relative(t, t)
        allowed = mask[:, None, None, :]
        if self.decoder:
            at = torch.arange(t)
            causal = at[None, None, :].repeat(b, t, 1) <= at[None, :, None]
            allowed = causal[:, None, :, :].to(mask.dtype) * allowed
        bias = bias + (1.0 - allowed.float()) * torch.finfo(torch.float32).min
        memory_bias = None
        if memory_mask is not None:
            memory_bias = (1.0 - memory_mask[:, None, None, :].float()) * -1e9
        x = self.embed(ids)
        for layer in self.block:
            x = layer(x, bias, memory, memory_bias)
        return self.final(x)


@dataclass
class Seq2SeqOutput:
    logits: Tensor
    encoder_last_hidden_state: Tensor
    loss: Optional[Tensor] = None


class T5(nn.Module):
    def __init__(self, vocab=40, width=24, heads=3, size=8, hidden=32, layers=2):
        super().__init__()
        self.width = width
        self.shared = nn.Embedding(vocab, width)
        self.encoder = Stack(self.shared, layers, width, heads, size, hidden, False)
        self.decoder = Stack(self.shared, layers, width, heads, size, hidden, True)
        self.lm_head = nn.Linear(width, vocab, bias=False)

    def shift(self, labels):
        shifted = labels.new_zeros(labels.shape)
        shifted[..., 1:] = labels[..., :-1].clone()
        shifted.masked_fill_(shifted == -100, 0)
        return shifted

    def forward(self, input_ids, attention_mask, labels):
        memory = self.encoder(input_ids, attention_mask)
        ids = self.shift(labels)
        x = self.decoder(ids, torch.ones_like(ids), memory, attention_mask)
        logits = self.lm_head(x * (self.width ** -0.5))
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), labels.view(-1), ignore_index=-100)
        return Seq2SeqOutput(logits, memory, loss=loss)
