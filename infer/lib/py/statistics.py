# The module statistics.


class StatisticsError(ValueError):
    pass


def _data(data):
    data = list(data)
    if not data:
        raise StatisticsError('at least one data point is required')
    return data


def mean(data):
    data = _data(data)
    return sum(data) / len(data)


def fmean(data, weights=None):
    data = _data(data)
    if weights is not None:
        weights = list(weights)
        return sum([float(d) * w for d, w in zip(data, weights)]) / sum(weights)
    return float(sum(data)) / len(data)


def median(data):
    data = sorted(_data(data))
    n = len(data)
    return data[n // 2] if n % 2 else (data[n // 2 - 1] + data[n // 2]) / 2


def median_low(data):
    data = sorted(_data(data))
    return data[(len(data) - 1) // 2]


def median_high(data):
    data = sorted(_data(data))
    return data[len(data) // 2]


def mode(data):
    data = _data(data)
    best = data[0]
    for x in data:
        if data.count(x) > data.count(best):
            best = x
    return best


def pvariance(data, mu=None):
    data = _data(data)
    mu = mean(data) if mu is None else mu
    return sum([(x - mu) ** 2 for x in data]) / len(data)


def variance(data, xbar=None):
    data = _data(data)
    if len(data) < 2:
        raise StatisticsError('variance requires at least two data points')
    return pvariance(data, xbar) * len(data) / (len(data) - 1)


def stdev(data, xbar=None):
    return variance(data, xbar) ** 0.5


def pstdev(data, mu=None):
    return pvariance(data, mu) ** 0.5


def harmonic_mean(data, weights=None):
    data = _data(data)
    weights = [1] * len(data) if weights is None else list(weights)
    return sum(weights) / sum([w / x for x, w in zip(data, weights)])


def geometric_mean(data):
    from math import exp, log
    return exp(fmean([log(x) for x in _data(data)]))


def covariance(x, y, /):
    if len(x) != len(y) or len(x) < 2:
        raise StatisticsError('covariance requires that both inputs have same number of at least two data points')
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum([(a - mx) * (b - my) for a, b in zip(x, y)]) / (len(x) - 1)


def correlation(x, y, /):
    return covariance(x, y) / (stdev(x) * stdev(y))
