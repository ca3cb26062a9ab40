import numpy as np
import optuna
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

N_USERS, N_ITEMS = 300, 120


class Ratings(Dataset):
    def __init__(self, n=512, seed=0):
        rng = np.random.default_rng(seed)
        self.users = rng.integers(0, N_USERS, n)
        self.items = rng.integers(0, N_ITEMS, n)
        self.scores = rng.uniform(1, 5, n).astype(np.float32)

    def __len__(self):
        return len(self.scores)

    def __getitem__(self, i):
        return {"user": torch.tensor(self.users[i]), "item": torch.tensor(self.items[i]), "score": torch.tensor(self.scores[i])}


class DeepFM(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.emb = nn.ModuleDict({"user": nn.Embedding(N_USERS, dim), "item": nn.Embedding(N_ITEMS, dim)})
        self.bias = nn.ModuleDict({"user": nn.Embedding(N_USERS, 1), "item": nn.Embedding(N_ITEMS, 1)})
        self.mlp = nn.Sequential(nn.Linear(2 * dim, hidden), nn.ReLU(), nn.Dropout(0.2), nn.Linear(hidden, 1))
        self.mu = nn.Parameter(torch.tensor(3.0))

    def forward(self, batch):
        e = torch.stack([self.emb[k](batch[k]) for k in self.emb], dim=1)
        fm = 0.5 * (e.sum(1).pow(2) - e.pow(2).sum(1)).sum(-1)
        lin = sum(self.bias[k](batch[k]) for k in self.bias).squeeze(-1)
        return self.mu + lin + fm + self.mlp(e.flatten(1)).squeeze(-1)


def objective(trial):
    dim, hidden = 16, 64
    lr = trial.suggest_float("lr", 1e-4, 1e-2, log=True) if trial else 1e-3
    model = DeepFM(dim, hidden)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    loss_fn = nn.MSELoss()
    for batch in DataLoader(Ratings(), batch_size=64, shuffle=True):
        loss = loss_fn(model(batch), batch["score"])
        opt.zero_grad()
        loss.backward()
        opt.step()
    model.eval()
    preds, truth = [], []
    with torch.no_grad():
        for batch in DataLoader(Ratings(seed=1), batch_size=128):
            preds.extend(model(batch).tolist())
            truth.append(batch["score"])
    preds, truth = torch.tensor(preds), torch.cat(truth)
    rmse = torch.sqrt(((preds - truth) ** 2).mean())
    top = model.mlp[0].weight.norm(dim=0).topk(5).indices
    print(lr, rmse.item(), top.tolist())
    return rmse.item()


objective(None)
study = optuna.create_study(direction="minimize")
study.optimize(objective, n_trials=2)
