# Spectrograms, features and resampled signals of torchaudio.
import torch
import torchaudio

F, T = torchaudio.functional, torchaudio.transforms
wave = torch.zeros(3, 4001)


def what(x):
    return [list(x.shape), str(x.dtype)]


def spectra():
    return [what(T.Spectrogram()(wave)), what(T.Spectrogram(n_fft=512, hop_length=100, power=None)(wave)), what(T.Spectrogram(64, 50, center=False, power=1.0)(wave[0])),
            what(T.Spectrogram(64, pad=7, normalized=True, onesided=False)(wave.double()[None].float())),
            what(T.InverseSpectrogram(64)(torch.zeros(3, 33, 20, dtype=torch.cfloat))), what(T.InverseSpectrogram(64)(torch.zeros(33, 20, dtype=torch.cfloat), length=600))]


def mels():
    return [what(T.MelSpectrogram()(wave)), what(T.MelSpectrogram(22050, 1024, hop_length=256, n_mels=80, norm='slaney')(wave)), what(T.MelSpectrogram(n_mels=40)(wave[0])),
            what(T.MelScale(64, n_stft=33)(torch.zeros(2, 33, 9))), what(torch.nn.Sequential(T.MelSpectrogram(n_mels=32), T.AmplitudeToDB(top_db=80))(wave))]


def coefficients():
    return [what(T.MFCC()(wave)), what(T.MFCC(n_mfcc=13, log_mels=True, melkwargs={'n_fft': 512, 'hop_length': 160, 'n_mels': 23})(wave)),
            what(F.create_dct(5, 9, None)), what(T.ComputeDeltas()(T.MFCC()(wave)))]


def states():
    return [[[n, list(v.shape)] for n, v in m.state_dict().items()] for m in (T.MelSpectrogram(), T.MFCC(n_mfcc=13), T.Resample(44100, 16000), T.Resample(8000, 8000))]


def resampled():
    return [what(T.Resample(a, b)(torch.zeros(2, n))) for a, b in ((16000, 8000), (8000, 16000), (44100, 16000), (22050, 16000), (48000, 44100)) for n in (1, 100, 4001)]


def resampled_in_float32():
    return [list(F.resample(torch.zeros(n), 44100, 16000).shape) for n in (441003, 441006, 1000001)] + [what(F.resample(wave.double(), 3, 2)), what(F.resample(wave, 5, 5))]


def masked():
    x = torch.rand(4, 2, 80, 100)
    return [what(T.TimeMasking(10)(x)), what(T.FrequencyMasking(10)(x[0])), what(T.FrequencyMasking(10, iid_masks=True)(x)), what(F.mask_along_axis(x[0], 5, 0.0, 2))]


def levels():
    return [what(T.MuLawEncoding()(wave)), what(T.MuLawDecoding()(torch.zeros(3, 7, dtype=torch.int64))), what(F.DB_to_amplitude(wave, 1.0, 0.5)),
            what(T.AmplitudeToDB('magnitude')(wave))]


def loaded():
    x, rate = torchaudio.load('sound.wav')
    return [x.ndim, str(x.dtype), rate > 0, torchaudio.info('sound.wav').sample_rate > 0]


def refused():
    out = []
    for wrong in (lambda: T.MFCC(n_mfcc=200), lambda: T.MFCC(dct_type=3), lambda: T.AmplitudeToDB(top_db=-1.0), lambda: T.TimeMasking(3, p=2.0), lambda: F.create_dct(2, 3, 'x'),
                  lambda: T.Resample(2, 3)(torch.zeros(2, 9, dtype=torch.int64)), lambda: F.mask_along_axis(torch.zeros(2, 3, 4), 1, 0.0, 0),
                  lambda: T.InverseSpectrogram(64)(torch.zeros(3, 33, 20)), lambda: T.MelScale(f_min=9000.0)):
        try:
            wrong()
        except Exception as e:
            out.append(type(e).__name__)
    return out
