# This file finds the links by name: the family of each is loaded when it is asked for.
_FAMILIES = {
    'connection': 'Linear Bias Bilinear EmbedID Highway Inception InceptionBN MLPConvolution2D Parameter Scale Maxout PReLU SimplifiedDropconnect Swish',
    'convolution': 'Convolution1D Convolution2D Convolution3D ConvolutionND Deconvolution1D Deconvolution2D Deconvolution3D DeconvolutionND '
                   'DeformableConvolution2D DepthwiseConvolution2D DilatedConvolution2D LocalConvolution2D',
    'normalization': 'BatchNormalization BatchRenormalization DecorrelatedBatchNormalization GroupNormalization LayerNormalization',
    'recurrent': 'LSTM StatelessLSTM GRU StatefulGRU StatelessGRU StatefulMGU StatelessMGU StatefulPeepholeLSTM StatefulZoneoutLSTM ChildSumTreeLSTM NaryTreeLSTM',
    'sequences': 'NStepLSTM NStepBiLSTM NStepGRU NStepBiGRU NStepRNNTanh NStepRNNReLU NStepBiRNNTanh NStepBiRNNReLU',
    'losses': 'BinaryHierarchicalSoftmax BlackOut CRF1d Classifier NegativeSampling',
    'model.vision.googlenet': 'GoogLeNet',
    'model.vision.resnet': 'ResNet50Layers ResNet101Layers ResNet152Layers',
    'model.vision.vgg': 'VGG16Layers VGG19Layers',
}
_FILES = {name: file for file, names in _FAMILIES.items() for name in names.split()}


def __getattr__(name):
    import importlib
    if name in _FILES:
        return getattr(importlib.import_module('chainer.links.' + _FILES[name]), name)
    if name == 'TheanoFunction':
        import _shapecheck
        return _shapecheck.unknown('chainer.links.TheanoFunction runs what another framework made')
    if name in ('model', 'caffe'):
        return importlib.import_module('chainer.links.' + name)
    raise AttributeError("module 'chainer.links' has no attribute '%s'" % name)


__all__ = list(_FILES)
