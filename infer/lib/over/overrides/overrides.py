# What a method overrides is found in the code of the function that calls the decorator, which is not gone through.


def overrides(method=None, *, check_signature=True, check_at_runtime=False):
    def mark(method):
        if hasattr(method, '__func__'):
            method.__func__.__override__ = True
        else:
            method.__override__ = True
        return method

    return mark if method is None else mark(method)


override = overrides
