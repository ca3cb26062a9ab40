import gymnasium as gym, torch, torch.nn as nn, numpy as np
from torch.distributions import Categorical, Normal

gamma = 0.99


def mlp(sizes, act=nn.Tanh):
    layers = []
    for i in range(len(sizes) - 1):
        layers += [nn.Linear(sizes[i], sizes[i + 1]), act() if i < len(sizes) - 2 else nn.Identity()]
    return nn.Sequential(*layers)


class ActorCritic(nn.Module):
    def __init__(self, space_in, space_out):
        super().__init__()
        n = space_in.shape[0]
        if isinstance(space_out, gym.spaces.Discrete):
            self.pi, self.log_std = mlp([n, 64, space_out.n]), None
        else:
            k = space_out.shape[0]
            self.pi, self.log_std = mlp([n, 64, k]), nn.Parameter(-0.5 * torch.ones(k))
        self.v = mlp([n, 64, 1])

    def dist(self, obs):
        out = self.pi(obs)
        return Categorical(logits=out) if self.log_std is None else Normal(out, self.log_std.exp())

    def act(self, obs):
        d = self.dist(obs)
        a = d.sample()
        logp = d.log_prob(a)
        return a.numpy(), logp if self.log_std is None else logp.sum(-1), self.v(obs).squeeze(-1)


def returns(rs):
    out, acc = [], 0.0
    for r in reversed(rs):
        acc = r + gamma * acc
        out.insert(0, acc)
    out = torch.tensor(out, dtype=torch.float32)
    return (out - out.mean()) / (out.std() + 1e-8)


for name in ("CartPole-v1", "Pendulum-v1"):
    env = gym.make(name, max_episode_steps=50)
    ac = ActorCritic(env.observation_space, env.action_space)
    opt = torch.optim.Adam([{"params": ac.pi.parameters(), "lr": 3e-4}, {"params": ac.v.parameters(), "lr": 1e-3}])
    for ep in range(3):
        obs, info = env.reset()
        logps, vals, rs, done = [], [], [], False
        while not done:
            a, lp, v = ac.act(torch.as_tensor(obs, dtype=torch.float32))
            obs, r, term, trunc, info = env.step(a)
            logps.append(lp); vals.append(v); rs.append(float(r))
            done = term or trunc
        R, V, L = returns(rs), torch.stack(vals), torch.stack(logps)
        adv = (R - V).detach()
        loss = -(L * adv).mean() + 0.5 * (R - V).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(ac.parameters(), 0.5)
        opt.step()
        print(name, ep, sum(rs), loss.item())
