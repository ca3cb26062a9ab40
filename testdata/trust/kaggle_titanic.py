# Tabular competition, notebook turned into a script.
import numpy as np
import pandas as pd
import torch
from torch import nn
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

SEED = 42
np.random.seed(SEED); torch.manual_seed(SEED)
df = pd.read_csv("train.csv")
df["Sex"] = df["Sex"].map({"male": 0, "female": 1})
df["Age"] = df["Age"].fillna(df["Age"].median())
features = ["Pclass", "Sex", "Age", "SibSp", "Parch", "Fare"]
X = df[features].values.astype(np.float32)
y = df["Survived"].values
device = "cuda" if torch.cuda.is_available() else "cpu"


class MLP(nn.Module):
    def __init__(self, n_in, hidden=(64, 32), p=0.3):
        super().__init__()
        dims = [n_in, *hidden]
        self.body = nn.Sequential(*[m for a, b in zip(dims, dims[1:]) for m in (nn.Linear(a, b), nn.BatchNorm1d(b), nn.ReLU(inplace=True), nn.Dropout(p))])
        self.out = nn.Linear(dims[-1], 1)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)


scores = []
oof = np.zeros(len(X))
for fold, (tr, va) in enumerate(StratifiedKFold(5, shuffle=True, random_state=SEED).split(X, y)):
    sc = StandardScaler().fit(X[tr])
    xtr = torch.tensor(sc.transform(X[tr]), dtype=torch.float32, device=device)
    ytr = torch.tensor(y[tr], dtype=torch.float32, device=device)
    xva = torch.tensor(sc.transform(X[va]), dtype=torch.float32).to(device)
    model = MLP(len(features)).to(device)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-4)
    crit = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(1.5, device=device))
    best = 0.0
    for epoch in range(20):
        model.train()
        for idx in torch.randperm(len(xtr)).split(64):
            opt.zero_grad(set_to_none=True)
            loss = crit(model(xtr[idx]), ytr[idx])
            loss.backward()
            opt.step()
        model.eval()
        with torch.inference_mode():
            p = model(xva).sigmoid().cpu().numpy()
        acc = ((p > 0.5) == y[va]).mean()
        if acc > best:
            best, state = acc, {k: v.cpu().clone() for k, v in model.state_dict().items()}
    model.load_state_dict(state)
    oof[va] = p
    scores.append(best)
    print(f"fold {fold}: {best:.4f}")
print(f"CV {np.mean(scores):.4f} ± {np.std(scores):.4f}")
sub = pd.DataFrame({"PassengerId": df["PassengerId"], "Survived": (oof > 0.5).astype(int)})
sub.to_csv("submission.csv", index=False)
