# entry: forward
# arg: x:f32[7,2]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    it = chainer.iterators.SerialIterator(x, 3, repeat=False, shuffle=False)
    sizes = [len(b) for b in it]
    it.reset()
    first = it.next()
    m = chainer.iterators.MultithreadIterator(x, 2, shuffle=False)
    batch = m.next()
    r = chainer.iterators.SerialIterator(x, 4, order_sampler=chainer.iterators.ShuffleOrderSampler())
    a = r.next()
    return sizes, first, it.epoch, it.current_position, batch, m.batch_size, len(a), r.epoch_detail, r.previous_epoch_detail
