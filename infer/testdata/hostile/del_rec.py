class A:
    def __del__(self): del self
A()
