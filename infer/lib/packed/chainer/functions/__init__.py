# This file holds the functions that are made of others; the rest are records.
import _shapecheck
from chainer import Variable


def maxout(x, pool_size, axis=1):
    """The largest of each group of pool_size elements along an axis."""
    from chainer import functions as F
    if pool_size <= 0:
        raise ValueError('pool_size must be a positive integer.')
    shape = x.shape
    size = shape[axis]
    if size % pool_size != 0:
        from chainer.utils.type_check import InvalidType
        raise InvalidType('x.shape[axis] % pool_size == 0', 'x.shape[axis]=%s, pool_size=%s' % (size, pool_size), 'axis dimension must be divided by pool_size')
    groups = shape[:axis] + (size // pool_size, pool_size) + shape[axis + 1:]
    return F.max(F.reshape(x, groups), axis=axis + 1)


def _spread(x, y, axis):
    from chainer import functions as F
    before, after = axis, x.ndim - axis - y.ndim
    return F.broadcast_to(F.reshape(y, (1,) * before + tuple(y.shape) + (1,) * after), x.shape)


def bias(x, y, axis=1):
    """x plus y, whose first axis is that one of x."""
    return x + _spread(x, y, axis)


def scale(x, y, axis=1):
    """x times y, whose first axis is that one of x."""
    return x * _spread(x, y, axis)


def spatial_pyramid_pooling_2d(x, pyramid_height, pooling=None):
    """Max pooling to 1, 4, 16 … bins, side by side."""
    from chainer import functions as F
    channels, height, width = x.shape[1:]
    parts = []
    for level in range(pyramid_height):
        bins = 2 ** level
        if pooling != 'max':
            raise ValueError('Unsupported pooling operation: ', pooling)
        kh, kw = -(-height // bins), -(-width // bins)
        y = F.max_pooling_2d(x, (kh, kw), None, ((kh * bins - height) // 2, (kw * bins - width) // 2), True)
        n, c, h, w = y.shape
        parts.append(F.reshape(y, (n, c * h * w, 1, 1)))
    return F.concat(parts)


def _reduced(loss, reduce):
    from chainer import functions as F
    if reduce == 'sum':
        return F.sum(loss)
    if reduce == 'mean':
        return F.mean(loss)
    return loss


def _check_reduce(reduce, *allowed):
    if reduce not in allowed:
        raise ValueError("only %s are valid for 'reduce', but '%s' is given" % (' and '.join(allowed), reduce))


def bernoulli_nll(x, y, reduce='sum'):
    """Negative log likelihood of x under a Bernoulli distribution with logits y."""
    from chainer import functions as F
    _check_reduce(reduce, 'sum', 'mean', 'no')
    return _reduced(F.softplus(y) - x * y, reduce)


def gaussian_kl_divergence(mean, ln_var, reduce='sum'):
    """Divergence of a Gaussian from the standard one."""
    from chainer import functions as F
    _check_reduce(reduce, 'sum', 'mean', 'no')
    return _reduced((mean * mean + F.exp(ln_var) - ln_var - 1) * 0.5, reduce)


def gaussian_nll(x, mean, ln_var, reduce='sum'):
    """Negative log likelihood of x under a Gaussian."""
    from chainer import functions as F
    _check_reduce(reduce, 'sum', 'mean', 'no')
    precision = F.exp(-ln_var)
    diff = x - mean
    return _reduced((ln_var + 1.8378770664093453) / 2 + diff * diff * precision * 0.5, reduce)


def black_out(x, t, W, samples, reduce='mean'):
    """Loss of a softmax over a few sampled classes."""
    from chainer import functions as F
    column = x[:, :, None]
    negative = F.matmul(F.embed_id(samples, W), column)
    negative = F.reshape(negative, negative.shape[:-1])
    positive = F.matmul(F.expand_dims(F.embed_id(t, W), 1), column)
    positive = F.reshape(positive, positive.shape[:-1])
    total = F.logsumexp(F.concat([positive, negative]), axis=1)
    n = x.shape[0]
    spread, negative = F.broadcast(F.reshape(total, (n, 1)), negative)
    rest = F.log(1 - F.exp(negative - spread))
    loss = -(F.reshape(positive, (n,)) - total + F.sum(rest, axis=1))
    if reduce == 'mean':
        loss = F.mean(loss)
    return loss


def crf1d(cost, xs, ys, reduce='mean'):
    """Loss of a linear chain of labels; steps have as many rows as sequences go on."""
    from chainer import functions as F
    _check_reduce(reduce, 'mean', 'no')
    assert xs[0].shape[1] == cost.shape[0]
    labels, batch = cost.shape[0], xs[0].shape[0]
    alpha, ended = xs[0], []
    for x in xs[1:]:
        if alpha.shape[0] > x.shape[0]:
            alpha, rest = F.split_axis(alpha, [x.shape[0]], axis=0)
            ended.append(rest)
        wide, table = F.broadcast(alpha[..., None], cost)
        alpha = F.logsumexp(wide + table, axis=1) + x
    if ended:
        ended.append(alpha)
        alpha = F.concat(ended[::-1], axis=0)
    total = F.logsumexp(alpha, axis=1)
    flat = F.reshape(cost, (cost.size, 1))
    score, ended = F.select_item(xs[0], ys[0]), []
    for x, y, before in zip(xs[1:], ys[1:], ys[:-1]):
        rows = x.shape[0]
        if score.shape[0] > rows:
            before, _ = F.split_axis(before, [rows], axis=0)
            score, rest = F.split_axis(score, [rows], axis=0)
            ended.append(rest)
        score = score + F.select_item(x, y) + F.reshape(F.embed_id(before * labels + y, flat), (rows,))
    if ended:
        ended.append(score)
        score = F.concat(ended[::-1], axis=0)
    loss = total - score
    if reduce == 'mean':
        return F.sum(loss) / batch
    return loss


def argmax_crf1d(cost, xs):
    """The best labels of a linear chain, with their score."""
    from chainer import functions as F
    alpha, ended, best = xs[0], [], []
    for x in xs[1:]:
        if alpha.shape[0] > x.shape[0]:
            alpha, rest = F.split_axis(alpha, [x.shape[0]], axis=0)
            ended.append(rest)
        else:
            ended.append(None)
        wide, table = F.broadcast(alpha[..., None], cost)
        scores = wide + table
        best.append(F.argmax(scores, axis=1))
        alpha = F.max(scores, axis=1) + x
    last = F.argmax(alpha, axis=1)
    path = [last.array]
    for choice, rest in zip(best[::-1], ended[::-1]):
        last = F.select_item(choice, last)
        if rest is not None:
            last = F.concat([last, F.argmax(rest, axis=1)], axis=0)
        path.append(last.array)
    path.reverse()
    score = F.max(alpha, axis=1)
    for rest in ended[::-1]:
        if rest is not None:
            score = F.concat([score, F.max(rest, axis=1)], axis=0)
    return score, path


def discriminative_margin_based_clustering_loss(embeddings, labels, delta_v, delta_d, max_embedding_dim, norm=1, alpha=1.0, beta=1.0, gamma=0.001):
    """Embeddings of pixels near to the mean of their instance: three losses."""
    from chainer import functions as F
    import numpy
    if max_embedding_dim <= 0:
        raise ValueError('Max number of embeddings has to be positive!')
    if norm not in (1, 2):
        raise ValueError('For discriminative loss, norm can only be 1 or 2. Obtained the value : %s' % norm)

    def length(v, axis):
        if norm == 1:
            return F.sum(F.absolute(v), axis=axis)
        return F.sqrt(F.sum(v ** 2, axis=axis))
    assert max_embedding_dim == embeddings.shape[1]
    e = embeddings[None, :]
    e = F.broadcast_to(e, (e.shape[1], e.shape[1], e.shape[2], e.shape[3], e.shape[4]))
    masks = numpy.stack([numpy.expand_dims(labels == c + 1, 1) for c in range(max_embedding_dim)], 0)
    means = F.sum(e * masks, axis=(3, 4))
    means = means / numpy.maximum(numpy.sum(masks, (2, 3, 4))[:, :, None], 1)
    regular = F.sum(length(means, (1, 2))) / (max_embedding_dim * embeddings.shape[0])
    within = length((means[:, :, :, None, None] - e) * masks, 2)
    within = F.sum(F.relu(within - delta_v) ** 2, (1, 2, 3)) / numpy.maximum(numpy.sum(masks, (1, 2, 3, 4)), 1)
    within = F.sum(within) / max_embedding_dim
    between, count = 0.0, 0
    for i in range(len(means)):
        for j in range(i + 1, len(means)):
            between = between + F.sum(F.relu(2 * delta_d - length(means[i] - means[j], 1)) ** 2)
            count += 1
    between = between / max(count * embeddings.shape[0], 1)
    return alpha * within, beta * between, gamma * regular


def forget(func, *xs):
    """func of xs, computed again for the gradient."""
    if not callable(func):
        raise TypeError('func must be callable')
    ys = func(*[x if isinstance(x, Variable) else Variable(x) for x in xs])
    outs = ys if isinstance(ys, tuple) else (ys,)
    for y in outs:
        if not isinstance(y, Variable):
            raise RuntimeError('a tuple of Variables is expected of the function, not %s' % type(y))
    return outs[0] if len(outs) == 1 else outs
