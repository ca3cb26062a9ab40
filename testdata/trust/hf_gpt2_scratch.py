import math
import torch
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, Dataset
from transformers import GPT2Config, GPT2LMHeadModel, set_seed

set_seed(3)


class Packed(Dataset):
    def __init__(self, tokens, block):
        n = len(tokens) // block
        self.blocks = tokens[:n * block].view(n, block)

    def __len__(self):
        return len(self.blocks)

    def __getitem__(self, i):
        return {"input_ids": self.blocks[i], "labels": self.blocks[i].clone()}


config = GPT2Config(vocab_size=128, n_positions=64, n_embd=64, n_layer=2, n_head=4)
model = GPT2LMHeadModel(config)
print(sum(p.numel() for p in model.parameters()) / 1e6, "M")
tokens = torch.tensor(list(("To be, or not to be, that is the question. " * 40).encode("ascii")))
split = int(0.9 * len(tokens))
train, valid = Packed(tokens[:split], 32), Packed(tokens[split:], 32)
loader = DataLoader(train, batch_size=8, shuffle=True, drop_last=True)
optim = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
total = 2 * len(loader)
sched = LambdaLR(optim, lambda s: 0.5 * (1 + math.cos(math.pi * s / total)))
for epoch in range(2):
    model.train()
    for batch in loader:
        out = model(**batch)
        out.loss.backward()
        norm = clip_grad_norm_(model.parameters(), 1.0)
        optim.step(); sched.step(); optim.zero_grad(set_to_none=True)
    model.eval()
    nll, count = torch.zeros(()), 0
    with torch.no_grad():
        for batch in DataLoader(valid, batch_size=4):
            logits = model(batch["input_ids"]).logits[:, :-1]
            gold = batch["input_ids"][:, 1:]
            nll += F.cross_entropy(logits.flatten(0, 1), gold.flatten(), reduction="sum")
            count += gold.numel()
    print(epoch, out.loss.item(), "ppl", torch.exp(nll / count).item())
ids = tokens[None, :8]
with torch.no_grad():
    for _ in range(8):
        nxt = model(ids).logits[:, -1].argmax(-1, keepdim=True)
        ids = torch.cat([ids, nxt], dim=-1)
print(bytes(ids[0].tolist()).decode("ascii", "replace"))
