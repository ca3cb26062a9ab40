import numpy as np
import torch
from einops import rearrange, repeat
from einops.layers.torch import Rearrange
from sklearn.metrics import f1_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm.auto import tqdm


class CFG:
    seed = 42
    size, patch, dim, heads, depth, classes = 32, 8, 96, 4, 2, 5
    bs = 16
    epochs = 2


def attend(q, k, v):
    w = torch.einsum("bhid,bhjd->bhij", q, k) * q.shape[-1] ** -0.5
    return torch.einsum("bhij,bhjd->bhid", w.softmax(dim=-1), v)


class Layer(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, dim * 3, bias=False)
        self.out = nn.Linear(dim, dim)
        self.ff = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim * 2), nn.GELU(), nn.Linear(dim * 2, dim))

    def forward(self, x):
        qkv = self.qkv(self.norm(x)).chunk(3, dim=-1)
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=self.heads), qkv)
        x = self.out(rearrange(attend(q, k, v), "b h n d -> b n (h d)")) + x
        return self.ff(x) + x


class ViT(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        n = (cfg.size // cfg.patch) ** 2
        self.embed = nn.Sequential(Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=cfg.patch, p2=cfg.patch), nn.Linear(3 * cfg.patch ** 2, cfg.dim))
        self.cls = nn.Parameter(torch.zeros(1, 1, cfg.dim))
        self.pos = nn.Parameter(torch.randn(1, n + 1, cfg.dim) * 0.02)
        self.blocks = nn.Sequential(*[Layer(cfg.dim, cfg.heads) for _ in range(cfg.depth)])
        self.head = nn.Sequential(nn.LayerNorm(cfg.dim), nn.Linear(cfg.dim, cfg.classes))

    def forward(self, img):
        x = self.embed(img)
        x = torch.cat([repeat(self.cls, "1 1 d -> b 1 d", b=x.shape[0]), x], dim=1) + self.pos
        return self.head(self.blocks(x)[:, 0])


np.random.seed(CFG.seed)
torch.manual_seed(CFG.seed)
images = np.random.randint(0, 255, (96, CFG.size, CFG.size, 3), dtype=np.uint8)
labels = np.random.randint(0, CFG.classes, 96)
x = torch.from_numpy(images).permute(0, 3, 1, 2).float().div(255)
train = TensorDataset(x[:80], torch.as_tensor(labels[:80]))
valid = TensorDataset(x[80:], torch.as_tensor(labels[80:]))
model, crit = ViT(CFG), nn.CrossEntropyLoss(label_smoothing=0.1)
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(CFG.epochs):
    model.train()
    for xb, yb in tqdm(DataLoader(train, CFG.bs, shuffle=True)):
        loss = crit(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    model.eval()
    preds, trues = [], []
    with torch.inference_mode():
        for xb, yb in DataLoader(valid, CFG.bs):
            preds.append(model(xb).argmax(-1).cpu().numpy())
            trues.append(yb.numpy())
    preds, trues = np.concatenate(preds), np.concatenate(trues)
    print(f"epoch {epoch}: acc {(preds == trues).mean():.3f} f1 {f1_score(trues, preds, average='macro'):.3f}")
