# The module heapq. A heap is kept sorted, which is a heap, too.


def heappush(heap, item):
    i = 0
    while i < len(heap) and not item < heap[i]:
        i += 1
    heap.insert(i, item)


def heappop(heap):
    if not heap:
        raise IndexError('index out of range')
    return heap.pop(0)


def heapify(x):
    x.sort()


def heappushpop(heap, item):
    if heap and heap[0] < item:
        top = heappop(heap)
        heappush(heap, item)
        return top
    return item


def heapreplace(heap, item):
    top = heappop(heap)
    heappush(heap, item)
    return top


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:n]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:n]


def merge(*iterables, key=None, reverse=False):
    return iter(sorted([x for it in iterables for x in it], key=key, reverse=reverse))
