import random
from collections import deque

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.tensorboard import SummaryWriter


class Pendulum:
    """The environment by hand: angle and speed, one torque."""
    max_speed, max_torque, dt = 8.0, 2.0, 0.05

    def reset(self):
        self.th, self.thdot = np.random.uniform(-np.pi, np.pi), np.random.uniform(-1, 1)
        return self._obs()

    def _obs(self):
        return np.array([np.cos(self.th), np.sin(self.th), self.thdot], dtype=np.float32)

    def step(self, u):
        u = np.clip(u, -self.max_torque, self.max_torque)[0]
        cost = ((self.th + np.pi) % (2 * np.pi) - np.pi) ** 2 + 0.1 * self.thdot ** 2 + 0.001 * u ** 2
        self.thdot = np.clip(self.thdot + (15 * np.sin(self.th) + 3 * u) * self.dt, -self.max_speed, self.max_speed)
        self.th = self.th + self.thdot * self.dt
        return self._obs(), -cost, False


class Actor(nn.Module):
    def __init__(self, obs, act, bound):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs, 64), nn.ReLU(), nn.Linear(64, act), nn.Tanh())
        self.bound = bound

    def forward(self, s):
        return self.bound * self.net(s)


class Critic(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(obs + act, 64), nn.Linear(64, 1)

    def forward(self, s, a):
        return self.fc2(F.relu(self.fc1(torch.cat([s, a], dim=1))))


def soft_update(src, dst, tau=0.005):
    with torch.no_grad():
        for p, q in zip(src.parameters(), dst.parameters()):
            q.data.mul_(1 - tau).add_(tau * p.data)


env, memory = Pendulum(), deque(maxlen=10000)
actor, actor_t = Actor(3, 1, 2.0), Actor(3, 1, 2.0)
critic, critic_t = Critic(3, 1), Critic(3, 1)
actor_t.load_state_dict(actor.state_dict())
critic_t.load_state_dict(critic.state_dict())
opt_a, opt_c = torch.optim.Adam(actor.parameters(), 1e-4), torch.optim.Adam(critic.parameters(), 1e-3)
writer = SummaryWriter("runs/ddpg")
for episode in range(2):
    s, score = env.reset(), 0.0
    for t in range(100):
        with torch.no_grad():
            a = actor(torch.from_numpy(s).unsqueeze(0))[0].numpy()
        a = (a + 0.1 * np.random.randn(1)).astype(np.float32)
        s2, r, done = env.step(a)
        memory.append((s, a, np.float32(r), s2, float(done)))
        s, score = s2, score + r
        if len(memory) < 64:
            continue
        bs, ba, br, bs2, bd = map(np.array, zip(*random.sample(memory, 64)))
        bs, ba, bs2 = (torch.as_tensor(v, dtype=torch.float32) for v in (bs, ba, bs2))
        br, bd = torch.as_tensor(br, dtype=torch.float32).view(-1, 1), torch.as_tensor(bd, dtype=torch.float32).view(-1, 1)
        with torch.no_grad():
            y = br + 0.99 * (1 - bd) * critic_t(bs2, actor_t(bs2))
        lc = F.mse_loss(critic(bs, ba), y)
        opt_c.zero_grad()
        lc.backward()
        opt_c.step()
        la = -critic(bs, actor(bs)).mean()
        opt_a.zero_grad()
        la.backward()
        opt_a.step()
        soft_update(actor, actor_t)
        soft_update(critic, critic_t)
    writer.add_scalar("score", score, episode)
    print(episode, float(score), lc.item(), la.item())
