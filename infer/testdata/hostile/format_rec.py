class A:
    def __format__(self,s): return f"{self}"
f"{A()}"
