# entry: Slice()
# arg: v:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Slice(chainer.Chain):
  def __init__(self):
    super(Slice, self).__init__()

  def forward(self, v):
    x = [v,v+1,v+2,v+3]
    return x[1:2]
