# Sound: an encoder over spectrograms, causal dilated convolutions.
import math

import torch
import torch.nn.functional as F
from torch import nn


def sinusoids(length, channels, longest=10000):
    step = math.log(longest) / (channels // 2 - 1)
    inv = torch.exp(-step * torch.arange(channels // 2))
    scaled = torch.arange(length)[:, None] * inv[None, :]
    return torch.cat([torch.sin(scaled), torch.cos(scaled)], dim=1)


class Heads(nn.Module):
    def __init__(self, state, heads):
        super().__init__()
        self.heads = heads
        self.query, self.value, self.out = nn.Linear(state, state), nn.Linear(state, state), nn.Linear(state, state)
        self.key = nn.Linear(state, state, bias=False)

    def forward(self, x, xa=None, mask=None):
        q, k, v = self.query(x), self.key(x if xa is None else xa), self.value(x if xa is None else xa)
        n, ctx, state = q.shape
        scale = (state // self.heads) ** -0.25
        q = q.view(*q.shape[:2], self.heads, -1).permute(0, 2, 1, 3) * scale
        k = k.view(*k.shape[:2], self.heads, -1).permute(0, 2, 3, 1) * scale
        v = v.view(*v.shape[:2], self.heads, -1).permute(0, 2, 1, 3)
        qk = q @ k
        if mask is not None:
            qk = qk + mask[:ctx, :ctx]
        w = F.softmax(qk.float(), dim=-1).to(q.dtype)
        return self.out((w @ v).permute(0, 2, 1, 3).flatten(start_dim=2)), qk.detach()


class Block(nn.Module):
    def __init__(self, state, heads, cross=False):
        super().__init__()
        self.attn, self.attn_ln = Heads(state, heads), nn.LayerNorm(state)
        self.cross_attn = Heads(state, heads) if cross else None
        self.cross_ln = nn.LayerNorm(state) if cross else None
        self.mlp = nn.Sequential(nn.Linear(state, 4 * state), nn.GELU(), nn.Linear(4 * state, state))
        self.mlp_ln = nn.LayerNorm(state)

    def forward(self, x, xa=None, mask=None):
        x = x + self.attn(self.attn_ln(x), mask=mask)[0]
        if self.cross_attn:
            x = x + self.cross_attn(self.cross_ln(x), xa)[0]
        return x + self.mlp(self.mlp_ln(x))


class Whisper(nn.Module):
    def __init__(self, mels=16, state=24, heads=3, layers=2, vocab=30, context=40):
        super().__init__()
        self.conv1 = nn.Conv1d(mels, state, 3, padding=1)
        self.conv2 = nn.Conv1d(state, state, 3, stride=2, padding=1)
        self.register_buffer("positions", sinusoids(context, state))
        self.encoder = nn.ModuleList([Block(state, heads) for _ in range(layers)])
        self.ln_post = nn.LayerNorm(state)
        self.token_embedding = nn.Embedding(vocab, state)
        self.positional_embedding = nn.Parameter(torch.randn(context, state) * 0.1)
        self.decoder = nn.ModuleList([Block(state, heads, cross=True) for _ in range(layers)])
        self.ln = nn.LayerNorm(state)
        self.register_buffer("mask", torch.empty(context, context).fill_(-float("inf")).triu_(1), persistent=False)

    def embed_audio(self, mel):
        x = F.gelu(self.conv2(F.gelu(self.conv1(mel)))).permute(0, 2, 1)
        x = (x + self.positions[:x.shape[1]]).to(x.dtype)
        for block in self.encoder:
            x = block(x)
        return self.ln_post(x)

    def forward(self, mel, tokens):
        xa = self.embed_audio(mel)
        x = self.token_embedding(tokens) + self.positional_embedding[: tokens.shape[-1]]
        for block in self.decoder:
            x = block(x, xa, mask=self.mask)
        return (self.ln(x) @ torch.transpose(self.token_embedding.weight, 0, 1)).float()


class Causal(nn.Conv1d):
    def __init__(self, cin, cout, kernel, dilation=1):
        super().__init__(cin, cout, kernel, dilation=dilation)
        self.left = (kernel - 1) * dilation

    def forward(self, x):
        return super().forward(F.pad(x, (self.left, 0)))


class WaveNet(nn.Module):
    def __init__(self, levels=16, width=8, skip=12, blocks=2, layers=4):
        super().__init__()
        self.levels = levels
        self.first = Causal(levels, width, 2)
        self.dilated, self.residual, self.skips = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        for _ in range(blocks):
            for i in range(layers):
                self.dilated.append(Causal(width, 2 * width, 2, 2 ** i))
                self.residual.append(nn.Conv1d(width, width, 1))
                self.skips.append(nn.Conv1d(width, skip, 1))
        self.post = nn.Sequential(nn.ReLU(), nn.Conv1d(skip, skip, 1), nn.ReLU(), nn.Conv1d(skip, levels, 1))

    def quantize(self, x):
        mu = torch.tensor(self.levels - 1, dtype=x.dtype)
        y = torch.sign(x) * torch.log1p(mu * torch.abs(x.clamp(-1, 1))) / torch.log1p(mu)
        return ((y + 1) / 2 * mu + 0.5).long()

    def forward(self, wave):
        q = self.quantize(wave)
        x = self.first(F.one_hot(q, self.levels).transpose(1, 2).float())
        total = 0
        for dilated, residual, skip in zip(self.dilated, self.residual, self.skips):
            value, gate = dilated(x).chunk(2, 1)
            y = torch.tanh(value) * torch.sigmoid(gate)
            total = total + skip(y)
            x = x + residual(y)
        return self.post(total), q


class Separator(nn.Module):
    """Frames by unfold, a mask for each source, overlap-add by fold."""

    def __init__(self, frame=16, width=12, sources=2):
        super().__init__()
        self.frame, self.sources = frame, sources
        self.encoder = nn.Conv1d(1, width, frame, stride=frame // 2, bias=False)
        self.norm = nn.GroupNorm(1, width)
        self.rnn = nn.GRU(width, width, batch_first=True, bidirectional=True)
        self.mask = nn.Linear(2 * width, width * sources)
        self.decoder = nn.ConvTranspose1d(width, 1, frame, stride=frame // 2, bias=False)

    def forward(self, wave):
        x = F.relu(self.encoder(wave.unsqueeze(1)))
        h, _ = self.rnn(self.norm(x).transpose(1, 2))
        m = self.mask(h).transpose(1, 2).reshape(x.size(0), self.sources, x.size(1), -1).sigmoid()
        y = self.decoder((m * x.unsqueeze(1)).flatten(0, 1))
        return y.view(wave.size(0), self.sources, -1)
