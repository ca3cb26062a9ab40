# Forecast of hourly load with an LSTM, windows made with numpy
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from sklearn.preprocessing import StandardScaler

SEQ, HORIZON, HIDDEN = 48, 12, 64

t = np.arange(2000)
df = pd.DataFrame({"load": np.sin(t / 24 * 2 * np.pi) + 0.1 * np.random.randn(2000), "temp": np.cos(t / 24 * 2 * np.pi)})
df["load"] = df["load"].rolling(3, min_periods=1).mean()
raw = np.stack([np.sin(t / 24 * 2 * np.pi), np.cos(t / 24 * 2 * np.pi)], axis=1).astype(np.float32)
raw = (raw - raw.mean(axis=0, keepdims=True)) / raw.std(axis=0)


def windows(a, seq, horizon):
    xs, ys = [], []
    for i in range(len(a) - seq - horizon + 1):
        xs.append(a[i:i + seq])
        ys.append(a[i + seq:i + seq + horizon, 0])
    return np.array(xs), np.array(ys)


class Forecaster(nn.Module):
    def __init__(self, n_features, hidden, layers=2):
        super().__init__()
        self.lstm = nn.LSTM(n_features, hidden, layers, batch_first=True, dropout=0.2)
        self.attn = nn.Linear(hidden, 1)
        self.fc = nn.Linear(2 * hidden, HORIZON)

    def forward(self, x):
        h0 = torch.zeros(self.lstm.num_layers, x.size(0), self.lstm.hidden_size, device=x.device)
        out, (h, c) = self.lstm(x, (h0, torch.zeros_like(h0)))
        w = torch.softmax(self.attn(out), dim=1)
        return self.fc(torch.cat([h[-1], (w * out).sum(1)], dim=-1))


X, Y = windows(raw, SEQ, HORIZON)
cut = int(len(X) * 0.8)
Xtr, Ytr = torch.tensor(X[:cut]), torch.tensor(Y[:cut])
Xva, Yva = torch.tensor(X[cut:]), torch.tensor(Y[cut:])
model = Forecaster(Xtr.shape[-1], HIDDEN)
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=1)
losses = {"train": [], "val": []}
for epoch in range(2):
    model.train()
    running = 0.0
    for idx in torch.randperm(len(Xtr)).split(256):
        pred = model(Xtr[idx])
        loss = nn.functional.huber_loss(pred, Ytr[idx])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        running += loss.item() * len(idx)
    model.eval()
    with torch.no_grad():
        out = model(Xva)
        val = (out - Yva).abs().mean(dim=0)
    losses["train"].append(running / len(Xtr))
    losses["val"].append(val.mean().item())
    sched.step(losses["val"][-1])
mae = val.numpy()
scaler = StandardScaler().fit(df[["load"]].values)
print("MAE by hour", np.round(mae, 3), "worst", int(mae.argmax()) + 1)
plt.plot(losses["train"], label="train")
plt.plot(out[0].numpy(), label="forecast")
plt.savefig("forecast.png")
pd.DataFrame(out.numpy(), columns=[f"h{i}" for i in range(HORIZON)]).to_csv("submission.csv", index=False)
