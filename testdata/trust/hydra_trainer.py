import logging
from dataclasses import asdict, dataclass

import hydra
import torch
from einops import rearrange
from hydra.core.config_store import ConfigStore
from omegaconf import DictConfig, OmegaConf
from torch import Tensor, nn
from torch.optim.lr_scheduler import LambdaLR

log = logging.getLogger(__name__)


@dataclass
class ModelConfig:
    dim: int = 32
    depth: int = 2
    heads: int = 4
    patch: int = 8
    classes: int = 10


class Block(nn.Module):
    def __init__(self, dim: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, dim * 3, bias=False)
        self.proj = nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim * 4), nn.GELU(), nn.Linear(dim * 4, dim))

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (rearrange(t, "b n (h d) -> b h n d", h=self.heads) for t in self.qkv(self.norm1(x)).chunk(3, dim=-1))
        att = (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1)
        x = x + self.proj(rearrange(att @ v, "b h n d -> b n (h d)"))
        return x + self.mlp(self.norm2(x))


class ViT(nn.Module):
    def __init__(self, cfg, image: int = 32) -> None:
        super().__init__()
        n = (image // cfg.patch) ** 2
        self.patch = nn.Conv2d(3, cfg.dim, cfg.patch, cfg.patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, cfg.dim))
        self.pos = nn.Parameter(torch.randn(1, n + 1, cfg.dim) * 0.02)
        self.blocks = nn.Sequential(*[Block(cfg.dim, cfg.heads) for _ in range(cfg.depth)])
        self.head = nn.Linear(cfg.dim, cfg.classes)

    def forward(self, x: Tensor) -> Tensor:
        x = rearrange(self.patch(x), "b c h w -> b (h w) c")
        x = torch.cat([self.cls.expand(x.size(0), -1, -1), x], dim=1) + self.pos
        return self.head(self.blocks(x)[:, 0])


def run(cfg) -> float:
    model = ViT(cfg.model)
    decay = [p for p in model.parameters() if p.ndim >= 2]
    rest = [p for p in model.parameters() if p.ndim < 2]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=cfg.lr)
    sched = LambdaLR(opt, lambda s: min(1.0, (s + 1) / cfg.warmup))
    ema = {k: v.detach().clone() for k, v in model.state_dict().items()}
    last = float("nan")
    for step in range(cfg.steps):
        x, y = torch.randn(8, 3, 32, 32), torch.randint(cfg.model.classes, (8,))
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=False):
            loss = nn.functional.cross_entropy(model(x), y, label_smoothing=0.1)
        opt.zero_grad()
        loss.backward()
        gn = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        with torch.no_grad():
            for k, v in model.state_dict().items():
                ema[k].lerp_(v, 0.1)
        last = loss.item()
        log.info("step %d loss %.3f gn %.2f lr %.2e", step, last, gn, sched.get_last_lr()[0])
    return last


ConfigStore.instance().store(name="config", node=OmegaConf.create({"model": asdict(ModelConfig()), "steps": 4, "warmup": 2, "lr": 3e-4}))


@hydra.main(version_base=None, config_name="config")
def main(cfg: DictConfig) -> None:
    log.info(OmegaConf.to_yaml(cfg))
    print(run(cfg))


if __name__ == "__main__":
    main()
