# RAFT: where each pixel of an image [N, 3, H, W] is in the next, by rounds of a recurrent unit over correlations.
import torch as _torch
import torch.nn.functional as _F
from torch import nn as _nn
from torchvision.models._api import builder as _builder, weights as _weights
from torchvision.ops import Conv2dNormActivation


class _Block(_nn.Module):
    # Convolutions given by (channels, kernel size, stride), and what brings the input to their size.
    def _make(self, channels, parts, projects, stride, norm_layer):
        first = channels
        for i, (out, kernel, step) in enumerate(parts, 1):
            setattr(self, f'convnormrelu{i}', Conv2dNormActivation(channels, out, norm_layer=norm_layer, kernel_size=kernel, stride=step, bias=True))
            channels = out
        project = _nn.Identity()
        if projects:
            project = Conv2dNormActivation(first, channels, norm_layer=norm_layer, kernel_size=1, stride=stride, bias=True, activation_layer=None)
        return project

    def forward(self, x):
        y = self.convnormrelu2(self.convnormrelu1(x))
        if hasattr(self, 'convnormrelu3'):
            y = self.convnormrelu3(y)
        return self.relu(self.downsample(x) + y)


class ResidualBlock(_Block):
    def __init__(self, in_channels, out_channels, *, norm_layer, stride=1, always_project=False):
        super().__init__()
        parts = [(out_channels, 3, stride), (out_channels, 3, 1)]
        self.downsample = self._make(in_channels, parts, stride != 1 or always_project, stride, norm_layer)
        self.relu = _nn.ReLU(inplace=True)


class BottleneckBlock(_Block):
    def __init__(self, in_channels, out_channels, *, norm_layer, stride=1):
        super().__init__()
        inner = out_channels // 4
        downsample = self._make(in_channels, [(inner, 1, 1), (inner, 3, stride), (out_channels, 1, 1)], stride != 1, stride, norm_layer)
        self.relu = _nn.ReLU(inplace=True)
        self.downsample = downsample


class FeatureEncoder(_nn.Module):
    def __init__(self, *, block=ResidualBlock, layers=(64, 64, 96, 128, 256), strides=(2, 1, 2, 2), norm_layer=_nn.BatchNorm2d):
        super().__init__()
        if len(layers) != 5:
            raise ValueError(f'The expected number of layers is 5, instead got {len(layers)}')
        self.convnormrelu = Conv2dNormActivation(3, layers[0], norm_layer=norm_layer, kernel_size=7, stride=strides[0], bias=True)
        for i in (1, 2, 3):
            self.add_module(f'layer{i}', _nn.Sequential(
                block(layers[i - 1], layers[i], norm_layer=norm_layer, stride=strides[i]), block(layers[i], layers[i], norm_layer=norm_layer, stride=1)))
        self.conv = _nn.Conv2d(layers[3], layers[4], kernel_size=1)
        for m in self.modules():
            if isinstance(m, _nn.Conv2d):
                _nn.init.kaiming_normal_(m.weight, mode='fan_out', nonlinearity='relu')
        self.output_dim = layers[-1]
        self.downsample_factor = 2 ** sum(s == 2 for s in strides)

    def forward(self, x):
        return self.conv(self.layer3(self.layer2(self.layer1(self.convnormrelu(x)))))


class MotionEncoder(_nn.Module):
    def __init__(self, *, in_channels_corr, corr_layers=(256, 192), flow_layers=(128, 64), out_channels=128):
        super().__init__()
        if len(flow_layers) != 2:
            raise ValueError(f'The expected number of flow_layers is 2, instead got {len(flow_layers)}')
        if len(corr_layers) not in (1, 2):
            raise ValueError(f'The number of corr_layers should be 1 or 2, instead got {len(corr_layers)}')
        self.convcorr1 = Conv2dNormActivation(in_channels_corr, corr_layers[0], norm_layer=None, kernel_size=1)
        self.convcorr2 = _nn.Identity() if len(corr_layers) == 1 else Conv2dNormActivation(*corr_layers, norm_layer=None, kernel_size=3)
        self.convflow1 = Conv2dNormActivation(2, flow_layers[0], norm_layer=None, kernel_size=7)
        self.convflow2 = Conv2dNormActivation(*flow_layers, norm_layer=None, kernel_size=3)
        self.conv = Conv2dNormActivation(corr_layers[-1] + flow_layers[-1], out_channels - 2, norm_layer=None, kernel_size=3)
        self.out_channels = out_channels

    def forward(self, flow, corr_features):
        corr = self.convcorr2(self.convcorr1(corr_features))
        both = self.conv(_torch.cat([corr, self.convflow2(self.convflow1(flow))], dim=1))
        return _torch.cat([both, flow], dim=1)


class ConvGRU(_nn.Module):
    def __init__(self, *, input_size, hidden_size, kernel_size, padding):
        super().__init__()
        for gate in 'zrq':
            self.add_module('conv' + gate, _nn.Conv2d(hidden_size + input_size, hidden_size, kernel_size=kernel_size, padding=padding))

    def forward(self, h, x):
        hx = _torch.cat([h, x], dim=1)
        z = _torch.sigmoid(self.convz(hx))
        r = _torch.sigmoid(self.convr(hx))
        return (1 - z) * h + z * _torch.tanh(self.convq(_torch.cat([r * h, x], dim=1)))


class RecurrentBlock(_nn.Module):
    def __init__(self, *, input_size, hidden_size, kernel_size=((1, 5), (5, 1)), padding=((0, 2), (2, 0))):
        super().__init__()
        if len(kernel_size) != len(padding):
            raise ValueError('kernel_size should have the same length as padding, '
                             f'instead got len(kernel_size) = {len(kernel_size)} and len(padding) = {len(padding)}')
        if len(kernel_size) not in (1, 2):
            raise ValueError(f'kernel_size should either 1 or 2, instead got {len(kernel_size)}')
        units = [ConvGRU(input_size=input_size, hidden_size=hidden_size, kernel_size=k, padding=p) for k, p in zip(kernel_size, padding)]
        self.convgru1 = units[0]
        self.convgru2 = units[1] if len(units) == 2 else lambda h, _: h
        self.hidden_size = hidden_size

    def forward(self, h, x):
        return self.convgru2(self.convgru1(h, x), x)


class FlowHead(_nn.Module):
    def __init__(self, *, in_channels, hidden_size):
        super().__init__()
        self.conv1 = _nn.Conv2d(in_channels, hidden_size, 3, padding=1)
        self.conv2 = _nn.Conv2d(hidden_size, 2, 3, padding=1)
        self.relu = _nn.ReLU(inplace=True)

    def forward(self, x):
        return self.conv2(self.relu(self.conv1(x)))


class UpdateBlock(_nn.Module):
    def __init__(self, *, motion_encoder, recurrent_block, flow_head):
        super().__init__()
        self.motion_encoder = motion_encoder
        self.recurrent_block = recurrent_block
        self.flow_head = flow_head
        self.hidden_state_size = recurrent_block.hidden_size

    def forward(self, hidden_state, context, corr_features, flow):
        motion = self.motion_encoder(flow, corr_features)
        hidden_state = self.recurrent_block(hidden_state, _torch.cat([context, motion], dim=1))
        return hidden_state, self.flow_head(hidden_state)


class MaskPredictor(_nn.Module):
    def __init__(self, *, in_channels, hidden_size, multiplier=0.25):
        super().__init__()
        self.convrelu = Conv2dNormActivation(in_channels, hidden_size, norm_layer=None, kernel_size=3)
        self.conv = _nn.Conv2d(hidden_size, 8 * 8 * 9, 1, padding=0)
        self.multiplier = multiplier

    def forward(self, x):
        return self.multiplier * self.conv(self.convrelu(x))


class CorrBlock(_nn.Module):
    # How alike each place of the one image is to each of the other [N*H*W, 1, H, W], at several resolutions.
    def __init__(self, *, num_levels=4, radius=4):
        super().__init__()
        self.num_levels = num_levels
        self.radius = radius
        self.corr_pyramid = [_torch.tensor(0)]
        self.out_channels = num_levels * (2 * radius + 1) ** 2

    def build_pyramid(self, fmap1, fmap2):
        if fmap1.shape != fmap2.shape:
            raise ValueError(f'Input feature maps should have the same shape, instead got {fmap1.shape} (fmap1.shape) != {fmap2.shape} (fmap2.shape)')
        least = 2 ** self.num_levels
        if any(size < least for size in fmap1.shape[-2:]):
            raise ValueError(f'Feature maps are too small to be down-sampled by the correlation pyramid: H and W should be at least {least}, those of images {8 * least}')
        n, c, h, w = fmap1.shape
        alike = _torch.matmul(fmap1.view(n, c, h * w).transpose(1, 2), fmap2.view(n, c, h * w)) / _torch.sqrt(_torch.tensor(c))
        self.corr_pyramid = [alike.reshape(n * h * w, 1, h, w)]
        for _ in range(self.num_levels - 1):
            self.corr_pyramid.append(_F.avg_pool2d(self.corr_pyramid[-1], kernel_size=2, stride=2))

    def index_pyramid(self, centroids_coords):
        near = _torch.linspace(-self.radius, self.radius, 2 * self.radius + 1)
        around = _torch.stack(_torch.meshgrid(near, near, indexing='ij'), dim=-1).to(centroids_coords.device)[None]
        n, _, h, w = centroids_coords.shape
        centre = centroids_coords.permute(0, 2, 3, 1).reshape(n * h * w, 1, 1, 2)
        found = []
        for level in self.corr_pyramid:
            found.append(_sampled(level, centre + around).view(n, h, w, -1))
            centre = centre / 2
        return _torch.cat(found, dim=-1).permute(0, 3, 1, 2).contiguous()


def _sampled(image, places):
    # The image at places that are counted in pixels; grid_sample wants them from -1 to 1.
    h, w = image.shape[-2:]
    x, y = places.split([1, 1], dim=-1)
    x = 2 * x / (w - 1) - 1
    if h > 1:
        y = 2 * y / (h - 1) - 1
    return _F.grid_sample(image, _torch.cat([x, y], dim=-1), mode='bilinear', align_corners=True)


def _places(n, h, w):
    y, x = _torch.meshgrid(_torch.arange(h), _torch.arange(w), indexing='ij')
    return _torch.stack((x, y), dim=0).float()[None].repeat(n, 1, 1, 1)


def _enlarged(flow, mask, factor=8):
    n, c, h, w = flow.shape
    if mask is None:
        return factor * _F.interpolate(flow, size=(h * factor, w * factor), mode='bilinear', align_corners=True)
    mask = _torch.softmax(mask.view(n, 1, 9, factor, factor, h, w), dim=2)
    nine = _F.unfold(factor * flow, kernel_size=3, padding=1).view(n, c, 9, 1, 1, h, w)
    return _torch.sum(mask * nine, dim=2).permute(0, 1, 4, 2, 5, 3).reshape(n, c, h * factor, w * factor)


class RAFT(_nn.Module):
    def __init__(self, *, feature_encoder, context_encoder, corr_block, update_block, mask_predictor=None):
        super().__init__()
        self.feature_encoder = feature_encoder
        self.context_encoder = context_encoder
        self.corr_block = corr_block
        self.update_block = update_block
        self.mask_predictor = mask_predictor
        if not hasattr(self.update_block, 'hidden_state_size'):
            raise ValueError("The update_block parameter should expose a 'hidden_state_size' attribute.")

    def forward(self, image1, image2, num_flow_updates=12):
        n, _, h, w = image1.shape
        if (h, w) != image2.shape[-2:]:
            raise ValueError(f'input images should have the same shape, instead got ({h}, {w}) != {image2.shape[-2:]}')
        if not (h % 8 == 0 and w % 8 == 0):
            raise ValueError(f'input image H and W should be divisible by 8, instead got {h} (h) and {w} (w)')
        eighth = (h // 8, w // 8)
        one, two = _torch.chunk(self.feature_encoder(_torch.cat([image1, image2], dim=0)), chunks=2, dim=0)
        if one.shape[-2:] != eighth:
            raise ValueError('The feature encoder should downsample H and W by 8')
        self.corr_block.build_pyramid(one, two)
        context = self.context_encoder(image1)
        if context.shape[-2:] != eighth:
            raise ValueError('The context encoder should downsample H and W by 8')
        hidden = self.update_block.hidden_state_size
        rest = context.shape[1] - hidden
        if rest <= 0:
            raise ValueError(f'The context encoder outputs {context.shape[1]} channels, but it should have at strictly more than hidden_state={hidden} channels')
        state, context = _torch.split(context, [hidden, rest], dim=1)
        state, context = _torch.tanh(state), _F.relu(context)
        start, places = (_places(n, *eighth).to(one.device) for _ in range(2))
        out = []
        for _ in range(num_flow_updates):
            places = places.detach()
            alike = self.corr_block.index_pyramid(centroids_coords=places)
            state, step = self.update_block(state, context, alike, places - start)
            places = places + step
            mask = None if self.mask_predictor is None else self.mask_predictor(state)
            out.append(_enlarged(places - start, mask))
        return out


def _raft(parts, block, features, context, context_norm, radius, corr, flow, motion, hidden, kernels, paddings, head, masked):
    def part(name, make):
        return parts.pop(name, None) or make()
    encoder = part('feature_encoder', lambda: FeatureEncoder(block=block, layers=features, norm_layer=_nn.InstanceNorm2d))
    contexts = part('context_encoder', lambda: FeatureEncoder(block=block, layers=context, norm_layer=context_norm))
    alike = part('corr_block', lambda: CorrBlock(num_levels=4, radius=radius))
    def update():
        moves = MotionEncoder(in_channels_corr=alike.out_channels, corr_layers=corr, flow_layers=flow, out_channels=motion)
        unit = RecurrentBlock(input_size=motion + context[-1] - hidden, hidden_size=hidden, kernel_size=kernels, padding=paddings)
        return UpdateBlock(motion_encoder=moves, recurrent_block=unit, flow_head=FlowHead(in_channels=hidden, hidden_size=head))
    updates = part('update_block', update)
    mask = part('mask_predictor', lambda: MaskPredictor(in_channels=hidden, hidden_size=256) if masked else None)
    return RAFT(feature_encoder=encoder, context_encoder=contexts, corr_block=alike, update_block=updates, mask_predictor=mask, **parts)


def _large(**parts):
    layers = (64, 64, 96, 128, 256)
    return _raft(parts, ResidualBlock, layers, layers, _nn.BatchNorm2d, 4, (256, 192), (128, 64), 128, 128, ((1, 5), (5, 1)), ((0, 2), (2, 0)), 256, True)


def _small(**parts):
    return _raft(parts, BottleneckBlock, (32, 32, 64, 96, 128), (32, 32, 64, 96, 160), None, 3, (96,), (64, 32), 82, 96, (3,), (1,), 128, False)


def _trained(name, *entries):
    return _weights(name, None, None, 'OpticalFlow', **{entry: {} for entry in entries})


Raft_Large_Weights = _trained('Raft_Large_Weights', 'C_T_V1', 'C_T_V2', 'C_T_SKHT_V1', 'C_T_SKHT_K_V1', 'C_T_SKHT_K_V2', 'C_T_SKHT_V2')
Raft_Small_Weights = _trained('Raft_Small_Weights', 'C_T_V1', 'C_T_V2')
raft_large = _builder('raft_large', Raft_Large_Weights, _large, legacy='C_T_SKHT_V2')
raft_small = _builder('raft_small', Raft_Small_Weights, _small, legacy='C_T_V2')
