def f(): eval("f()")
f()
