import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

OBS, ACT, WIDTH = 11, 3, 64


def mlp(sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = mlp([OBS, WIDTH, WIDTH])
        self.mean = nn.Linear(WIDTH, ACT)
        self.log_std = nn.Linear(WIDTH, ACT)

    def forward(self, obs):
        h = F.relu(self.body(obs))
        mean, log_std = self.mean(h), self.log_std(h).clamp(-5, 2)
        dist = torch.distributions.Normal(mean, log_std.exp())
        u = dist.rsample()
        a = torch.tanh(u)
        logp = dist.log_prob(u).sum(dim=-1)
        logp = logp - torch.log(1 - a.pow(2) + 1e-6).sum(dim=-1)
        return a, logp


class Twin(nn.Module):
    def __init__(self):
        super().__init__()
        self.q1 = mlp([OBS + ACT, WIDTH, WIDTH, 1])
        self.q2 = mlp([OBS + ACT, WIDTH, WIDTH, 1])

    def forward(self, obs, act):
        x = torch.cat([obs, act], dim=-1)
        return self.q1(x).squeeze(-1), self.q2(x).squeeze(-1)


class Replay:
    def __init__(self, capacity):
        self.obs = torch.zeros(capacity, OBS)
        self.act = torch.zeros(capacity, ACT)
        self.rew = torch.zeros(capacity)
        self.done = torch.zeros(capacity)
        self.next = torch.zeros(capacity, OBS)
        self.n = 0

    def add(self, o, a, r, o2, d):
        i = self.n % len(self.rew)
        self.obs[i], self.act[i], self.rew[i], self.next[i], self.done[i] = o, a, r, o2, d
        self.n += 1

    def sample(self, batch):
        idx = torch.randint(0, min(self.n, len(self.rew)), (batch,))
        return self.obs[idx], self.act[idx], self.rew[idx], self.next[idx], self.done[idx]


actor, critic = Actor(), Twin()
target = copy.deepcopy(critic)
log_alpha = torch.zeros(1, requires_grad=True)
a_opt = torch.optim.Adam(actor.parameters(), 3e-4)
c_opt = torch.optim.Adam(critic.parameters(), 3e-4)
t_opt = torch.optim.Adam([log_alpha], 3e-4)
replay = Replay(500)
obs = torch.randn(OBS)
for step in range(120):
    with torch.no_grad():
        act, _ = actor(obs.unsqueeze(0))
    act = act.squeeze(0)
    nxt, reward, done = torch.randn(OBS), float(torch.rand(())), float(step % 50 == 49)
    replay.add(obs, act, reward, nxt, done)
    obs = nxt
    if step < 64:
        continue
    o, a, r, o2, d = replay.sample(32)
    alpha = log_alpha.exp().detach()
    with torch.no_grad():
        a2, logp2 = actor(o2)
        q1t, q2t = target(o2, a2)
        y = r + 0.99 * (1 - d) * (torch.min(q1t, q2t) - alpha * logp2)
    q1, q2 = critic(o, a)
    c_loss = F.mse_loss(q1, y) + F.mse_loss(q2, y)
    c_opt.zero_grad()
    c_loss.backward()
    c_opt.step()
    pi, logp = actor(o)
    q1pi, q2pi = critic(o, pi)
    a_loss = (alpha * logp - torch.min(q1pi, q2pi)).mean()
    a_opt.zero_grad()
    a_loss.backward()
    a_opt.step()
    t_loss = -(log_alpha * (logp.detach() - ACT)).mean()
    t_opt.zero_grad()
    t_loss.backward()
    t_opt.step()
    with torch.no_grad():
        for p, pt in zip(critic.parameters(), target.parameters()):
            pt.mul_(0.995).add_(0.005 * p)
