"""Writes saved.txt: which tensors PyTorch keeps for the gradient of each expression, found by writing to each
tensor in place before backward(). A row is: expression | its tensors | those that require gradients | those whose
write backward() refuses. python3 saved.py"""
import itertools
import os
import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("ignore")
EX = """
torch.exp(a) | a
torch.sigmoid(a) | a
torch.tanh(a) | a
torch.sqrt(a) | a
torch.rsqrt(a) | a
torch.exp2(a) | a
torch.expm1(a) | a
torch.reciprocal(a) | a
torch.tan(a) | a
torch.relu(a) | a
torch.abs(a) | a
torch.sin(a) | a
torch.cos(a) | a
torch.log(a) | a
torch.log2(a) | a
torch.log10(a) | a
torch.log1p(a) | a
torch.square(a) | a
torch.neg(a) | a
torch.erf(a) | a
torch.atan(a) | a
torch.asin(a) | a
torch.sinh(a) | a
torch.cosh(a) | a
torch.floor(a) | a
torch.sign(a) | a
torch.softmax(a, dim=1) | a
torch.log_softmax(a, dim=1) | a
torch.cumsum(a, dim=1) | a
torch.cumprod(a, dim=1) | a
torch.logsumexp(a, dim=1) | a
torch.sum(a, dim=1) | a
torch.mean(a, dim=1) | a
torch.var(a, dim=1) | a
torch.std(a, dim=1) | a
torch.prod(a, dim=1) | a
torch.prod(a) | a
torch.sum(a) | a
torch.mean(a) | a
torch.norm(a) | a
a.norm(dim=1) | a
torch.linalg.norm(a, dim=1) | a
torch.amax(a, dim=1) | a
torch.amin(a, dim=1) | a
torch.max(a) | a
torch.min(a) | a
torch.max(a, dim=1).values | a
torch.topk(a, 2, dim=1).values | a
torch.sort(a, dim=1).values | a
torch.median(a, dim=1).values | a
torch.clamp(a, min=0.5) | a
torch.clamp(a, 0.1, 0.9) | a
a.clip(0.1) | a
a ** 2 | a
a ** 3 | a
a ** 0.5 | a
a ** 1 | a
2 ** a | a
a * 2 | a
a / 2 | a
a + 2 | a
2 / a | a
a - 2 | a
-a | a
a + b | a b
a - b | a b
a * b | a b
a / b | a b
a ** b | a b
torch.maximum(a, b) | a b
torch.minimum(a, b) | a b
torch.atan2(a, b) | a b
torch.addcmul(a, b, b2) | a b b2
torch.addcdiv(a, b, b2) | a b b2
torch.lerp(a, b, 0.5) | a b
torch.lerp(a, b, b2) | a b b2
torch.where(a > 0.5, a, b) | a b
torch.mm(a, bt) | a bt
a @ bt | a bt
torch.matmul(a, bt) | a bt
torch.mv(a, v4) | a v4
a @ v4 | a v4
torch.dot(v4, w4) | v4 w4
torch.outer(v4, w4) | v4 w4
torch.bmm(c, d) | c d
c @ d | c d
torch.matmul(c, d) | c d
c @ bt | c bt
torch.baddbmm(cd, c, d) | cd c d
torch.addmm(ab, a, bt) | ab a bt
torch.einsum('ij,jk->ik', a, bt) | a bt
torch.einsum('bij,bjk->bik', c, d) | c d
F.linear(a, w, bias) | a w bias
F.linear(c, w, bias) | c w bias
F.linear(a, w) | a w
F.linear(c, w) | c w
F.bilinear(a, b, wb) | a b wb
F.conv1d(s, k1, bias) | s k1 bias
F.conv2d(im, k2, bias) | im k2 bias
F.conv_transpose2d(im, k2t, None) | im k2t
F.batch_norm(im, None, None, g3, h3, training=True) | im g3 h3
F.batch_norm(im, m3, v3, g3, h3, training=False) | im g3 h3
F.layer_norm(a, [4], g4, h4) | a g4 h4
F.layer_norm(a, [4]) | a
F.group_norm(im, 1, g3, h3) | im g3 h3
F.instance_norm(im) | im
F.rms_norm(a, [4], g4) | a g4
F.normalize(a, dim=1) | a
F.embedding(ix, w) | w
F.embedding_bag(ix2, w) | w
F.relu(a) | a
F.relu6(a) | a
F.leaky_relu(a, 0.1) | a
F.elu(a) | a
F.selu(a) | a
F.celu(a) | a
F.gelu(a) | a
F.silu(a) | a
F.mish(a) | a
F.softplus(a) | a
F.hardswish(a) | a
F.hardsigmoid(a) | a
F.hardtanh(a) | a
F.logsigmoid(a) | a
F.softsign(a) | a
F.tanhshrink(a) | a
F.glu(a) | a
F.prelu(a, g1) | a g1
F.threshold(a, 0.1, 0.) | a
F.sigmoid(a) | a
F.tanh(a) | a
F.softmax(a, dim=1) | a
F.log_softmax(a, dim=1) | a
F.softmin(a, dim=1) | a
F.dropout(a, 0.5) | a
F.dropout(a, 0.5, training=False) | a
F.max_pool2d(im, 2) | im
F.avg_pool2d(im, 2) | im
F.adaptive_avg_pool2d(im, 1) | im
F.adaptive_avg_pool2d(im, 2) | im
F.adaptive_max_pool2d(im, 2) | im
F.interpolate(im, scale_factor=2) | im
F.interpolate(im, scale_factor=2, mode='bilinear') | im
F.pad(im, (1, 1)) | im
F.pad(im, (1, 1, 1, 1), mode='reflect') | im
F.mse_loss(a, b) | a b
F.mse_loss(a, b, reduction='none') | a b
F.l1_loss(a, b) | a b
F.smooth_l1_loss(a, b) | a b
F.huber_loss(a, b) | a b
F.binary_cross_entropy(a, b) | a b
F.binary_cross_entropy_with_logits(a, b) | a b
F.kl_div(a, b) | a b
F.cross_entropy(a, t) | a
F.nll_loss(a, t) | a
F.cosine_similarity(a, b) | a b
F.pixel_shuffle(im4, 2) | im4
F.unfold(im, 2) | im
F.grid_sample(im, gr) | im gr
F.scaled_dot_product_attention(q, k, vv) | q k vv
F.gumbel_softmax(a, dim=1) | a
torch.cat([a, b]) | a b
torch.stack([a, b]) | a b
a.masked_fill(a > 0.5, 0.) | a
a.gather(1, ix34) | a
a.index_select(0, ix) | a
a[ix] | a
a[a > 0.5] | a
a[0] | a
a.t() | a
a.reshape(-1) | a
a.view(-1) | a
a.unsqueeze(0) | a
a.expand(2, 3, 4) | a
a.repeat(2, 1) | a
a.flip(0) | a
a.roll(1, 0) | a
a.tril() | a
a.clone() | a
a.contiguous() | a
a.float() | a
a.double() | a
torch.cross(e3, f3, dim=1) | e3 f3
torch.cdist(a, b) | a b
torch.dist(a, b) | a b
torch.inverse(sq) | sq
torch.linalg.inv(sq) | sq
torch.det(sq) | sq
torch.linalg.solve(sq, bt3) | sq bt3
torch.scatter(a, 1, ix34, b) | a b
torch.scatter_add(a, 1, ix34, b) | a b
torch.index_add(a, 0, ix, b) | a b
c * a | c a
a * g4 | a g4
a.t() * 2 @ ab | a ab
a.t() @ ab | a ab
F.linear(c.transpose(0, 1), w) | c w
F.linear(a, w[:, :4]) | a w
q @ k.transpose(1, 2) | q k
a[:2] * b[1:] | a b
a.view(-1) * b.view(-1) | a b
a.detach() * b | a b
a.data * b | a b
a.unsqueeze(0) @ d | a d
a @ d | a d
torch.exp(a).sum() * b | a b
(a * 1).exp().add(1) | a
a.exp()[0] | a
a.exp().view(-1) | a
a.sigmoid() * b | a b
a.to(torch.float32) * b | a b
a.contiguous() * b | a b
a.double() * b.double() | a b
torch.einsum("ij,ij->i", a, b) | a b
F.linear(a.double(), w.double()) | a w
F.mse_loss(a.t(), b.t()) | a b
F.mse_loss(a, b[0].expand(3, 4)) | a b
torch.tanh_(a*1) | a
torch.sigmoid_(a*1) | a
(a*1).relu_() | a
(a*1).exp_() | a
(a*1).sqrt_() | a
(a*1).clamp_(0.5) | a
(a*1).pow_(2) | a
(a*1).mul_(b) | a b
(a*1).div_(b) | a b
(a*1).add_(b) | a b
F.leaky_relu(a*1, 0.1, inplace=True) | a
F.elu(a*1, inplace=True) | a
F.hardtanh(a*1, inplace=True) | a
F.silu(a*1, inplace=True) | a
F.hardswish(a*1, inplace=True) | a
F.relu6(a*1, inplace=True) | a
"""

LET = """
a = torch.rand(3, 4)
b = torch.rand(3, 4)
b2 = torch.rand(3, 4)
bt = torch.rand(4, 5)
bt3 = torch.rand(3, 2)
v4 = torch.rand(4)
w4 = torch.rand(4)
c = torch.rand(2, 3, 4)
d = torch.rand(2, 4, 5)
cd = torch.rand(2, 3, 5)
ab = torch.rand(3, 5)
w = torch.rand(5, 4)
bias = torch.rand(5)
wb = torch.rand(5, 4, 4)
s = torch.rand(2, 3, 8)
k1 = torch.rand(5, 3, 2)
im = torch.rand(2, 3, 6, 6)
k2 = torch.rand(5, 3, 2, 2)
k2t = torch.rand(3, 5, 2, 2)
g3 = torch.rand(3)
h3 = torch.rand(3)
m3 = torch.rand(3)
v3 = torch.rand(3)
g4 = torch.rand(4)
h4 = torch.rand(4)
g1 = torch.rand(1)
im4 = torch.rand(2, 4, 3, 3)
gr = torch.rand(2, 4, 4, 2)
q = torch.rand(2, 3, 4)
k = torch.rand(2, 3, 4)
vv = torch.rand(2, 3, 4)
e3 = torch.rand(2, 3)
f3 = torch.rand(2, 3)
sq = torch.rand(3, 3) + 2 * torch.eye(3)
ix = torch.tensor([0, 2, 1])
ix2 = torch.tensor([[0, 2], [1, 1]])
ix34 = torch.randint(0, 3, (3, 4))
t = torch.tensor([0, 1, 2])
"""


def refused(ex, names, req):
    """The tensors whose write is refused; None where the result requires no gradients."""
    out = []
    for mod in names + ["result"]:
        env = {"torch": torch, "F": F}
        torch.manual_seed(0)
        exec(LET, env)
        for r in req:
            env[r].requires_grad_()
        env["result"] = eval(ex, env)
        if not env["result"].requires_grad:
            return None
        try:
            with torch.no_grad():
                env[mod].mul_(1.0)
        except RuntimeError:  # an expanded tensor
            continue
        try:
            env["result"].sum().backward()
        except RuntimeError as e:
            assert "modified by an inplace" in str(e), (ex, e)
            out.append(mod)
    return out


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "saved.txt"), "w") as f:
    f.write(f"# What PyTorch {torch.__version__.split('+')[0]} keeps for gradients; written by saved.py.\n")
    f.writelines("let " + line + "\n" for line in LET.strip().splitlines())
    for line in EX.strip().splitlines():
        ex, names = line.rsplit(" | ", 1)
        names = names.split()
        for n in range(1, len(names) + 1):
            for req in itertools.combinations(names, n):
                got = refused(ex, names, req)
                if got is not None:
                    f.write(f"{ex} | {' '.join(names)} | {' '.join(req)} | {' '.join(got) or '-'}\n")
