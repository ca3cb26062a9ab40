class A:
    def __eq__(self,o): return o==self
A()==A()
