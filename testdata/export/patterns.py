"""Patterns of einops; the cases file has the same in PyTorch."""
from einops import rearrange, reduce, repeat


def heads(x):
    return rearrange(x, 'b n (h d) -> b h n d', h=2), rearrange(x, 'b n d -> (b n) d'), rearrange(x, '... d -> d ...')


def patches(x):
    return rearrange(x, 'b c (h p) (w q) -> b (h w) (p q c)', p=2, q=2)


def reduced(x):
    return reduce(x, 'b n d -> b d', 'mean'), reduce(x, 'b n (h d) -> h b', 'max', h=3), reduce(x, 'b n d -> b 1 d', 'sum')


def repeated(x):
    return repeat(x, 'b n d -> b n (d 2)'), repeat(x, 'b n d -> b k n d', k=3), repeat(x, 'b n d -> (r b) n d', r=x.shape[1])
