# Filterbanks of asteroid_filterbanks, resampling by julius, axes with names of einx.
import einx
import torch
from asteroid_filterbanks import Decoder, Encoder, FreeFB, STFTFB, make_enc_dec
from asteroid_filterbanks.transforms import apply_complex_mask, apply_mag_mask, from_torch_complex, mag, magreim, to_torch_complex
from julius import ResampleFrac, resample_frac


def told(*tensors):
    return [(list(t.shape), str(t.dtype)) for t in tensors]


def raised(f, *args):
    try:
        return told(f(*args))
    except Exception:
        return 'raised'


def coded():
    out = []
    for name, who in (('free', None), ('stft', None), ('stft', 'decoder'), ('analytic_free', 'encoder'), (FreeFB, None)):
        enc, dec = make_enc_dec(name, n_filters=32, kernel_size=16, stride=8, who_is_pinv=who, padding=2)
        for shape in ((100,), (3, 100), (3, 1, 100), (3, 2, 100), (3, 2, 4, 100)):
            spec = enc(torch.rand(shape))
            out += told(spec, dec(spec), dec(spec, length=90))
        out.append((enc.n_feats_out, enc.stride, enc.sample_rate, dec.is_pinv, enc.get_config()))
    return out


def refused():
    enc, _ = make_enc_dec('stft', 32, 16)
    return [raised(enc, torch.rand(1, 1, 15)), raised(STFTFB, 31, 16), raised(STFTFB, 16, 32), raised(mag, torch.rand(2, 3, 4)),
            raised(FreeFB(4, 4), torch.rand(2, 1, 9))]


def transformed():
    x = torch.rand(2, 6, 5)
    return told(mag(x), magreim(x), mag(x, dim=1), apply_mag_mask(x, torch.rand(2, 3, 5)), apply_complex_mask(x, x), to_torch_complex(x),
                from_torch_complex(to_torch_complex(x)))


def wrapped():
    enc = Encoder(FreeFB(8, 4), as_conv1d=False)
    return told(enc(torch.rand(2, 1, 10)), Decoder.pinv_of(enc)(enc(torch.rand(2, 1, 10))))


def resampled():
    return told(resample_frac(torch.rand(2, 1001), 1, 2), resample_frac(torch.rand(2, 3, 1001), 2, 1), resample_frac(torch.rand(99), 3, 3),
                ResampleFrac(4, 5)(torch.rand(2, 999)), resample_frac(torch.rand(101), 2, 1, full=True),
                resample_frac(torch.rand(101), 2, 1, output_length=20))


def not_resampled():
    return [raised(resample_frac, torch.rand(9), 1.5, 2), raised(lambda: resample_frac(torch.rand(9), 1, 2, output_length=19))]


def elementwise():
    m, t, i, j = torch.ones(2, 3, dtype=torch.bool), torch.rand(2, 3, 4), torch.arange(5), torch.arange(6)
    return told(einx.where('b n, b n d, -> b n d', m, t, 0.), einx.less('j, i -> i j', j, i), einx.subtract('i, j -> 1 1 i j', i, j),
                einx.multiply('b n, b', torch.rand(2, 3), torch.rand(2)),
                einx.subtract('... j, ... i -> ... i j', torch.rand(2, 7, 3), torch.rand(2, 7, 4)),
                einx.add('b n d, s d -> (b s) n d', t, torch.rand(5, 4)), einx.where('i j, j,', m, torch.arange(3), -1),
                einx.multiply('b n h, b h n d ->b h n d', torch.rand(2, 3, 4), torch.rand(2, 4, 3, 5)),
                einx.equal('j, b i -> b j i', j, torch.ones(2, 3)))


def not_elementwise():
    return [raised(einx.add, 'a b, a', torch.rand(2, 3), torch.rand(3)), raised(einx.add, 'a b, a', torch.rand(2, 3, 4), torch.rand(2)),
            raised(einx.add, 'a, b', torch.rand(2), torch.rand(3)), raised(einx.add, 'a b, a b', torch.rand(2, 3), torch.rand(2, 1))]


def reduced():
    x = torch.rand(2, 3, 4)
    return told(einx.sum('... c -> ...', x), einx.mean('a b c -> c a', x), einx.max('a b c -> b', x))
