class A:
    def __index__(self): return self
[1][A()]
