# This file maps the old flags of losses to the name of a reduction.


def legacy_get_string(size_average, reduce, emit_warning=True):
    size_average = True if size_average is None else size_average
    reduce = True if reduce is None else reduce
    if size_average and reduce:
        return 'mean'
    return 'sum' if reduce else 'none'
