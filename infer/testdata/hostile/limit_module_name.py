import importlib
for name in "a" * 4000000, "a." * 2000000 + "a":
    for load in __import__, importlib.import_module:
        try:
            load(name)
        except ModuleNotFoundError:
            continue
        assert False
