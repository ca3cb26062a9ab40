# Models that tell what happens in films [N, 3, T, H, W].
from torchvision.models.video.mvit import MViT, MViT_V1_B_Weights, MViT_V2_S_Weights, mvit_v1_b, mvit_v2_s
from torchvision.models.video.resnet import MC3_18_Weights, R2Plus1D_18_Weights, R3D_18_Weights, VideoResNet, mc3_18, r2plus1d_18, r3d_18
from torchvision.models.video.s3d import S3D, S3D_Weights, s3d
from torchvision.models.video.swin_transformer import (
    Swin3D_B_Weights, Swin3D_S_Weights, Swin3D_T_Weights, SwinTransformer3d, swin3d_b, swin3d_s, swin3d_t)
