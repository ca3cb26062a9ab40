# entry: forward
import chainer
import numpy as np
from chainer.iterators import ShuffleOrderSampler


def forward():
    data = np.arange(7)
    it = chainer.iterators.SerialIterator(data, 3, order_sampler=ShuffleOrderSampler())
    batches = [len(it.next()) for _ in range(4)]
    return batches, it.epoch, it.is_new_epoch, it.epoch_detail
