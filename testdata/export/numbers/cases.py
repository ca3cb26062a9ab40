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
]
