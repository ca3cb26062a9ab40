# entry: Net()
# arg: x:f32[3,6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        hyps = [{'score': 0.0, 'seq': [0]}]
        for t in range(3):
            new = []
            for hyp in hyps:
                for k in range(2):
                    new.append({'score': hyp['score'] + k, 'seq': hyp['seq'] + [k]})
            hyps = sorted(new, key=lambda d: d['score'], reverse=True)[:2]
        return [h['seq'] for h in hyps], x[:, :len(hyps)]
