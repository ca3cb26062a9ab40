"""Soft actor-critic, one file."""
import copy
import gymnasium as gym
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal
from torch.utils.tensorboard import SummaryWriter

LOG_STD_MIN, LOG_STD_MAX = -5, 2


class Buffer:
    def __init__(self, obs, act, size=1000):
        self.s = np.zeros((size, obs), np.float32); self.s2 = np.zeros_like(self.s)
        self.a = np.zeros((size, act), dtype=np.float32)
        self.r, self.d = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self.n, self.i, self.cap = 0, 0, size

    def add(self, s, a, r, s2, d):
        self.s[self.i], self.a[self.i], self.r[self.i], self.s2[self.i], self.d[self.i] = s, a, r, s2, d
        self.i = (self.i + 1) % self.cap
        self.n = min(self.n + 1, self.cap)

    def batch(self, k):
        j = np.random.randint(0, self.n, size=k)
        return [torch.as_tensor(x[j]) for x in (self.s, self.a, self.r, self.s2, self.d)]


class Actor(nn.Module):
    def __init__(self, obs, act, scale):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
        self.mu, self.ls = nn.Linear(64, act), nn.Linear(64, act)
        self.register_buffer("scale", torch.as_tensor(scale, dtype=torch.float32))

    def forward(self, s):
        h = self.net(s)
        ls = torch.tanh(self.ls(h))
        ls = LOG_STD_MIN + 0.5 * (LOG_STD_MAX - LOG_STD_MIN) * (ls + 1)
        return self.mu(h), ls

    def sample(self, s):
        mu, ls = self(s)
        dist = Normal(mu, ls.exp())
        u = dist.rsample()
        a = torch.tanh(u)
        logp = dist.log_prob(u) - torch.log(self.scale * (1 - a.pow(2)) + 1e-6)
        return a * self.scale, logp.sum(-1, keepdim=True)


class Critic(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.q = nn.ModuleList(nn.Sequential(nn.Linear(obs + act, 64), nn.ReLU(), nn.Linear(64, 1)) for _ in range(2))

    def forward(self, s, a):
        x = torch.cat([s, a], -1)
        return tuple(q(x).squeeze(-1) for q in self.q)


env = gym.make("Pendulum-v1")
O, A = int(np.prod(env.observation_space.shape)), int(np.prod(env.action_space.shape))
actor, critic = Actor(O, A, env.action_space.high), Critic(O, A)
target = copy.deepcopy(critic).requires_grad_(False)
log_alpha = torch.zeros(1, requires_grad=True)
oa, oc, ol = (torch.optim.Adam(p, lr=3e-4) for p in (actor.parameters(), critic.parameters(), [log_alpha]))
buf, writer = Buffer(O, A), SummaryWriter("runs/sac")
s, _ = env.reset(seed=0)
for t in range(80):
    with torch.no_grad():
        a = actor.sample(torch.as_tensor(s)[None])[0][0].numpy() if t > 20 else env.action_space.sample()
    s2, r, term, trunc, _ = env.step(a)
    buf.add(s, a, r, s2, float(term))
    s = env.reset()[0] if term or trunc else s2
    if t < 40:
        continue
    bs, ba, br, bs2, bd = buf.batch(32)
    alpha = log_alpha.exp().detach()
    with torch.no_grad():
        a2, lp2 = actor.sample(bs2)
        y = br + 0.99 * (1 - bd) * (torch.min(*target(bs2, a2)) - alpha * lp2.squeeze(-1))
    lc = sum(F.mse_loss(q, y) for q in critic(bs, ba))
    oc.zero_grad(); lc.backward(); oc.step()
    na, lp = actor.sample(bs)
    la = (alpha * lp.squeeze(-1) - torch.min(*critic(bs, na))).mean()
    oa.zero_grad(); la.backward(); oa.step()
    ll = -(log_alpha * (lp.detach() - A)).mean()
    ol.zero_grad(); ll.backward(); ol.step()
    with torch.no_grad():
        for p, tp in zip(critic.parameters(), target.parameters()):
            tp.copy_(0.995 * tp + 0.005 * p)
    writer.add_scalar("loss/critic", lc.item(), t)
print(lc.item(), la.item(), log_alpha.item())
