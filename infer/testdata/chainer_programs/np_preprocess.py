# entry: run
import chainer
import chainer.functions as F
from chainer.dataset import convert
import numpy as np


class PreprocessedDataset(chainer.dataset.DatasetMixin):
    def __init__(self, n, mean, crop_size, random=True):
        self.base = [(np.random.rand(3, 32, 32).astype('f'), np.int32(i)) for i in range(n)]
        self.mean = mean.astype(chainer.get_dtype())
        self.crop_size = crop_size
        self.random = random

    def __len__(self):
        return len(self.base)

    def get_example(self, i):
        crop_size = self.crop_size
        image, label = self.base[i]
        _, h, w = image.shape
        if self.random:
            top = np.random.randint(0, h - crop_size - 1)
            left = np.random.randint(0, w - crop_size - 1)
            if np.random.randint(0, 2):
                image = image[:, :, ::-1]
        else:
            top = (h - crop_size) // 2
            left = (w - crop_size) // 2
        bottom = top + crop_size
        right = left + crop_size
        image = image[:, top:bottom, left:right].copy()
        image -= self.mean[:, top:bottom, left:right]
        image *= (1.0 / 255.0)
        return image, label


class VecConverter(object):
    def __call__(self, batch, device=None):
        x, t = convert.concat_examples(batch, device)
        return x.reshape(len(x), -1), t[:, None]


def run():
    mean = np.zeros((3, 32, 32), 'd')
    a = PreprocessedDataset(8, mean, 24, random=False)
    b = PreprocessedDataset(8, mean, 24)
    it = chainer.iterators.SerialIterator(b, 4)
    x, t = convert.concat_examples(it.next())
    y, u = VecConverter()([a[0], a[1], a[2]])
    st = np.stack([im for im, _ in a[:3]])
    mu, sd = st.mean(axis=(0, 2, 3), keepdims=True), st.std(axis=(0, 2, 3), keepdims=True)
    z = (st - mu) / (sd + 1e-5)
    pad = np.pad(st, ((0, 0), (0, 0), (2, 2), (1, 3)), 'constant')
    cols = F.im2col(st, 3, 1, 1)
    return a[0], x, y, u, z, pad, cols, st.transpose(0, 2, 3, 1).astype(np.uint8), np.split(st, 3)[1], np.argsort(-sd.ravel())
