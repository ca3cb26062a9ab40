import collections
import random
import gymnasium as gym
import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim

Transition = collections.namedtuple("Transition", "s a r s2 done")


class ReplayBuffer:
    def __init__(self, cap):
        self.buf = collections.deque(maxlen=cap)

    def push(self, *args):
        self.buf.append(Transition(*args))

    def sample(self, n):
        batch = random.sample(self.buf, n)
        s, a, r, s2, d = zip(*batch)
        return (torch.as_tensor(np.array(s), dtype=torch.float32), torch.as_tensor(a).long().unsqueeze(1),
                torch.tensor(r, dtype=torch.float32), torch.as_tensor(np.stack(s2), dtype=torch.float32), torch.tensor(d, dtype=torch.float32))

    def __len__(self):
        return len(self.buf)


class Dueling(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, 128), nn.ReLU())
        self.v, self.adv = nn.Linear(128, 1), nn.Linear(128, act)

    def forward(self, s):
        h = self.trunk(s)
        adv = self.adv(h)
        return self.v(h) + adv - adv.mean(dim=-1, keepdim=True)


env = gym.make("CartPole-v1")
obs_dim, n_act = env.observation_space.shape[0], env.action_space.n
q, tgt = Dueling(obs_dim, int(n_act)), Dueling(obs_dim, int(n_act))
tgt.load_state_dict(q.state_dict())
opt = optim.Adam(q.parameters(), lr=1e-3)
mem, eps, rewards = ReplayBuffer(10_000), 1.0, []
for ep in range(15):
    s, _ = env.reset(seed=ep)
    total = 0
    while True:
        if random.random() < eps:
            a = env.action_space.sample()
        else:
            with torch.no_grad():
                a = q(torch.from_numpy(s).float().unsqueeze(0)).argmax(1).item()
        s2, r, term, trunc, _ = env.step(a)
        mem.push(s, a, r, s2, term)
        s, total = s2, total + r
        if len(mem) >= 64:
            bs, ba, br, bs2, bd = mem.sample(64)
            with torch.no_grad():
                best = q(bs2).argmax(1, keepdim=True)
                y = br + 0.99 * (1 - bd) * tgt(bs2).gather(1, best).squeeze(1)
            loss = nn.functional.smooth_l1_loss(q(bs).gather(1, ba).squeeze(1), y)
            opt.zero_grad()
            loss.backward()
            for p in q.parameters():
                p.grad.data.clamp_(-1, 1)
            opt.step()
            for p, tp in zip(q.parameters(), tgt.parameters()):
                tp.data.mul_(0.995).add_(0.005 * p.data)
        if term or trunc:
            break
    eps = max(0.05, eps * 0.95)
    rewards.append(total)
    print(f"ep {ep} reward {total} avg {np.mean(rewards[-10:]):.1f}")
env.close()
