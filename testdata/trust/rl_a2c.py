import os

import gymnasium as gym
import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

os.environ.setdefault("OMP_NUM_THREADS", "1")
N_ENVS, N_STEPS, GAMMA, LAM, OBS, ACT = 4, 8, 0.99, 0.95, 4, 2


def layer_init(layer, std=np.sqrt(2), bias=0.0):
    nn.init.orthogonal_(layer.weight, std)
    nn.init.constant_(layer.bias, bias)
    return layer


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(layer_init(nn.Linear(OBS, 64)), nn.Tanh(), layer_init(nn.Linear(64, 64)), nn.Tanh())
        self.pi = layer_init(nn.Linear(64, ACT), std=0.01)
        self.v = layer_init(nn.Linear(64, 1), std=1.0)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def gae(rewards, values, dones, last):
    adv = torch.zeros_like(rewards)
    run = torch.zeros(N_ENVS)
    for t in reversed(range(N_STEPS)):
        nxt = last if t == N_STEPS - 1 else values[t + 1]
        delta = rewards[t] + GAMMA * nxt * (1 - dones[t]) - values[t]
        run = delta + GAMMA * LAM * (1 - dones[t]) * run
        adv[t] = run
    return adv, adv + values


envs = gym.vector.SyncVectorEnv([lambda: gym.make("CartPole-v1") for _ in range(N_ENVS)])
agent = ActorCritic()
opt = torch.optim.RMSprop(agent.parameters(), lr=7e-4, alpha=0.99, eps=1e-5)
obs_buf = torch.zeros(N_STEPS, N_ENVS, OBS)
act_buf = torch.zeros(N_STEPS, N_ENVS, dtype=torch.long)
rew_buf, done_buf, val_buf = (torch.zeros(N_STEPS, N_ENVS) for _ in range(3))
obs, _ = envs.reset(seed=0)
obs = torch.as_tensor(np.asarray(obs), dtype=torch.float32).reshape(N_ENVS, OBS)
for update in range(3):
    for t in range(N_STEPS):
        with torch.no_grad():
            dist, value = agent(obs)
            action = dist.sample()
        nobs, reward, term, trunc, info = envs.step(action.numpy())
        obs_buf[t], act_buf[t], val_buf[t] = obs, action, value
        rew_buf[t] = torch.as_tensor(np.asarray(reward, dtype=np.float32))
        done_buf[t] = torch.as_tensor(np.logical_or(term, trunc).astype(np.float32))
        obs = torch.as_tensor(np.asarray(nobs), dtype=torch.float32).reshape(N_ENVS, OBS)
    with torch.no_grad():
        last = agent(obs)[1]
    adv, ret = gae(rew_buf, val_buf, done_buf, last)
    dist, value = agent(obs_buf.flatten(0, 1))
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    pg = -(dist.log_prob(act_buf.flatten()) * adv.flatten()).mean()
    vf = 0.5 * (ret.flatten() - value).pow(2).mean()
    loss = pg + 0.5 * vf - 0.01 * dist.entropy().mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
    opt.step()
    print(update, f"{loss.item():.3f}", rew_buf.sum(0).tolist())
envs.close()
