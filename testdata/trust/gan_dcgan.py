# DCGAN on folders of images, in the manner of the official example
import argparse, os, random
import torch
import torch.nn as nn
import torchvision.utils as vutils
from torchvision import datasets, transforms
import wandb

parser = argparse.ArgumentParser()
parser.add_argument('--dataroot', default='faces')
parser.add_argument('--batchSize', type=int, default=16)
parser.add_argument('--nz', type=int, default=100)
parser.add_argument('--ngf', type=int, default=32)
parser.add_argument('--ndf', type=int, default=32)
parser.add_argument('--niter', type=int, default=2)
parser.add_argument('--netG', default='')
opt = parser.parse_args()
random.seed(0); torch.manual_seed(0)
tf = transforms.Compose([transforms.Resize(64), transforms.CenterCrop(64), transforms.ToTensor(), transforms.Normalize((0.5,) * 3, (0.5,) * 3)])
if os.path.isdir(opt.dataroot):
    dataset = datasets.ImageFolder(root=opt.dataroot, transform=tf)
else:
    dataset = datasets.FakeData(64, (3, 64, 64), transform=transforms.ToTensor())
loader = torch.utils.data.DataLoader(dataset, batch_size=opt.batchSize, shuffle=True, drop_last=True)
device = torch.device('cuda:0' if torch.cuda.is_available() else 'cpu')
nz, ngf, ndf = int(opt.nz), int(opt.ngf), int(opt.ndf)


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find('Conv') != -1:
        torch.nn.init.normal_(m.weight, 0.0, 0.02)
    elif classname.find('BatchNorm') != -1:
        torch.nn.init.normal_(m.weight, 1.0, 0.02)
        torch.nn.init.zeros_(m.bias)


def up(i, o, s=2, p=1):
    return [nn.ConvTranspose2d(i, o, 4, s, p, bias=False), nn.BatchNorm2d(o), nn.ReLU(True)]


netG = nn.Sequential(*up(nz, ngf * 8, 1, 0), *up(ngf * 8, ngf * 4), *up(ngf * 4, ngf * 2), *up(ngf * 2, ngf), nn.ConvTranspose2d(ngf, 3, 4, 2, 1, bias=False), nn.Tanh()).to(device)
netG.apply(weights_init)
if opt.netG != '':
    netG.load_state_dict(torch.load(opt.netG))
layers, c = [], 3
for k in (1, 2, 4, 8):
    layers += [nn.Conv2d(c, ndf * k, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True)]
    c = ndf * k
netD = nn.Sequential(*layers, nn.Conv2d(c, 1, 4, 1, 0), nn.Flatten(0)).to(device)
netD.apply(weights_init)
criterion = nn.BCEWithLogitsLoss()
fixed = torch.randn(opt.batchSize, nz, 1, 1, device=device)
optD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
for epoch in range(opt.niter):
    for i, data in enumerate(loader, 0):
        netD.zero_grad()
        real = data[0].to(device)
        b = real.size(0)
        label = torch.full((b,), 1.0, dtype=real.dtype, device=device)
        errReal = criterion(netD(real), label)
        errReal.backward()
        fake = netG(torch.randn(b, nz, 1, 1, device=device))
        label.fill_(0.0)
        out = netD(fake.detach())
        errFake = criterion(out, label)
        errFake.backward()
        optD.step()
        netG.zero_grad()
        errG = criterion(netD(fake), torch.ones_like(label))
        errG.backward()
        optG.step()
        if i % 2 == 0:
            wandb.log({'D': (errReal + errFake).item(), 'G': errG.item(), 'D(G(z))': out.sigmoid().mean().item()})
    grid = vutils.make_grid(netG(fixed).detach().cpu(), normalize=True)
    print(epoch, tuple(grid.shape))
