# Sequences: attention over a GRU's states, nn.Transformer's layers, rotary positions.
from typing import Dict, List, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Bahdanau(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.query, self.keys, self.energy = nn.Linear(hidden, hidden), nn.Linear(2 * hidden, hidden), nn.Linear(hidden, 1)

    def forward(self, state, memory, mask):
        e = self.energy(torch.tanh(self.query(state).unsqueeze(1) + self.keys(memory))).squeeze(2)
        a = F.softmax(e.masked_fill(~mask, -1e4), dim=1)
        return torch.bmm(a.unsqueeze(1), memory).squeeze(1), a


class Seq2Seq(nn.Module):
    """Teacher forcing: a Python loop over the tokens of the target."""

    def __init__(self, vocab=30, hidden=8):
        super().__init__()
        self.embed = nn.Embedding(vocab, hidden)
        self.encoder = nn.GRU(hidden, hidden, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * hidden, hidden)
        self.attention = Bahdanau(hidden)
        self.cell = nn.GRUCell(3 * hidden, hidden)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, source, target) -> Tuple[Tensor, Tensor]:
        mask = source != 0
        memory, last = self.encoder(self.embed(source))
        state = torch.tanh(self.bridge(torch.cat((last[0], last[1]), dim=-1)))
        logits: List[Tensor] = []
        weights: List[Tensor] = []
        for token in self.embed(target).unbind(1):
            context, a = self.attention(state, memory, mask)
            state = self.cell(torch.cat([token, context], dim=1), state)
            logits.append(self.out(state))
            weights.append(a)
        return torch.stack(logits, 1), torch.stack(weights, 1)


class Classifier(nn.Module):
    """nn.TransformerEncoder with learned positions and a padding mask."""

    def __init__(self, vocab=40, width=16, classes=3, first=False):
        super().__init__()
        self.embed, self.position = nn.Embedding(vocab, width, padding_idx=0), nn.Embedding(64, width)
        layer = nn.TransformerEncoderLayer(width, 4, 32, dropout=0.1, activation="gelu", batch_first=True, norm_first=first)
        self.encoder = nn.TransformerEncoder(layer, 2, norm=nn.LayerNorm(width), enable_nested_tensor=False)
        self.head = nn.Linear(width, classes)

    def forward(self, tokens):
        pad = tokens.eq(0)
        pad[:, 0] = False
        at = torch.arange(tokens.size(1)).expand(tokens.size(0), -1)
        x = self.encoder(self.embed(tokens) + self.position(at), src_key_padding_mask=pad)
        keep = (~pad).unsqueeze(-1).type_as(x)
        pooled = (x * keep).sum(1) / keep.sum(1).clamp(min=1e-9)
        return self.head(pooled)


class Translator(nn.Module):
    """nn.TransformerDecoder with a causal mask over an encoder's memory."""

    def __init__(self, vocab=40, width=16):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(width, 2, 24), 1)
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(width, 2, 24), 2)
        self.out = nn.Linear(width, vocab)

    def forward(self, src, tgt):
        n = tgt.size(0)
        mask = nn.Transformer.generate_square_subsequent_mask(n)
        memory = self.encoder(self.embed(src))
        return self.out(self.decoder(self.embed(tgt), memory, tgt_mask=mask))


class Whole(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.transformer = nn.Transformer(width, 4, 1, 1, 24, batch_first=True)

    def forward(self, src, tgt):
        mask = torch.full((tgt.size(1), tgt.size(1)), float("-inf")).triu(1)
        return self.transformer(src, tgt, tgt_mask=mask)


def rotate_half(x):
    x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2:]
    return torch.cat((-x2, x1), dim=-1)


class Rotary(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        self.register_buffer("inv_freq", 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim)), persistent=False)

    def forward(self, n):
        t = torch.arange(n, dtype=self.inv_freq.dtype)
        emb = torch.cat((torch.outer(t, self.inv_freq),) * 2, dim=-1)
        return emb.cos(), emb.sin()


class GroupedAttention(nn.Module):
    def __init__(self, width=24, heads=6, shared=2):
        super().__init__()
        self.heads, self.shared, self.size = heads, shared, width // heads
        self.wq = nn.Linear(width, width, bias=False)
        self.wk, self.wv = (nn.Linear(width, shared * self.size, bias=False) for _ in range(2))
        self.wo = nn.Linear(width, width, bias=False)
        self.rotary = Rotary(self.size)

    def repeat(self, x):
        b, h, t, d = x.shape
        return x[:, :, None].expand(b, h, self.heads // h, t, d).reshape(b, self.heads, t, d)

    def forward(self, x, past: Tuple[Tensor, Tensor]):
        b, t, _ = x.shape
        q = self.wq(x).view(b, t, self.heads, self.size).transpose(1, 2)
        k = self.wk(x).view(b, t, self.shared, self.size).transpose(1, 2)
        v = self.wv(x).view(b, t, self.shared, self.size).transpose(1, 2)
        k, v = torch.cat((past[0], k), dim=2), torch.cat((past[1], v), dim=2)
        total = k.size(2)
        cos, sin = self.rotary(total)
        q = q * cos[total - t:] + rotate_half(q) * sin[total - t:]
        turned = k * cos + rotate_half(k) * sin
        scores = q @ self.repeat(turned).transpose(2, 3) / self.size ** 0.5
        allowed = torch.ones(t, total, dtype=torch.bool).tril(diagonal=total - t)
        scores = torch.where(allowed, scores, torch.tensor(float("-inf")))
        y = scores.softmax(-1) @ self.repeat(v)
        return self.wo(y.transpose(1, 2).reshape(b, t, -1)), (k, v)


class Llama(nn.Module):
    """Key and value caches as nested inputs and results."""

    def __init__(self, vocab=40, width=24, layers=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.layers = nn.ModuleList([nn.ModuleDict({"attn": GroupedAttention(width), "gate": nn.Linear(width, 32), "up": nn.Linear(width, 32), "down": nn.Linear(32, width), "norm": nn.LayerNorm(width, elementwise_affine=False)}) for _ in range(layers)])
        self.head = nn.Linear(width, vocab)

    def forward(self, ids, cache: List[Tuple[Tensor, Tensor]]) -> Dict[str, object]:
        x, new = self.embed(ids), []
        for layer, past in zip(self.layers, cache):
            y, kv = layer["attn"](layer["norm"](x), past)
            x = x + y
            new.append(kv)
            x = x + layer["down"](F.silu(layer["gate"](x)) * layer["up"](x))
        return {"logits": self.head(x), "cache": new}
