"""One update of a Q network from a batch of transitions."""
import torch
import torch.nn as nn
import torch.nn.functional as F

STATES, ACTIONS, GAMMA = 8, 4, 0.99


class Q(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(STATES, 64), nn.ReLU())
        self.out = nn.Linear(64, ACTIONS)

    def forward(self, s):
        return self.out(self.body(s))


def batch(n):
    return (torch.randn(n, STATES), torch.randint(0, ACTIONS, (n,)), torch.randn(n),
            torch.randn(n, STATES), torch.zeros(n))


online, target = Q(), Q()
target.load_state_dict(online.state_dict())
optimizer = torch.optim.Adam(online.parameters(), lr=1e-3)
for step in range(3):
    s, a, r, s2, done = batch(32)
    q = online(s).gather(1, a.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        best = target(s2).max(dim=1).values
        expected = r + GAMMA * (1 - done) * best
    loss = F.smooth_l1_loss(q, expected)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
