# entry: main
# arg: n=5
import numpy as np
from chainer import iterators, serializers


def main(n):
    back = iterators.SerialIterator(list('abcde'), 3, order_sampler=lambda order, at: order[::-1])
    letters = [back.next() for _ in range(n)]
    often = iterators.SerialIterator(list('abcde'), 3, order_sampler=lambda order, at: np.array([0, 0, 1, 1, 2, 2, 3]))
    some = [often.next() for _ in range(n)]
    kept = serializers.DictionarySerializer()
    plain = iterators.SerialIterator(list(range(4)), 2, shuffle=False)
    plain.next(), plain.next()
    plain.serialize(kept)
    again = iterators.SerialIterator(list(range(4)), 2, shuffle=False)
    again.serialize(serializers.NpzDeserializer(kept.target))
    wrong = iterators.SerialIterator(list('abcde'), 3, order_sampler=lambda order, at: order[1:] if at else order)
    refused = None
    try:
        wrong.next(), wrong.next()
    except ValueError as e:
        refused = str(e)
    return (letters, back.epoch, some, often.epoch, often.epoch_detail, sorted(kept.target), again.epoch, again.is_new_epoch,
            again.previous_epoch_detail, again.next(), refused)
