import torch

class Tool:
    def go(self, x, n):
        return x * n

    @staticmethod
    def st(x, n):
        return x + n

    @classmethod
    def cl(cls, x, n):
        return x - n

    def skip(self, x, n):
        return x

t = Tool()

@torch.compile
def f(x, a, b, c, d):
    return t.go(x, a) + t.st(x, b) + Tool.cl(x, c) + t.skip(x, d)

x = torch.ones(3)
f(x, 2, 2, 2, 2)
f(x, 3, 2, 2, 2)
f(x, 3, 3, 2, 2)
f(x, 3, 3, 3, 2)
f(x, 3, 3, 3, 3)
