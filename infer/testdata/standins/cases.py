# What packages give that may be missing from the machine, as ndim, sizes and types.
import cv2
import numpy as np
import torch
from accelerate import Accelerator
from sklearn.model_selection import train_test_split

picture = np.zeros((10, 20, 3), np.uint8)
floats = np.zeros((10, 20, 3), np.float32)
gray = np.zeros((10, 20), np.uint8)
one = np.zeros((10, 20, 1), np.uint8)
rows = torch.zeros(11, 4)
labels = np.zeros(11, np.int64)


def what(x):
    return [list(x.shape), str(x.dtype)]


def cv2_imread():
    a = cv2.imread('picture.png')
    return [a.ndim, a.shape[2], str(a.dtype)]


def cv2_imread_gray():
    a = cv2.imread('picture.png', cv2.IMREAD_GRAYSCALE)
    return [a.ndim, str(a.dtype)]


def cv2_imread_zero():
    return [cv2.imread('picture.png', 0).ndim]


def cv2_imread_rgb():
    a = cv2.imread('picture.png', cv2.IMREAD_COLOR_RGB)
    return [a.ndim, a.shape[2], str(a.dtype)]


def cv2_resize():
    return what(cv2.resize(picture, (7, 9)))


def cv2_resize_factors():
    return what(cv2.resize(picture, None, fx=.55, fy=.25))


def cv2_resize_nothing():
    return what(cv2.resize(picture, (0, 0), fx=0.5, fy=2))


def cv2_resize_both():
    return what(cv2.resize(floats, (7, 9), fx=3, fy=3, interpolation=cv2.INTER_AREA))


def cv2_resize_one():
    return what(cv2.resize(one, dsize=(7, 9)))


def cv2_gray():
    return what(cv2.cvtColor(floats, cv2.COLOR_BGR2GRAY))


def cv2_hsv():
    return what(cv2.cvtColor(picture, cv2.COLOR_RGB2HSV))


def cv2_alpha():
    return what(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA))


def cv2_no_alpha():
    return what(cv2.cvtColor(np.zeros((4, 5, 4), np.uint8), cv2.COLOR_RGBA2RGB))


def cv2_color():
    return what(cv2.cvtColor(gray, cv2.COLOR_GRAY2RGB))


def cv2_color_one():
    return what(cv2.cvtColor(one, cv2.COLOR_GRAY2BGR))


def cv2_blur():
    return what(cv2.GaussianBlur(one, (3, 3), 0)) + what(cv2.medianBlur(picture, 3))


def cv2_flip():
    return what(cv2.flip(one, 1)) + what(cv2.flip(floats, 0))


def cv2_rotate():
    return what(cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE)) + what(cv2.rotate(gray, cv2.ROTATE_180))


def cv2_border():
    return what(cv2.copyMakeBorder(picture, 1, 2, 3, 4, cv2.BORDER_CONSTANT, value=(0, 0, 0)))


def cv2_warp():
    return what(cv2.warpAffine(floats, np.eye(2, 3), (5, 6)))


def cv2_canny():
    return what(cv2.Canny(picture, 1, 2))


def cv2_codes():
    return [cv2.COLOR_YCrCb2RGB, cv2.COLOR_LAB2RGB, cv2.COLOR_RGB2LAB, cv2.COLOR_YUV2RGB, cv2.COLOR_HSV2RGB, cv2.COLOR_BGRA2RGB, cv2.COLOR_RGBA2GRAY,
            cv2.INTER_LANCZOS4, cv2.BORDER_REFLECT_101, cv2.ROTATE_90_COUNTERCLOCKWISE]


def split():
    return [what(p) for p in train_test_split(rows, labels, random_state=0)]


def split_float():
    return [what(p) for p in train_test_split(rows, test_size=0.2)]


def split_count():
    return [what(p) for p in train_test_split(labels, test_size=3, shuffle=False)]


def split_train():
    return [what(p) for p in train_test_split(labels, train_size=0.5)]


def split_both():
    return [what(p) for p in train_test_split(rows, train_size=0.3, test_size=4)]


def accelerated():
    accelerator = Accelerator(cpu=True)
    model, optimizer = accelerator.prepare(torch.nn.Linear(4, 2), torch.optim.SGD([torch.zeros(2, requires_grad=True)], 0.1))
    out = accelerator.prepare(model)(rows)
    with accelerator.accumulate(model):
        accelerator.backward(out.sum())
    return [what(out), what(accelerator.gather(out)), what(accelerator.unwrap_model(model).weight), accelerator.is_main_process, accelerator.num_processes]
