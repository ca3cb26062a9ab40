import sys

import torch
import torch.nn.functional as F
import torchvision.transforms as T
from PIL import Image
from torch import optim
from torchvision.models import vgg19

STYLE, CONTENT = [0, 5, 10, 19, 28], [21]
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
tf = T.Compose([T.Resize((64, 64)), T.ToTensor(), T.Lambda(lambda t: t[:3])])


def load(path):
    return tf(Image.open(path).convert("RGB")).unsqueeze(0).to(device)


class Features(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.vgg = vgg19(weights=None).features[:30].eval()
        self.register_buffer("mean", torch.tensor([0.485, 0.456, 0.406]).view(-1, 1, 1))
        self.register_buffer("std", torch.tensor([0.229, 0.224, 0.225]).view(-1, 1, 1))
        for p in self.vgg.parameters():
            p.requires_grad_(False)

    def forward(self, x):
        x = (x - self.mean) / self.std
        style, content = [], []
        for i, layer in enumerate(self.vgg):
            x = layer(x)
            if i in STYLE:
                style.append(gram(x.clone()))
            if i in CONTENT:
                content.append(x)
        return style, content


def gram(f):
    b, c, h, w = f.shape
    f = f.view(b, c, h * w)
    return f @ f.transpose(1, 2) / (c * h * w)


def tv(x):
    return (x[..., 1:, :] - x[..., :-1, :]).abs().mean() + (x[..., :, 1:] - x[..., :, :-1]).abs().mean()


if len(sys.argv) > 2:
    content_img, style_img = load(sys.argv[1]), load(sys.argv[2])
else:
    content_img, style_img = torch.rand(1, 3, 64, 64, device=device), torch.rand(1, 3, 64, 64, device=device)
net = Features().to(device)
with torch.no_grad():
    target_style, _ = net(style_img)
    _, target_content = net(content_img)
image = content_img.clone().requires_grad_(True)
optimizer = optim.LBFGS([image], max_iter=2)
run = [0]
while run[0] < 4:
    def closure():
        optimizer.zero_grad()
        style, content = net(image)
        s = sum(F.mse_loss(a, b) for a, b in zip(style, target_style))
        c = sum(F.mse_loss(a, b) for a, b in zip(content, target_content))
        loss = 1e6 * s + c + 1e-2 * tv(image)
        loss.backward()
        run[0] += 1
        return loss

    last = optimizer.step(closure)
with torch.no_grad():
    image.clamp_(0, 1)
print(run[0], float(last), image.shape)
T.ToPILImage()(image[0].cpu()).save("styled.png")
