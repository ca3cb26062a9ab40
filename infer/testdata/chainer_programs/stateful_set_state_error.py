# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    lstm = L.LSTM(3, 4)
    gru = L.StatefulGRU(3, 4)
    zo = L.StatefulZoneoutLSTM(3, 4)
    pe = L.StatefulPeepholeLSTM(3, 4)
    out = []
    for n in (5, 5, 3):
        x = np.ones((n, 3), 'f')
        out.append((lstm(x).shape, lstm.c.shape, lstm.h.shape))
    gru(np.ones((2, 3), 'f'))
    zo(np.ones((2, 3), 'f'))
    pe(np.ones((2, 3), 'f'))
    lstm.reset_state()
    lstm.set_state(np.zeros((2, 4), 'f'), np.ones((2, 4), 'f'))
    return out, gru.h, zo.c, pe.h, lstm.c, lstm(np.ones((2, 3), 'f')), lstm.h is not None
