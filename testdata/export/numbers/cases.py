"""Programs of which the exported model gave wrong numbers, could not be read, or had no form: what it is about, text, inputs."""

HALVES = '''
def f(x):
    n = 0
    while True:
        x = x * 0.5
        n += 1
        if x.abs().max() < 1 or n >= 50:
            break
    return x, n
'''

STEPS = '''
def f(x):
    n = 0
    for i in range(3, 153, 3):
        x = x * 0.5
        n += i
        if x.abs().max() < 1:
            break
    else:
        n = -n
    return x, n, i
'''

FOUND = '''
def f(x):
    for i in range(60):
        x = x * 0.5 + i
        if x.sum() < 0:
            return x * i
    return x + 1
'''



def line(body, *inputs):
    """A program of one expression."""
    return body, 'def f(%s):\n    return %s' % (', '.join(i.split(':')[0].split('=')[0] for i in inputs), body), *inputs


EDGES = '=[-40.5, -3.7, -2.0, -1e-3, -0.0, 0.0, 1e-4, 0.3, 0.5, 1.0, 1.46, 2.0, 7.9, 8.1, 30.25, 171.5, 1e6, 1e30]'
UNIT = '=[-1.0, -0.999999, -0.98, -0.6, -1e-6, 0.0, 1e-3, 0.25, 0.75, 0.97, 0.9999, 1.0]'



def law(name, args, inputs, value, *methods):
    """Programs of the methods of a distribution; those that take one get the value."""
    return [line('torch.distributions.%s(%s).%s' % (name, args, m.replace('()', '(v)') if m in ('log_prob()', 'cdf()', 'icdf()') else m), *inputs,
                 *([value] if m in ('log_prob()', 'cdf()', 'icdf()') else [])) for m in methods]


CASES = [
    ('a loop of many possible ends', HALVES, 'x=[0.5, 1.0]'),
    ('a loop of many possible ends', HALVES, 'x=[1e5, 1.0]'),
    ('a loop of many possible ends', HALVES, 'x=[1e8, 1.0]'),
    ('a loop of many possible ends', HALVES, 'x=[1e12, 1.0]'),
    ('a loop of many possible ends', HALVES, 'x=[1e30, 1.0]'),
    ('a range of many possible ends', STEPS, 'x=[0.5, 1.0]'),
    ('a range of many possible ends', STEPS, 'x=[1e8, 1.0]'),
    ('a range of many possible ends', STEPS, 'x=[1e30, 1.0]'),
    ('many possible returns', FOUND, 'x=[-0.5, -1.0]'),
    ('many possible returns', FOUND, 'x=[-1e9, 1.0]'),
    ('many possible returns', FOUND, 'x=[5.0, 1.0]'),
    ('lists of different ranks', '''
def f(x):
    a, b = [], []
    for i in range(x.size(0)):
        a.append(x[i])
        b.append(x[i:i + 1])
    return torch.stack(a), torch.cat(b)
''', 'x:f32[5,3]'),
    line('torch.lgamma(x)', 'x' + EDGES), line('torch.lgamma(x.double())', 'x' + EDGES), line('torch.digamma(x)', 'x' + EDGES),
    line('torch.polygamma(1, x.abs() + 0.001)', 'x' + EDGES), line('torch.polygamma(1, x)', 'x=[-3.7, -0.2, 0.4]'), line('torch.mvlgamma(x, 3)', 'x=[1.5, 4.25, 100.0]'),
    line('torch.erfinv(x)', 'x' + UNIT), line('torch.erfinv(x.double())', 'x' + UNIT), line('torch.special.ndtri(x.abs())', 'x' + UNIT),
    line('torch.i0(x)', 'x=[-80.0, -19.9, -3.0, 0.0, 0.5, 12.0, 20.1, 60.0]'), line('torch.special.i0e(x)', 'x=[-800.0, -3.0, 0.0, 19.9, 1e5]'),
    line('torch.special.i1(x.double())', 'x=[-80.0, -19.9, -3.0, 0.0, 0.5, 12.0, 20.1, 60.0]'), line('torch.special.i1e(x)', 'x=[-800.0, -3.0, 0.0, 1.5, 1e5]'),
    *law('Normal', 'x, y', ['x:f32[3,4]', 'y:f32[4]~0.1:3'], 'v:f32[2,3,4]~0.1:0.9', 'log_prob()', 'cdf()', 'icdf()', 'entropy()', 'mean', 'variance', 'stddev'),
    *law('Laplace', 'x, y', ['x:f32[3,4]', 'y:f32[4]~0.1:3'], 'v:f32[3,4]~0.1:0.9', 'log_prob()', 'cdf()', 'icdf()', 'entropy()', 'variance'),
    *law('Gumbel', 'x, y', ['x:f32[3,4]', 'y:f32[4]~0.1:3'], 'v:f32[3,4]~0.1:0.9', 'log_prob()', 'cdf()', 'icdf()', 'entropy()', 'mean', 'variance'),
    *law('Cauchy', 'x, y', ['x:f32[3,4]', 'y:f32[4]~0.1:3'], 'v:f32[3,4]~0.1:0.9', 'log_prob()', 'cdf()', 'icdf()', 'entropy()', 'variance'),
    *law('LogNormal', 'x, y', ['x:f32[3,4]', 'y:f32[4]~0.1:2'], 'v:f32[3,4]~0.1:0.9', 'log_prob()', 'cdf()', 'entropy()', 'mean', 'variance'),
    *law('Uniform', 'x, y', ['x:f32[3,4]~-1:0', 'y:f32[4]~1:3'], 'v:f32[3,4]~0.1:0.9', 'cdf()', 'icdf()', 'entropy()', 'mean', 'variance'),
    *law('Gamma', 'x, y', ['x:f32[3,4]~0.1:9', 'y:f32[4]~0.1:3'], 'v:f32[3,4]~0.1:4', 'log_prob()', 'entropy()', 'mean', 'variance'),
    *law('Beta', 'x, y', ['x:f32[3,4]~0.1:9', 'y:f32[4]~0.1:3'], 'v:f32[3,4]~0.1:0.9', 'log_prob()', 'entropy()', 'mean', 'variance'),
    *law('StudentT', 'x, y', ['x:f32[3,4]~0.1:9', 'y:f32[4]~0.1:3'], 'v:f32[3,4]', 'log_prob()', 'entropy()', 'mean', 'variance'),
    *law('Exponential', 'x', ['x:f32[3,4]~0.1:9'], 'v:f32[3,4]~0.1:0.9', 'log_prob()', 'cdf()', 'icdf()', 'entropy()', 'mean', 'variance'),
    *law('Poisson', 'x', ['x:f32[3,4]~0.1:9'], 'v=[0.0, 1.0, 4.0, 9.0]', 'log_prob()', 'mean'),
    *law('HalfNormal', 'x', ['x:f32[3,4]~0.1:9'], 'v:f32[3,4]~0.1:0.9', 'log_prob()', 'cdf()', 'icdf()', 'entropy()', 'mean', 'variance'),
    *law('Dirichlet', 'x', ['x:f32[2,3]~0.1:9'], 'v=[[0.25, 0.5, 0.25], [0.125, 0.125, 0.75]]', 'log_prob()', 'entropy()', 'mean', 'variance'),
    *law('Bernoulli', 'logits=x', ['x:f32[3,4]'], 'v=[0.0, 1.0, 1.0, 0.0]', 'log_prob()', 'entropy()', 'mean', 'variance', 'probs'),
    *law('Bernoulli', 'x', ['x=[0.0, 0.25, 0.5, 1.0]'], 'v=[0.0, 1.0, 1.0, 1.0]', 'log_prob()', 'entropy()', 'mode', 'logits'),
    *law('Geometric', 'x', ['x=[0.1, 0.25, 0.5, 1.0]'], 'v=[0.0, 1.0, 3.0, 0.0]', 'log_prob()', 'mean', 'variance'),
    *law('Binomial', '9, logits=x', ['x:f32[3,4]'], 'v=[0.0, 1.0, 5.0, 9.0]', 'log_prob()', 'mean', 'variance'),
    *law('Categorical', 'logits=x', ['x:f32[3,4]'], 'v=[0, 3, 1]', 'log_prob()', 'entropy()', 'probs', 'logits'),
    *law('Categorical', 'x', ['x:f32[3,4]~0.1:5'], 'v=[[0, 3, 1], [2, 2, 0]]', 'log_prob()', 'entropy()', 'probs', 'logits', 'mode'),
    *law('OneHotCategorical', 'logits=x', ['x:f32[2,3]'], 'v=[[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]', 'log_prob()', 'entropy()', 'mean', 'variance'),
    *law('Multinomial', '7, logits=x', ['x:f32[2,3]'], 'v=[[2.0, 1.0, 4.0], [7.0, 0.0, 0.0]]', 'log_prob()', 'mean', 'variance'),
    line('torch.distributions.Independent(torch.distributions.Normal(x, 1.5), 1).log_prob(x * 2)', 'x:f32[3,4]'),
    line('torch.distributions.Independent(torch.distributions.Normal(x, 1.5), 1).entropy()', 'x:f32[3,4]'),
    line('torch.distributions.MixtureSameFamily(torch.distributions.Categorical(logits=x), torch.distributions.Normal(y, 0.5)).log_prob(x[:, 0])',
         'x:f32[3,4]', 'y:f32[3,4]'),
    line('torch.distributions.MixtureSameFamily(torch.distributions.Categorical(logits=x), torch.distributions.Normal(y, 0.5)).variance', 'x:f32[3,4]', 'y:f32[3,4]'),
    ('TransformedDistribution', """
def f(x):
    from torch.distributions import transforms as T
    d = torch.distributions.TransformedDistribution(torch.distributions.Normal(x, 1.25), [T.AffineTransform(0.5, 2.0), T.TanhTransform()])
    return d.log_prob(torch.tanh(x) * 0.5)
""", 'x:f32[3,4]'),
    ('TransformedDistribution', """
def f(x):
    from torch.distributions import transforms as T
    base = torch.distributions.Independent(torch.distributions.Normal(x, 1.25), 1)
    d = torch.distributions.TransformedDistribution(base, [T.SigmoidTransform(), T.AffineTransform(1.0, 3.0)])
    return d.log_prob(torch.sigmoid(x) * 3 + 1)
""", 'x:f32[3,4]'),
    *[line('torch.distributions.kl_divergence(torch.distributions.%s, torch.distributions.%s)' % pair, 'x:f32[3,4]~0.1:0.9', 'y:f32[3,4]~0.1:0.9') for pair in (
        ('Normal(x, 1.5)', 'Normal(y, y)'), ('Laplace(x, 1.5)', 'Laplace(y, y)'), ('Bernoulli(x)', 'Bernoulli(y)'), ('Categorical(x)', 'Categorical(logits=y)'),
        ('Exponential(x)', 'Exponential(y)'), ('Gamma(x, y)', 'Gamma(y, x)'), ('Poisson(x)', 'Poisson(y)'),
        ('Independent(torch.distributions.Normal(x, 1.5), 1)', 'Independent(torch.distributions.Normal(y, 0.5), 1)'))],
    line('torch.multinomial((x > x.amax(-1, keepdim=True) - 1e-6).float(), 1)', 'x:f32[5,4]'),
    line('torch.multinomial(x, 4).sort(-1)[0]', 'x:f32[5,4]~0.1:2'), line('torch.multinomial((x == x.max()).float(), 6, True)', 'x=[0.5, 2.0, 1.0]'),
    line('F.adaptive_max_pool2d(x, (3, 4), return_indices=True)', 'x:f32[2,3,7,9]'),
    ('rotary embedding by complex numbers', """
def f(x):
    f = torch.outer(torch.arange(x.size(1)).float(), 1.0 / (10000.0 ** (torch.arange(0, 8, 2).float() / 8)))
    cis = torch.polar(torch.ones_like(f), f)
    y = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2)) * cis
    return torch.view_as_real(y).flatten(2)
""", 'x:f32[2,5,8]'),
    ('rotary embedding by complex numbers', """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        f = torch.outer(torch.arange(16.0), 1.0 / (10.0 ** (torch.arange(0, 8, 2).float() / 8)))
        self.register_buffer('cis', torch.polar(torch.ones_like(f), f), persistent=False)

    def forward(self, q, k):
        cis = self.cis[2:2 + q.shape[1]].view(1, q.shape[1], 1, 4)
        q_ = torch.view_as_complex(q.float().reshape(*q.shape[:-1], -1, 2))
        k_ = torch.view_as_complex(k.float().reshape(*k.shape[:-1], -1, 2))
        return torch.view_as_real(q_ * cis).flatten(3).type_as(q), torch.view_as_real(k_ * cis.conj()).flatten(3).type_as(k)
""", 'q:f32[2,5,3,8]', 'k:f32[2,5,1,8]'),
    ('a spectral convolution', """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.rand(3, 2, 3, 2, 2))

    def forward(self, x):
        w = torch.view_as_complex(self.w)
        ft = torch.fft.rfft(x)
        out = torch.zeros(x.shape[0], 2, x.shape[-1] // 2 + 1, dtype=torch.cfloat)
        out[:, :, :3] = torch.einsum('bix,iox->box', ft[:, :, :3], w[..., 0])
        return torch.fft.irfft(out, n=x.shape[-1]), ft.abs(), ft[..., 1:-1].angle()
""", 'x:f32[2,3,10]'),
    ('a filter of frequencies', """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(6, 4, 3, 2))

    def forward(self, x):
        y = torch.fft.rfft2(x, dim=(1, 2), norm='ortho')
        y = y * torch.view_as_complex(self.w)
        return torch.fft.irfft2(y, s=(6, 6), dim=(1, 2), norm='ortho')
""", 'x:f32[2,6,6,3]'),
    line('torch.fft.fft(torch.fft.fft(x, dim=-1), dim=-2).real', 'x:f32[2,5,7]'),
    *[line('torch.view_as_real(torch.fft.%s)' % c, 'x:f32[3,8]') for c in (
        'fft(x)', 'fft(x, n=11)', 'fft(x, n=5, dim=0)', "fft(x, norm='forward')", 'rfft(x[:, :7])', 'ifft(x.to(torch.complex64), dim=0)', 'fft2(x)', 'rfftn(x)', 'fftn(x, s=(4, 6))',
        "ifftn(torch.fft.rfft(x), norm='ortho')", 'fftshift(torch.fft.fft(x))')],
    *[line('torch.fft.%s' % c, 'x:f32[3,8]') for c in (
        'irfft(torch.fft.rfft(x))', 'irfft(torch.fft.rfft(x), n=7)', 'irfft(torch.fft.rfft(x), n=12)', "irfft(torch.fft.rfft(x), n=5, norm='forward')",
        'irfftn(torch.fft.rfftn(x))', 'ifft(torch.fft.fft(x) * 2).imag')],
    line('torch.stft(x, 8, return_complex=True).abs()', 'x:f32[2,30]'),
    line('torch.view_as_real(torch.stft(x, 8, 3, 6, window=torch.hann_window(6), center=False, normalized=True, return_complex=True))', 'x:f32[2,30]'),
    line('torch.view_as_real(torch.stft(x[0], 6, 3, onesided=False, pad_mode="constant", return_complex=True))', 'x:f32[2,30]'),
    line('torch.istft(torch.stft(x, 8, 2, window=torch.hann_window(8), return_complex=True) * 0.5, 8, 2, window=torch.hann_window(8))', 'x:f32[2,30]'),
    line('torch.istft(torch.stft(x, 8, 2, return_complex=True), 8, 2, length=27)', 'x:f32[2,30]'),
    *[line('torch.view_as_real(%s)' % c, 'x:f32[3,4]', 'y:f32[3,4]') for c in (
        'torch.complex(x, y) + x', 'x - torch.complex(x, y)', 'torch.complex(x, y) / torch.complex(y, x)', 'x / torch.complex(x, y)', 'torch.complex(x, y) / 3',
        'torch.complex(x, y) @ torch.complex(y, x).mT', 'torch.cat([torch.complex(x, y), torch.complex(y, x).conj_physical()], 1)', 'torch.complex(x, y).sum(0)',
        'torch.exp(torch.complex(x, y))', 'torch.stack([torch.complex(x, y)[0], -torch.complex(x, y)[1]])', 'torch.complex(x, y).to(torch.complex128)',
        'x.to(torch.complex64)', '(2.5 * torch.complex(x, y)).transpose(0, 1).reshape(2, 6)')],
    ('narrow from a size', """
def f(x):
    t = x.size(1)
    return x.narrow(1, t // 3, t // 3), x.narrow(1, -3, t // 3)
""", 'x:f32[2,7]'),
    line('torch.spmm(x, y)', 'x:f32[4,4]', 'y:f32[4,3]'),
    line('F.local_response_norm(x, 4, alpha=0.5, beta=0.6, k=1.5)', 'x:f32[2,5,3,2]'), line('F.local_response_norm(x, 3)', 'x:f32[2,5,3]'),
    *[line(c, 'x:f32[4,6]', 'y:f32[4,6]~0.5:4') for c in (
        'torch.angle(x)', 'torch.angle(torch.complex(x, y))', 'torch.view_as_real(torch.conj_physical(torch.complex(x, y)))', 'torch.asinh(x * 50)', 'torch.hypot(x, y)', 'torch.float_power(y, x)',
        'torch.float_power(x, 2)', 'torch.logical_and(x > 0, y)', 'torch.special.spherical_bessel_j0(x * 7)', 'torch.special.spherical_bessel_j0(x * 0)',
        'torch.aminmax(x)', 'torch.aminmax(x, dim=1, keepdim=True)', 'torch.cumulative_trapezoid(x, dx=0.5)', 'torch.cumulative_trapezoid(x, y, dim=0)',
        'torch.cartesian_prod(x[0], y[1], x[:2, 0])', 'torch.as_strided_scatter(x, y[:2, :2], (2, 2), (1, 2), 1)', 'torch.constant_pad_nd(x, (1, -1, 2, 0), 1.5)',
        'torch.frobenius_norm(x, [0, 1])', 'torch.frobenius_norm(x, [1], True)', 'torch.norm_except_dim(x, 2, 0)', 'torch.norm_except_dim(x, 2, 1)', 'torch.linalg.det(x[:3, :3])',
        'x.__rmatmul__(y.mT)', 'x.H', 'torch.bincount(y.flatten().long())', 'torch.bincount(y.flatten().long(), x.flatten(), 9)', 'torch.fft.rfftfreq(9, 0.5) * x[0, 0]',
        'torch.embedding(x, y.long().clamp(0, 3))', 'torch.convolution(x[None], y.reshape(4, 2, 3), None, [2], [1], [1], False, [0], 2)',
        'torch.fake_quantize_per_tensor_affine(x, 0.1, 3, 0, 31)', 'torch.dropout(x, 0.5, False)', 'F.triplet_margin_with_distance_loss(x, y, x + y)',
        "F.triplet_margin_with_distance_loss(x, y, x + y, swap=True, margin=0.3, reduction='none')", 'F.max_pool1d_with_indices(x, 2)', 'F.max_pool2d_with_indices(x[None], 2, 1)',
        'F.max_pool3d_with_indices(x[None, None], (1, 2, 2))', 'F.upsample_nearest(x[None], scale_factor=2)', 'F.upsample_bilinear(x[None, None], scale_factor=2)',
        'torch.rnn_relu_cell(x[:, :2], y[:, :2], x[:2, :2], y[:2, :2])', 'torch.grid_sampler(x[None, None], (y[None, :, :2] - 2)[:, None], 0, 0, True)',
        'torch.masked.logaddexp(x, y, input_mask=x > 0, other_mask=y > 1)')],
    *[line('torch.masked.' + c, 'x:f32[4,6]') for c in (
        'amax(x, 1, mask=x > -2)', 'amin(x, 1, mask=x > -2)', 'cumprod(x, 1, mask=x > 0)', 'logsumexp(x, 1, mask=x > -2)', 'norm(x, 2, 1, mask=x > 0)', 'normalize(x, 2, 1, mask=x > -2)',
        'softmax(x, 1, mask=x > -2)', 'softmin(x, 1, mask=x > -2)', 'std(x, 1, unbiased=True, mask=x > -2)', 'sum(x, 0, keepdim=True, mask=x > 0)')],
    line('torch.real(x) + torch.conj(x) * torch.conj_physical(x)', 'x:f32[3,4]'),
    line('F.triplet_margin_with_distance_loss(x, y, x + y, distance_function=lambda a, b: (a - b).abs().sum(-1), swap=True)', 'x:f32[3,4]', 'y:f32[3,4]'),
    line('nn.utils.rnn.pad_packed_sequence(nn.utils.rnn.pack_padded_sequence(x, torch.tensor([3, 2]), batch_first=True), batch_first=True)', 'x:f32[2,3,4]'),
]
