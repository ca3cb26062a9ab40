# This file names the classes of torch.nn and the file of each family. A family
# is loaded when one of its classes is first used.
import importlib

_FAMILIES = {
    'module': 'Module',
    'linear': 'Identity Linear Bilinear LazyLinear',
    'conv': (
        'Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv1d LazyConv2d '
        'LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d'
    ),
    'activation': (
        'Threshold ReLU Hardtanh ReLU6 Sigmoid Tanh Softmax Softmax2d LogSoftmax ELU SELU CELU GLU GELU '
        'Hardshrink LeakyReLU LogSigmoid Softplus Softshrink PReLU Softsign Softmin Tanhshrink RReLU '
        'Hardsigmoid Hardswish SiLU Mish'
    ),
    'attention': 'MultiheadAttention',
    'loss': (
        'L1Loss NLLLoss NLLLoss2d KLDivLoss MSELoss BCELoss BCEWithLogitsLoss PoissonNLLLoss '
        'GaussianNLLLoss HingeEmbeddingLoss LinearCrossEntropyLoss MultiLabelMarginLoss SmoothL1Loss HuberLoss SoftMarginLoss '
        'CrossEntropyLoss MultiLabelSoftMarginLoss CosineEmbeddingLoss MarginRankingLoss MultiMarginLoss '
        'TripletMarginLoss TripletMarginWithDistanceLoss CTCLoss'
    ),
    'container': 'Container Sequential ModuleList ModuleDict ParameterList ParameterDict',
    'pooling': (
        'AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d '
        'FractionalMaxPool2d FractionalMaxPool3d LPPool1d LPPool2d LPPool3d AdaptiveMaxPool1d '
        'AdaptiveMaxPool2d AdaptiveMaxPool3d AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d'
    ),
    'batchnorm': (
        'BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm LazyBatchNorm1d LazyBatchNorm2d '
        'LazyBatchNorm3d'
    ),
    'instancenorm': (
        'InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d LazyInstanceNorm2d '
        'LazyInstanceNorm3d'
    ),
    'normalization': 'LocalResponseNorm CrossMapLRN2d LayerNorm GroupNorm RMSNorm',
    'dropout': 'Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout',
    'padding': (
        'ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d '
        'ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d ConstantPad1d ConstantPad2d ConstantPad3d '
        'CircularPad1d CircularPad2d CircularPad3d'
    ),
    'sparse': 'Embedding EmbeddingBag',
    'rnn': 'RNNBase RNN LSTM GRU RNNCellBase RNNCell LSTMCell GRUCell',
    'pixelshuffle': 'PixelShuffle PixelUnshuffle',
    'upsampling': 'Upsample UpsamplingNearest2d UpsamplingBilinear2d',
    'distance': 'PairwiseDistance CosineSimilarity',
    'adaptive': 'AdaptiveLogSoftmaxWithLoss',
    'fold': 'Fold Unfold',
    'transformer': (
        'Transformer TransformerEncoder TransformerDecoder TransformerEncoderLayer '
        'TransformerDecoderLayer'
    ),
    'flatten': 'Flatten Unflatten',
    'channelshuffle': 'ChannelShuffle',
}
_FILE = {name: family for family, names in _FAMILIES.items() for name in names.split()}
__all__ = list(_FILE)


def __getattr__(name):
    if name not in _FILE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(__name__ + '.' + _FILE[name])
    for n in _FAMILIES[_FILE[name]].split():
        globals()[n] = getattr(module, n)
    return globals()[name]
