# Two-layer GCN and GAT over a sparse graph, without a graph library
import numpy as np
import scipy.sparse as sp
import torch
import torch.nn as nn
import torch.nn.functional as F

N, FEATS, CLASSES, EDGES = 200, 32, 4, 800


def make_graph():
    rows, cols = np.random.randint(0, N, EDGES), np.random.randint(0, N, EDGES)
    adj = sp.coo_matrix((np.ones(EDGES), (rows, cols)), shape=(N, N)).tocsr()
    print("density", adj.nnz / N ** 2)
    src = torch.from_numpy(np.concatenate([rows, cols, np.arange(N)]))
    dst = torch.from_numpy(np.concatenate([cols, rows, np.arange(N)]))
    return torch.stack([src, dst])


class GCNConv(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(cin, cout))
        self.bias = nn.Parameter(torch.zeros(cout))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, edge):
        src, dst = edge
        deg = torch.zeros(x.size(0)).scatter_add_(0, dst, torch.ones(dst.numel()))
        norm = deg[src].rsqrt() * deg[dst].rsqrt()
        h = x @ self.weight
        out = torch.zeros_like(h).index_add_(0, dst, h[src] * norm[:, None])
        return out + self.bias


class GATConv(nn.Module):
    def __init__(self, cin, cout, heads=4):
        super().__init__()
        self.heads, self.dim = heads, cout
        self.lin = nn.Linear(cin, heads * cout, bias=False)
        self.att = nn.Parameter(torch.randn(2, heads, cout) * 0.1)

    def forward(self, x, edge):
        src, dst = edge[0], edge[1]
        h = self.lin(x).view(-1, self.heads, self.dim)
        e = F.leaky_relu((h[src] * self.att[0] + h[dst] * self.att[1]).sum(-1), 0.2)
        e = (e - e.max()).exp()
        z = torch.zeros(x.shape[0], self.heads).index_add(0, dst, e)
        a = e / (z[dst] + 1e-16)
        msg = h[src] * a.unsqueeze(-1)
        out = h.new_zeros(x.shape[0], self.heads, self.dim)
        return out.scatter_add(0, dst.view(-1, 1, 1).expand_as(msg), msg).flatten(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1, self.c2 = GATConv(FEATS, 8), GCNConv(32, CLASSES)

    def forward(self, x, edge):
        x = F.dropout(x, 0.5, self.training)
        return self.c2(F.elu(self.c1(x, edge)), edge).log_softmax(dim=1)


edge_index = make_graph()
x, y = torch.rand(N, FEATS), torch.randint(CLASSES, (N,))
train_mask = torch.zeros(N, dtype=torch.bool)
train_mask[torch.randperm(N)[:60]] = True
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(5):
    net.train()
    out = net(x, edge_index)
    loss = F.nll_loss(out[train_mask], y[train_mask])
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        pred = net(x, edge_index).argmax(dim=-1)
    accs = [pred[m].eq(y[m]).float().mean().item() for m in (train_mask, ~train_mask)]
    print(epoch, loss.item(), *[f"{a:.3f}" for a in accs])
