# Pipelines of albumentations, scalers and folds of scikit-learn, features of librosa, arguments of tyro, arrays of pictures.
import dataclasses
import albumentations as A
import librosa
import numpy as np
import torch
import tyro
from albumentations.pytorch import ToTensorV2
from PIL import Image
from sklearn.metrics import f1_score, mean_squared_error
from sklearn.model_selection import KFold
from sklearn.preprocessing import LabelEncoder, MinMaxScaler, StandardScaler

picture, mask = np.zeros((100, 120, 3), np.uint8), np.zeros((100, 120), np.uint8)


def what(t, **data):
    return [[list(v.shape), str(v.dtype)] for v in t(**data).values()]


def resized():
    t = A.Compose([A.Resize(height=64, width=48), A.HorizontalFlip(p=0.5), A.ShiftScaleRotate(p=0.2), A.Normalize(), ToTensorV2()])
    return what(t, image=picture, mask=mask), what(t, image=picture)


def cropped():
    return (what(A.Compose([A.RandomCrop(32, 32), A.RandomRotate90(), A.OneOf([A.MotionBlur(p=0.2), A.GaussianBlur(p=0.1)], p=0.2)]), image=picture, mask=mask),
            what(A.Compose([A.RandomResizedCrop(size=(20, 30)), A.ToFloat(), ToTensorV2(transpose_mask=True)]), image=picture,
                 mask=np.zeros((100, 120, 2), np.float32)))


def padded():
    return what(A.Compose([A.PadIfNeeded(128, 64), A.CenterCrop(96, 64), A.CoarseDropout(p=1.0)]), image=picture, mask=mask)


def targets():
    t = A.Compose([A.Resize(8, 8), ToTensorV2()], additional_targets={'image2': 'image', 'mask2': 'mask'})
    return what(t, image=picture, image2=picture, mask2=mask)


def alone():
    return what(A.Normalize(), image=picture), what(A.Compose([A.Resize(8, 8)]), image=mask), what(A.Compose([ToTensorV2()]), image=mask)


def scaled():
    x = np.zeros((100, 4), np.float32)
    s = StandardScaler().fit(x.astype(np.float64))
    found = [StandardScaler().fit_transform(x), s.transform(x[:10].astype(np.float64)), s.mean_, MinMaxScaler(feature_range=(0, 1)).fit_transform(np.arange(10).reshape(-1, 1)),
             LabelEncoder().fit_transform(['a', 'b']), LabelEncoder().fit_transform(np.array([1, 2, 3]))]
    return [[list(v.shape), str(v.dtype)] for v in found]


def folds():
    x = np.zeros((100, 4), np.float32)
    return [[list(x[a].shape), list(x[b].shape), str(a.dtype)] for a, b in KFold(5, shuffle=True, random_state=0).split(x)]


def scores():
    return [str(torch.tensor(f1_score([0, 1], [1, 1], average='macro')).dtype), str(torch.tensor(mean_squared_error([1.], [2.])).dtype)]


@dataclasses.dataclass
class Args:
    width: int = 3
    name: str = 'a'


def arguments():
    a = tyro.cli(Args, args=[])
    return a.width, a.name


def pictures():
    image = Image.new('RGB', (20, 10))
    found = [np.array(image), np.asarray(image.convert('L'), dtype=np.float32), np.array(image, np.uint8, copy=True), np.stack([np.array(image), np.array(image)]).mean(0),
             np.asarray(image.resize((4, 6)))[..., 0], np.array(Image.new('1', (3, 4)))]
    return [[list(v.shape), str(v.dtype)] for v in found]


def sounds():
    y = np.zeros(22050, np.float32)
    found = [librosa.stft(y, n_fft=1024, hop_length=256), librosa.stft(y), librosa.stft(y, n_fft=512, center=False), np.abs(librosa.stft(y, n_fft=400, hop_length=160)), librosa.feature.melspectrogram(y=y, sr=22050),
             librosa.feature.melspectrogram(y=y, sr=16000, n_fft=1024, hop_length=256, n_mels=80), librosa.feature.mfcc(y=y, sr=16000, n_mfcc=13),
             librosa.power_to_db(librosa.feature.melspectrogram(y=y, sr=22050, n_mels=64), ref=np.max), librosa.filters.mel(sr=16000, n_fft=400, n_mels=40),
             librosa.feature.delta(librosa.feature.mfcc(y=y, sr=16000, n_mfcc=13)), librosa.feature.melspectrogram(S=np.abs(librosa.stft(y, n_fft=512)) ** 2, n_mels=32), librosa.effects.pitch_shift(y, sr=22050, n_steps=2),
             librosa.resample(y, orig_sr=22050, target_sr=22050), librosa.feature.chroma_stft(y=y, sr=22050), librosa.magphase(librosa.stft(y))[0], librosa.stft(y.astype(np.float64)), librosa.istft(librosa.stft(y), length=len(y)), librosa.feature.mfcc(S=librosa.power_to_db(librosa.feature.melspectrogram(y=y, sr=22050)), n_mfcc=5)]
    return [[list(v.shape), str(v.dtype)] for v in found]
