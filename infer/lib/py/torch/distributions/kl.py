# This file defines the Kullback-Leibler divergence: one number per batch entry.


def kl_divergence(p, q):
    return p.entropy() + q.entropy()


def register_kl(type_p, type_q):
    return lambda fn: fn
