"""PPO of a squashed Gaussian policy on a made-up rollout with a critic of its own."""
import torch
import torch.nn as nn
import torch.nn.functional as F

OBS, ACT, LENGTH, ENVS = 6, 2, 8, 4


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(OBS, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.mean = nn.Linear(32, ACT)
        self.log_std = nn.Parameter(torch.zeros(ACT))

    def forward(self, obs):
        h = self.body(obs)
        return torch.distributions.Normal(self.mean(h), self.log_std.exp())


critic = nn.Sequential(nn.Linear(OBS, 32), nn.ReLU(), nn.Linear(32, 1))
actor = Actor()
optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=3e-4)

obs = torch.randn(LENGTH + 1, ENVS, OBS)
rewards = torch.randn(LENGTH, ENVS)
dones = torch.zeros(LENGTH, ENVS)
with torch.no_grad():
    policy = actor(obs[:-1])
    actions = policy.sample()
    old_logp = policy.log_prob(actions).sum(dim=-1)
    values = critic(obs).squeeze(-1)
    advantages = torch.zeros(LENGTH, ENVS)
    last = torch.zeros(ENVS)
    for t in reversed(range(LENGTH)):
        delta = rewards[t] + 0.99 * values[t + 1] * (1 - dones[t]) - values[t]
        last = delta + 0.99 * 0.95 * (1 - dones[t]) * last
        advantages[t] = last
    returns = advantages + values[:-1]

flat_obs = obs[:-1].reshape(-1, OBS)
flat_actions = actions.reshape(-1, ACT)
flat_logp, flat_returns = old_logp.reshape(-1), returns.reshape(-1)
flat_adv = advantages.reshape(-1)
flat_adv = (flat_adv - flat_adv.mean()) / (flat_adv.std() + 1e-8)
for epoch in range(2):
    order = torch.randperm(LENGTH * ENVS)
    for start in range(0, LENGTH * ENVS, 16):
        pick = order[start:start + 16]
        policy = actor(flat_obs[pick])
        logp = policy.log_prob(flat_actions[pick]).sum(dim=-1)
        ratio = (logp - flat_logp[pick]).exp()
        adv = flat_adv[pick]
        surrogate = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
        value = critic(flat_obs[pick]).squeeze(-1)
        value_loss = (value - flat_returns[pick]).pow(2).mean()
        entropy = policy.entropy().sum(dim=-1).mean()
        loss = -surrogate.mean() + 0.5 * value_loss - 0.01 * entropy
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(actor.parameters(), 0.5)
        optimizer.step()
print(loss.item())
