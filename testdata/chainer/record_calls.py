#!/usr/bin/env python3
"""record_calls.py: what Chainer 7.8.1 computes for calls of its functions -> calls.tsv and calls.npz, beside this file.

calls.tsv has a line for each call: its number, `train` or `eval`, the call. calls.npz has the inputs `N.a` ..., which are Variables, `N.t` to `N.w`, which
are arrays, and the results `N.out0` .... A call that Chainer refuses is an error of this list.
"""
import os, sys, warnings
warnings.simplefilter('ignore')
import numpy as np
import chainer
import chainer.functions as F
HERE = os.path.dirname(os.path.abspath(__file__))
rs = np.random.RandomState(16)
r = lambda *s: np.array(rs.randn(*s), 'f')                   # any numbers
p = lambda *s: (rs.rand(*s) + 0.5).astype('f')              # 0.5 .. 1.5
u = lambda *s: (rs.rand(*s) * 1.8 - 0.9).astype('f')        # -0.9 .. 0.9
q = lambda *s: (rs.rand(*s) * 0.9 + 0.05).astype('f')       # 0.05 .. 0.95
I = lambda x: np.array(x, 'i')
B = lambda x: np.array(x, bool)
CALLS = []


def calls(names, *inputs, t=()):
    """Several calls on inputs of one kind: makers of arrays."""
    for name in names.split('|'):
        CALLS.append((name.strip(), [f() for f in inputs], list(t)))


# element-wise
calls('F.absolute(a)|F.arctan(a)|F.ceil(a)|F.cos(a)|F.cosh(a)|F.sinh(a)|F.tan(a)|F.erfc(a)|F.expm1(a)|F.fix(a)|F.floor(a)|F.sign(a)|F.square(a)|F.selu(a)|'
      'F.selu(a, alpha=1.5, scale=2.0)|F.elu(a, alpha=0.5)|F.softplus(a, beta=2.0)|F.log_ndtr(a)|F.ndtr(a)|F.crelu(a)|F.crelu(a, axis=0)|F.copy(a, -1)|F.identity(a)|F.cast(a, "f8")|'
      'F.erfcx(a)|-a|+a|abs(a)|a ** 2|2.0 ** a|a.T|a.mean(axis=0)|F.relu6(a * 4)|F.hard_sigmoid(a * 4)|F.clipped_relu(a, 0.5)', lambda: r(3, 4))
calls('F.arccos(a)|F.arcsin(a)|F.arctanh(a)|F.log1p(a)|F.erfinv(a)', lambda: u(3, 4))
calls('F.log10(a)|F.log2(a)|F.rsqrt(a)|F.lgamma(a)|F.digamma(a)', lambda: p(3, 4))
calls('F.ndtri(a)|F.erfcinv(a)', lambda: q(3, 4))
calls('F.minimum(a, b)|F.fmod(a, b)|F.add(a, b)|F.add(a, b, a)|F.squared_difference(a, b)|F.squared_error(a, b)|F.absolute_error(a, b)|F.mean_absolute_error(a, b)|'
      'F.linear_interpolate(a, b, a)|F.arctan2(a, b)|a @ b.T|a.reshape(4, 3)|a.reshape((2, -1))|a.transpose(1, 0)|a.transpose()|F.matmul(a, b, transa=True)', lambda: r(3, 4), lambda: r(3, 4))
calls('F.minimum(a, b)|F.maximum(a, b)|F.add(a, b)|F.bias(a, b)|F.scale(a, b)|F.prelu(a, b)|F.swish(a, b)', lambda: r(2, 3, 4), lambda: r(3, 4))
calls('F.prelu(a, b)|F.bias(a, b)|F.scale(a, b)|F.swish(a, b)', lambda: r(2, 3, 4), lambda: r(3))
calls('F.prelu(a, b)', lambda: r(2, 3, 4), lambda: r())
calls('F.scale(a, b, axis=0)', lambda: r(3, 4), lambda: r(3))
# reductions
calls('F.sum(a)|F.sum(a, axis=1, keepdims=True)|F.mean(a)|F.mean(a, axis=(0, 2))|F.average(a, axis=1)|F.average(a, axis=(0, 1), keepdims=True)|F.min(a, axis=0)|F.min(a)|F.max(a)|'
      'F.prod(a)|F.prod(a, axis=(0, 2), keepdims=True)|F.logsumexp(a)|F.logsumexp(a, axis=(0, 1))|F.argmax(a)|F.argmax(a, axis=1)|F.argmin(a, axis=-1)|F.argmin(a)|F.cumsum(a)|F.cumsum(a, axis=-1)|'
      'F.cumprod(a, axis=1)|F.cumprod(a)|F.batch_l2_norm_squared(a)|F.sum_to(a, (1, 3, 1))|F.sum_to(a, (3, 1))|F.softmax(a, axis=0)|F.softmax(a)|F.log_softmax(a, axis=2)', lambda: r(2, 3, 4))
calls('F.average(a, axis=1, weights=b)|F.average(a, axis=1, weights=b, keepdims=True)', lambda: r(2, 3, 4), lambda: p(3))
calls('F.average(a, weights=b)', lambda: r(2, 3), lambda: p(2, 3))
# shapes
calls('F.transpose(a)|F.transpose(a, (1, 0, 2))|F.transpose(a, (-1, 0, 1))|F.flatten(a)|F.reshape(a, (-1, 4))|F.expand_dims(a, -1)|F.swapaxes(a, 0, 2)|F.moveaxis(a, 0, -1)|F.moveaxis(a, (0, 1), (2, 0))|'
      'F.rollaxis(a, 2)|F.rollaxis(a, 0, 2)|F.rollaxis(a, -1, 1)|F.flip(a, 1)|F.flipud(a)|F.fliplr(a)|F.flip(a, -1)|F.diagonal(a)|F.diagonal(a, 1, 1, 2)|F.diagonal(a, -1, 0, 1)|F.tile(a, 2)|F.tile(a, (2, 1, 1, 3))|'
      'F.repeat(a, 2)|F.repeat(a, 3, axis=0)|F.repeat(a, (1, 0, 2), axis=1)|F.repeat(a, 2, axis=-1)|F.concat((a, a), axis=2)|F.concat((a, a))|F.stack((a, a), axis=-1)|F.hstack((a, a))|F.vstack((a, a))|F.dstack((a, a))|'
      'F.split_axis(a, 2, 2)|F.split_axis(a, [1], 1)|F.split_axis(a, [1, 3], 2)|F.split_axis(a, 3, axis=-2)|F.split_axis(a, 1, 0, force_tuple=False)|F.separate(a, axis=1)|F.separate(a)|F.separate(a, axis=-1)|'
      'F.pad(a, 1, "constant")|F.pad(a, ((0, 0), (1, 2), (3, 0)), "constant", constant_values=2.5)|F.pad(a, (1, 0), "edge")|F.pad(a, ((0, 0), (1, 1), (2, 3)), "reflect")|'
      'F.pad(a, ((1, 0), (0, 0), (0, 2)), "constant", constant_values=((1, 1), (0, 0), (2, 3)))|'
      'F.get_item(a, 1)|F.get_item(a, (slice(None), -1))|a[:, 1:, ::2]|a[..., 0]|a[:, None]|a[1, :, ::-1]|a[::-1]|a[:, ::-2]|a[..., 3:0:-2]|a[0, 2:0:-1]|a[:, [0, 2], ::-1]|a[[0, 1, 1]]|a[:, [2, 0]]|a[0, [2, 0], [1, 1]]|F.broadcast_to(a, (2, 2, 3, 4))', lambda: r(2, 3, 4))
calls('F.squeeze(a)|F.squeeze(a, axis=1)|F.squeeze(a, axis=(1, -1))', lambda: r(2, 1, 3, 1))
calls('F.hstack((a, b))|F.concat((a, b), axis=0)|F.broadcast(a, b)', lambda: r(3), lambda: r(3))
calls('F.vstack((a, a))|F.dstack((a, a))|F.expand_dims(a, 0)|F.cumsum(a)', lambda: r(3))
calls('F.hstack((a, a))|F.vstack((a, a))|F.stack((a, a))', lambda: r())
calls('F.broadcast(a, b)', lambda: r(2, 1, 4), lambda: r(3, 1))
calls('F.depth2space(a, 2)|F.space2depth(a, 2)|F.im2col(a, 3)|F.im2col(a, (2, 3), stride=2, pad=1)|F.im2col(a, 2, cover_all=True, stride=3)|F.im2col(a, 2, dilate=2)|'
      'F.unpooling_2d(a, 2)|F.unpooling_2d(a, 2, cover_all=False)|F.unpooling_2d(a, 3, 2, 1)|F.unpooling_2d(a, 2, outsize=(7, 12))|F.unpooling_nd(a, 2)|F.resize_images(a, (5, 7))|F.resize_images(a, (2, 3))|'
      'F.resize_images(a, (6, 9), mode="nearest")|F.resize_images(a, (7, 5), align_corners=False)|F.resize_images(a, (1, 1))|F.spatial_pyramid_pooling_2d(a, 2, pooling="max")', lambda: r(2, 8, 4, 6))
calls('F.shift(a)|F.shift(a, ksize=3, dilate=2)', lambda: r(1, 9, 4, 6))
calls('F.pad_sequence([a, b])|F.pad_sequence([a, b], length=4)|F.pad_sequence([a, b], padding=-1.5)|F.transpose_sequence([a, b])', lambda: r(3, 2), lambda: r(1, 2))
calls('F.where(t, a, b)', lambda: r(2, 3), lambda: r(2, 3), t=[B([[1, 0, 1], [0, 1, 1]])])
calls('F.where(t, a, b)|F.maximum(a, b)', lambda: r(2, 3), lambda: r(3), t=[B([[1], [0]])])
calls('F.select_item(a, t)|a[t]|F.embed_id(t, a)|F.get_item(a, (slice(None), t))|F.permutate(a, u)|F.permutate(a, u, inv=True)|F.permutate(a, t, axis=1)', lambda: r(3, 3), t=[I([0, 2, 1]), I([1, 2, 0])])
calls('F.embed_id(t, a)|F.embed_id(t, a, ignore_label=-1)', lambda: r(5, 3), t=[I([[1, 4], [0, 1]])])
calls('F.embed_id(t, a, ignore_label=-1)|F.embed_id(t, a, ignore_label=3)', lambda: r(5, 3), t=[I([[1, 3], [3, 0]])])
calls('F.embed_id(t, a, ignore_label=-1)', lambda: r(5, 3), t=[I([[1, -1], [0, 1]])])
calls('F.scatter_add(a, t, b)|F.scatter_add(a, (t, slice(None)), b)', lambda: r(4, 3), lambda: r(3, 3), t=[I([0, 2, 0])])
# products
calls('F.matmul(a, b)|F.matmul(a, b, transa=True, transb=True)|F.tensordot(a, b, 1)|F.tensordot(a, b, ((0,), (1,)))|F.einsum("ij,jk->ik", a, b)|F.einsum("ij,jk", a, b)|F.einsum("ij,jk->", a, b)', lambda: r(3, 3), lambda: r(3, 3))
calls('F.matmul(a, b)|F.einsum("...ij,...jk->...ik", a, b)|F.batch_matmul(a, b)', lambda: r(2, 3, 4), lambda: r(2, 4, 5))
calls('F.batch_matmul(a, b, transa=True)|F.matmul(a, b, transa=True)|F.batch_matmul(a, b, transa=True, transb=False)', lambda: r(2, 4, 3), lambda: r(2, 4, 5))
calls('F.batch_matmul(a, b)', lambda: r(2, 3, 4), lambda: r(2, 4))
calls('F.matmul(a, b)|F.matmul(a, b, transa=True)', lambda: r(4), lambda: r(4))
calls('F.matmul(a, b)', lambda: r(3, 4), lambda: r(4))
calls('F.tensordot(a, b)', lambda: r(2, 3, 4), lambda: r(3, 4, 2))
calls('F.bilinear(a, b, c)', lambda: r(2, 3), lambda: r(2, 4), lambda: r(3, 4, 5))
calls('F.bilinear(a, b, c, d, e, f)', lambda: r(2, 3), lambda: r(2, 4), lambda: r(3, 4, 5), lambda: r(3, 5), lambda: r(4, 5), lambda: r(5))
calls('F.linear(a, b, c)', lambda: r(2, 3, 4), lambda: r(5, 12), lambda: r(5))
calls('F.linear(a, b, c, n_batch_axes=2)', lambda: r(2, 3, 4), lambda: r(5, 4), lambda: r(5))
calls('F.linear(a, b, n_batch_axes=2)', lambda: r(2, 3, 2, 2), lambda: r(5, 4))
calls('F.inv(a)|F.det(a)', lambda: r(3, 3) + 3 * np.eye(3, dtype='f'))
calls('F.batch_det(a)|F.batch_inv(a)', lambda: r(2, 3, 3) + 3 * np.eye(3, dtype='f'))
# convolutions
calls('F.convolution_2d(a, b)|F.convolution_2d(a, b, c, stride=(2, 1), pad=(1, 0))|F.convolution_2d(a, b, c, stride=2, cover_all=True)|F.convolution_2d(a, b, stride=3, pad=1, cover_all=True)|'
      'F.convolution_2d(a, b, c, dilate=2)|F.dilated_convolution_2d(a, b, c, pad=2, dilate=2)|F.convolution_nd(a, b, c, stride=2)', lambda: r(2, 3, 7, 6), lambda: r(4, 3, 3, 2), lambda: r(4))
calls('F.convolution_1d(a, b, c, stride=2, pad=1)|F.convolution_nd(a, b, c, stride=2, cover_all=True)', lambda: r(2, 3, 8), lambda: r(4, 3, 3), lambda: r(4))
calls('F.convolution_3d(a, b)|F.convolution_nd(a, b, pad=1)', lambda: r(1, 2, 4, 4, 4), lambda: r(3, 2, 2, 2, 2))
calls('F.depthwise_convolution_2d(a, b, c, stride=2, pad=1)', lambda: r(2, 3, 5, 5), lambda: r(2, 3, 3, 3), lambda: r(6))
calls('F.deconvolution_2d(a, b, c)|F.deconvolution_2d(a, b, c, stride=2, pad=1)|F.deconvolution_2d(a, b, stride=2, pad=1, outsize=(8, 10))|F.deconvolution_2d(a, b, c, stride=2, outsize=(10, 12))|F.deconvolution_2d(a, b, dilate=2)|'
      'F.deconvolution_nd(a, b, c, stride=2)', lambda: r(2, 3, 4, 5), lambda: r(3, 2, 3, 3), lambda: r(2))
calls('F.deconvolution_2d(a, b, groups=2, stride=2)', lambda: r(1, 4, 3, 3), lambda: r(4, 3, 2, 2))
calls('F.deconvolution_1d(a, b, c, stride=2, pad=1)|F.deconvolution_1d(a, b, c, stride=2, pad=1, outsize=(8,))', lambda: r(2, 3, 4), lambda: r(3, 2, 3), lambda: r(2))
calls('F.deconvolution_3d(a, b, stride=2)', lambda: r(1, 2, 2, 2, 2), lambda: r(2, 3, 3, 3, 3))
calls('F.local_convolution_2d(a, b, c)|F.local_convolution_2d(a, b)', lambda: r(2, 3, 4, 5), lambda: r(2, 3, 4, 3, 2, 2), lambda: r(2, 3, 4))
# pooling
calls('F.max_pooling_2d(a, 2)|F.max_pooling_2d(a, 3, stride=2)|F.max_pooling_2d(a, 3, stride=2, cover_all=False)|F.max_pooling_2d(a, (3, 2), stride=(2, 3), pad=1)|F.max_pooling_2d(a, 2, stride=3)|'
      'F.average_pooling_2d(a, 2)|F.average_pooling_2d(a, 3, stride=2)|F.average_pooling_2d(a, 3, stride=2, pad=1)|F.average_pooling_2d(a, (7, 8))|F.max_pooling_nd(a, 3, stride=2)|F.average_pooling_nd(a, 2, pad=1)|'
      'F.average_pooling_nd(a, 3, stride=2, pad=1, pad_value=None)|F.max_pooling_2d(a, 3, stride=1, pad=1)|F.max_pooling_2d(a, 3, stride=2, return_indices=True)|F.max_pooling_2d(a, 4, stride=4, pad=1)', lambda: r(2, 3, 7, 8))
calls('F.max_pooling_1d(a, 2)|F.max_pooling_1d(a, 3, stride=2, pad=1)|F.average_pooling_1d(a, 2)|F.average_pooling_1d(a, 3, stride=2, pad=1)|F.average_pooling_1d(a, 3, 2, 1, None)|F.unpooling_1d(a, 2)|F.unpooling_1d(a, 3, 2)', lambda: r(2, 3, 7))
calls('F.max_pooling_3d(a, 2)|F.average_pooling_3d(a, 2)|F.average_pooling_3d(a, 3, stride=2, pad=1, pad_value=None)|F.unpooling_3d(a, 2)', lambda: r(1, 2, 5, 4, 3))
# normalisation
calls('F.batch_normalization(a, b, c)|F.batch_normalization(a, b, c, eps=1e-3)', lambda: r(5, 3), lambda: p(3), lambda: r(3))
calls('F.batch_normalization(a, b, c)|F.batch_normalization(a, b, c, axis=(0, 2, 3))|F.layer_normalization(F.reshape(a, (6, 6)), F.concat((b, b), 0), F.concat((c, c), 0))|F.group_normalization(a, 1, b, c)|'
      'F.group_normalization(a, 3, b, c, eps=1e-3)', lambda: r(4, 3, 1, 3), lambda: p(3), lambda: r(3))
calls('F.batch_normalization(a, b, c)', lambda: r(4, 3, 2), lambda: p(3, 2), lambda: r(3, 2))
calls('F.batch_normalization(a, b, c, axis=(0, 1))', lambda: r(4, 3, 2), lambda: p(2), lambda: r(2))
calls('F.batch_normalization(a, b, c, axis=0)', lambda: r(4, 3, 2), lambda: p(3, 2), lambda: r(3, 2))
calls('F.fixed_batch_normalization(a, b, c, d, e)|F.fixed_batch_normalization(a, b, c, d, e, eps=1e-2)|F.fixed_batch_renormalization(a, b, c, d, e)', lambda: r(5, 3), lambda: p(3), lambda: r(3), lambda: r(3), lambda: p(3))
calls('F.fixed_batch_normalization(a, b, c, d, e)', lambda: r(2, 3, 4, 2), lambda: p(3), lambda: r(3), lambda: r(3), lambda: p(3))
calls('F.fixed_batch_normalization(a, b, c, d, e)', lambda: r(2, 3, 4), lambda: p(3, 4), lambda: r(3, 4), lambda: r(3, 4), lambda: p(3, 4))
calls('F.fixed_batch_normalization(a, b, c, d, e, axis=(0, 1))', lambda: r(2, 3, 4), lambda: p(4), lambda: r(4), lambda: r(4), lambda: p(4))
calls('F.layer_normalization(a, b, c)|F.layer_normalization(a, b, c, eps=1e-2)', lambda: r(4, 3), lambda: p(3), lambda: r(3))
calls('F.group_normalization(a, 2, b, c)', lambda: r(2, 4, 3, 2), lambda: p(4), lambda: r(4))
calls('F.local_response_normalization(a)|F.local_response_normalization(a, n=3, k=1, alpha=0.5, beta=0.5)|F.local_response_normalization(a, n=4, alpha=0.3)|F.normalize(a)|F.normalize(a, axis=(1, 2))|F.normalize(a, eps=0.5, axis=0)', lambda: r(2, 6, 2, 3))
calls('F.local_response_normalization(a, n=3, alpha=0.5)|F.normalize(a)', lambda: r(2, 6))
# losses
calls('F.softmax_cross_entropy(a, t)|F.softmax_cross_entropy(a, t, reduce="no")|F.softmax_cross_entropy(a, t, normalize=False)|F.softmax_cross_entropy(a, t, ignore_label=2)|F.softmax_cross_entropy(a, t, class_weight=np.array([1, 2, 0.5], "f"))|'
      'F.softmax_cross_entropy(a, t, class_weight=np.array([1, 2, 0.5], "f"), reduce="no")|F.softmax_cross_entropy(a, t, enable_double_backprop=True)|F.accuracy(a, t)|F.accuracy(a, t, ignore_label=-1)|F.accuracy(a, t, ignore_label=0)', lambda: r(4, 3), t=[I([0, 2, -1, 1])])
calls('F.softmax_cross_entropy(a, t, ignore_label=-5)', lambda: r(4, 3), t=[I([0, 2, 1, 1])])
calls('F.softmax_cross_entropy(a, t)|F.softmax_cross_entropy(a, t, reduce="no")|F.softmax_cross_entropy(a, t, normalize=False)|F.accuracy(a, t, ignore_label=-1)', lambda: r(2, 3, 2, 2), t=[I([[[0, 2], [-1, 1]], [[1, 1], [0, -1]]])])
calls('F.softmax_cross_entropy(a, t)', lambda: r(2, 3), t=[I([-1, -1])])
calls('F.sigmoid_cross_entropy(a, t)|F.sigmoid_cross_entropy(a, t, normalize=False)|F.sigmoid_cross_entropy(a, t, reduce="no")|F.binary_accuracy(a, t)', lambda: r(2, 3), t=[I([[0, 1, -1], [1, 0, 1]])])
calls('F.hinge(a, t)|F.hinge(a, t, norm="L2")|F.hinge(a, t, reduce="no")', lambda: r(3, 4), t=[I([0, 3, 1])])
calls('F.mean_squared_error(a, b)|F.huber_loss(a, b, 1.0)|F.huber_loss(a, b, 0.5, reduce="no")|F.gaussian_kl_divergence(a, b)|F.gaussian_kl_divergence(a, b, reduce="mean")|F.gaussian_kl_divergence(a, b, reduce="no")|'
      'F.gaussian_nll(a, b, a)|F.gaussian_nll(a, b, a, reduce="no")|F.gaussian_nll(a, b, a, reduce="mean")|F.bernoulli_nll(a, b)|F.bernoulli_nll(a, b, reduce="no")|F.bernoulli_nll(a, b, reduce="mean")|'
      'F.cross_covariance(a, b)|F.cross_covariance(a, b, reduce="no")|F.decov(a)|F.decov(a, reduce="no")|F.triplet(a, b, a)|F.triplet(a, b, b, margin=0.5, reduce="no")|F.r2_score(a, b)|F.mean_absolute_error(a, b)', lambda: r(3, 4), lambda: r(3, 4))
calls('F.contrastive(a, b, t)|F.contrastive(a, b, t, margin=3, reduce="no")', lambda: r(3, 4), lambda: r(3, 4), t=[I([0, 1, 1])])
# recurrent
calls('F.lstm(a, b)', lambda: r(2, 3), lambda: r(2, 12))
calls('F.lstm(a, b)', lambda: r(3, 2), lambda: r(2, 8))
calls('F.lstm(a, b)', lambda: r(2, 3, 2), lambda: r(2, 12, 2))
calls('F.slstm(a, b, c, d)', lambda: r(2, 3), lambda: r(2, 3), lambda: r(2, 12), lambda: r(2, 12))
calls('F.tree_lstm(a, b, c)', lambda: r(2, 3), lambda: r(2, 3), lambda: r(2, 15))
calls('F.maxout(a, 2)|F.maxout(a, 3, axis=1)', lambda: r(2, 6, 3))
calls('F.n_step_lstm(1, 0.0, a, b, [[c] * 4 + [d] * 4], [[e] * 4 + [h] * 4], [f, g])', lambda: r(1, 2, 3), lambda: r(1, 2, 3), lambda: r(3, 2), lambda: r(3, 3), lambda: r(3), lambda: r(2, 2), lambda: r(1, 2), lambda: r(3))
calls('F.n_step_gru(1, 0.0, a, [[b] * 3 + [c] * 3], [[d] * 3 + [e] * 3], [f, g])|F.n_step_rnn(1, 0.0, a, [[b] * 1 + [c] * 1], [[d] * 1 + [e] * 1], [f, g])|F.n_step_rnn(1, 0.0, a, [[b, c]], [[d, e]], [f, g], activation="relu")',
      lambda: r(1, 2, 3), lambda: r(3, 2), lambda: r(3, 3), lambda: r(3), lambda: r(3), lambda: r(2, 2), lambda: r(1, 2))
calls('F.n_step_bilstm(1, 0.0, a, b, [[c] * 4 + [d] * 4] * 2, [[e] * 8] * 2, [f, g])', lambda: r(2, 2, 3), lambda: r(2, 2, 3), lambda: r(3, 2), lambda: r(3, 3), lambda: r(3), lambda: r(2, 2), lambda: r(1, 2))
calls('F.n_step_bigru(1, 0.0, a, [[b] * 3 + [c] * 3] * 2, [[d] * 6] * 2, [e, f])|F.n_step_birnn(1, 0.0, a, [[b, c]] * 2, [[d, d]] * 2, [e, f])', lambda: r(2, 2, 3), lambda: r(3, 2), lambda: r(3, 3), lambda: r(3), lambda: r(2, 2), lambda: r(1, 2))
# what training alone does
calls('EVAL F.dropout(a, 0.3)|EVAL F.zoneout(a, a * 2, 0.25)|EVAL F.rrelu(a, 0.1, 0.3)|F.dropout(a, 0.0)|EVAL F.rrelu(a)', lambda: r(3, 4))
# regions, places and sequences
R4 = lambda: np.array([[1, 1, 6, 6], [6, 2, 7, 11], [3, 1, 5, 10], [3, 3, 3, 3], [-4, -3, 2, 30], [40, 40, 50, 50]], 'f')    # beyond the image and outside of it, too
calls('F.roi_max_pooling_2d(a, b, t, 7, 0.6)|F.roi_max_pooling_2d(a, b, t, (2, 3), 1)|F.roi_average_pooling_2d(a, b, t, (4, 5), 0.6)|F.roi_average_pooling_2d(a, b, t, 3, 0.25)|'
      'F.roi_max_align_2d(a, b, t, (3, 2), 0.6, sampling_ratio=2)|F.roi_max_align_2d(a, b, t, 2, 1.0)|F.roi_max_align_2d(a, b, t, 3, 0.5, sampling_ratio=(None, 3))|'
      'F.roi_average_align_2d(a, b, t, (3, 2), 0.6, sampling_ratio=2)|F.roi_average_align_2d(a, b, t, 2, 1.0)|F.roi_average_align_2d(a, b, t, 3, 0.5, sampling_ratio=(1, None))', lambda: r(3, 2, 8, 10), R4, t=[I([0, 2, 1, 0, 2, 1])])
calls('F.roi_pooling_2d(a, b, 7, 7, 0.6)|F.roi_pooling_2d(a, b, 2, 3, 1)', lambda: r(3, 2, 8, 10), lambda: np.concatenate([[[0], [2], [1], [0], [2], [1]], R4()], 1).astype('f'))
calls('F.upsampling_2d(a, t, 2)|F.upsampling_2d(a, t, 3, stride=2)|F.upsampling_2d(a, t, 2, pad=1)|F.upsampling_2d(a, t, (2, 3), stride=1, pad=(1, 0))|F.upsampling_2d(a, t, 2, outsize=(6, 5))|F.upsampling_2d(a, t, 2, cover_all=False)',
      lambda: r(2, 2, 3, 3), t=[I(np.arange(36).reshape(2, 2, 3, 3) * 7 % 4)])
calls('F.shift(a, ksize=(3, 1))|F.shift(a, ksize=(1, 3), dilate=(1, 2))', lambda: r(2, 7, 3, 5))
calls('F.deformable_convolution_2d_sampler(a, b, c, d)|F.deformable_convolution_2d_sampler(a, b, c)', lambda: r(2, 3, 4, 7), lambda: r(2, 12, 3, 5), lambda: r(4, 3, 2, 3), lambda: r(4))
calls('F.deformable_convolution_2d_sampler(a, b, c, d, stride=(2, 1), pad=(1, 2))', lambda: r(2, 3, 4, 5), lambda: r(2, 12, 3, 7), lambda: r(4, 3, 2, 3), lambda: r(4))
calls('F.fixed_decorrelated_batch_normalization(a, b, c, groups=2)', lambda: r(3, 4, 2, 3), lambda: r(2, 2), lambda: r(2, 2, 2))
calls('F.connectionist_temporal_classification([a, b, c, d, e], t, 0)|F.connectionist_temporal_classification([a, b, c, d, e], t, 4, reduce="no")|'
      'F.connectionist_temporal_classification([a, b, c, d, e], t, 0, u, w, reduce="no")|F.connectionist_temporal_classification([a, b, c, d, e], t, 0, input_length=u)|'
      'F.connectionist_temporal_classification([a, b, c, d, e], t, 0, label_length=w)|F.connectionist_temporal_classification([a, b], t, 0, reduce="no")', *[lambda: r(3, 6) * 2] * 5, t=[I([[1, 2, 2], [3, 3, 5], [5, 1, 0]]), I([5, 4, 2]), I([0, 0, 0]), I([3, 2, 1])])
calls('F.floor(t)|F.ceil(t)|F.fix(t)|F.r2_score(np.float64([1, 2, 4, 3]), a)', lambda: r(4), t=[I([3, -1, 0, 2])])
calls('F.pad(a, 1, "constant")', lambda: r())
calls('F.cholesky(a)', lambda: (lambda m: m @ m.T + np.eye(4, dtype='f'))(r(4, 4)))


def main():
    data, rows = {}, []
    for n, (src, floats, others) in enumerate(CALLS):
        mode = 'eval' if src.startswith('EVAL ') else 'train'
        src = src[len('EVAL '):] if mode == 'eval' else src
        env = {'F': F, 'np': np, 'chainer': chainer}
        named = dict(zip('abcdefgh', floats))
        named.update(zip('tuvw', others))
        for k, v in named.items():
            data['%d.%s' % (n, k)] = v
            env[k] = chainer.Variable(v) if k in 'abcdefgh' else v
        with chainer.using_config('train', mode == 'train'):
            try:
                y = eval(src, env)
            except Exception as e:
                sys.exit('%s: %s: %s' % (src, type(e).__name__, str(e).strip()))
        for k, v in enumerate(flat(y)):
            data['%d.out%d' % (n, k)] = v
        rows.append('%d\t%s\t%s' % (n, mode, src))
    np.savez_compressed(os.path.join(HERE, 'calls.npz'), **data)
    with open(os.path.join(HERE, 'calls.tsv'), 'w') as fh:
        fh.write('\n'.join(['number\tmode\tcall'] + rows) + '\n')


def flat(y):
    if isinstance(y, chainer.Variable):
        return [y.array]
    if isinstance(y, np.ndarray) or np.isscalar(y):
        return [np.asarray(y)]
    return [v for x in y for v in flat(x)]


main()
