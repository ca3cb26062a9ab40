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
