from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical
from torch.utils.data import BatchSampler, SubsetRandomSampler
import wandb

SIZE, ENVS, STEPS, CLIP = 5, 8, 16, 0.2
MOVES = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])


class Rollout(NamedTuple):
    obs: torch.Tensor
    act: torch.Tensor
    logp: torch.Tensor
    ret: torch.Tensor
    adv: torch.Tensor


class Grid:
    """All environments in one tensor: position (ENVS, 2), the goal is a corner."""

    def reset(self):
        self.pos = torch.randint(0, SIZE, (ENVS, 2))
        return self.obs()

    def obs(self):
        flat = self.pos[:, 0] * SIZE + self.pos[:, 1]
        return F.one_hot(flat, SIZE * SIZE).float()

    def step(self, a):
        self.pos = (self.pos + MOVES[a]).clamp(0, SIZE - 1)
        done = (self.pos == SIZE - 1).all(dim=1)
        self.pos = torch.where(done[:, None], torch.zeros_like(self.pos), self.pos)
        return self.obs(), done.float() - 0.01, done


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(SIZE ** 2, 64), nn.ReLU())
        self.actor, self.critic = nn.Linear(64, 4), nn.Linear(64, 1)

    def forward(self, x):
        h = self.body(x)
        return Categorical(logits=self.actor(h)), self.critic(h)[..., 0]


def collect(env, net, obs):
    O, A, L, R, D, V = [], [], [], [], [], []
    with torch.no_grad():
        for _ in range(STEPS):
            pi, v = net(obs)
            a = pi.sample()
            nobs, r, d = env.step(a)
            for buf, x in zip((O, A, L, R, D, V), (obs, a, pi.log_prob(a), r, d, v)):
                buf.append(x)
            obs = nobs
        ret, rets = net(obs)[1], []
        for r, d in zip(reversed(R), reversed(D)):
            ret = r + 0.95 * ret * (~d)
            rets.insert(0, ret)
    cat = lambda xs: torch.cat(xs, dim=0)
    rets, vals = cat(rets), cat(V)
    return Rollout(cat(O), cat(A), cat(L), rets, rets - vals), obs


wandb.init(project="grid", mode="disabled")
env, net = Grid(), Policy()
opt = torch.optim.Adam(net.parameters(), lr=3e-3, eps=1e-5)
obs = env.reset()
for it in range(2):
    roll, obs = collect(env, net, obs)
    adv = (roll.adv - roll.adv.mean()) / (roll.adv.std() + 1e-8)
    for idx in BatchSampler(SubsetRandomSampler(range(ENVS * STEPS)), 32, drop_last=True):
        pi, v = net(roll.obs[idx])
        ratio = (pi.log_prob(roll.act[idx]) - roll.logp[idx]).exp()
        surr = torch.min(ratio * adv[idx], ratio.clamp(1 - CLIP, 1 + CLIP) * adv[idx])
        loss = -surr.mean() + 0.5 * F.smooth_l1_loss(v, roll.ret[idx]) - 0.01 * pi.entropy().mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()
    wandb.log({"loss": loss.item(), "return": roll.ret.mean().item()})
print(loss.item(), net(torch.eye(SIZE ** 2))[0].probs.argmax(-1).view(SIZE, SIZE))
