# Loops of builtin functions over elements that are not known one by one, so that the typed graph
# has them.


def total(first, rest):
    for x in rest:
        first = first + x
    return first
