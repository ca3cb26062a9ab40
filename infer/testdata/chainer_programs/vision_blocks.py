# entry: forward
# arg: x:f32[1,3,224,224]
import chainer
import chainer.links as L
from chainer.links.model.vision.resnet import BottleneckB, BuildingBlock, _global_average_pooling_2d


def forward(x):
    with chainer.using_config('train', False):
        block = BuildingBlock(n_layers=2, in_channels=3, mid_channels=4, out_channels=8, stride=2)
        h = BottleneckB(8, 4)(block(x))
        sides = L.GoogLeNet(None)(x, ['inception_4a', 'loss1_fc2', 'loss2_fc2'])
    return h, _global_average_pooling_2d(h), sides, type(block.b1).__module__
