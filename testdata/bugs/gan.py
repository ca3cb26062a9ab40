import torch
from torch import autograd, nn

Z, CH, SIZE = 32, 3, 32


class Generator(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.project = nn.Linear(Z, width * 4 * 4 * 4)
        self.width = width
        self.net = nn.Sequential(
            nn.BatchNorm2d(width * 4),
            nn.ConvTranspose2d(width * 4, width * 2, 4, 2, 1),
            nn.BatchNorm2d(width * 2),
            nn.ReLU(),
            nn.ConvTranspose2d(width * 2, width, 4, 2, 1),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.ConvTranspose2d(width, CH, 4, 2, 1),
            nn.Tanh(),
        )

    def forward(self, z):
        x = self.project(z).view(-1, self.width * 4, 4, 4)
        return self.net(x)


class Critic(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(CH, width, 4, 2, 1),
            nn.LeakyReLU(0.2),
            nn.Conv2d(width, width * 2, 4, 2, 1),
            nn.LeakyReLU(0.2),
            nn.Conv2d(width * 2, width * 4, 4, 2, 1),
            nn.LeakyReLU(0.2),
        )
        self.score = nn.Linear(width * 4 * 4 * 4, 1)

    def forward(self, x):
        f = self.features(x)
        return self.score(f.flatten(1)).squeeze(1)


def gradient_penalty(critic, real, fake):
    n = real.size(0)
    eps = torch.rand(n, 1, 1, 1)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    scores = critic(mixed)
    grad = autograd.grad(scores.sum(), mixed, create_graph=True)[0]
    norm = grad.flatten(1).norm(2, dim=1)
    return ((norm - 1) ** 2).mean()


generator, critic = Generator(), Critic()
g_opt = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.0, 0.9))
c_opt = torch.optim.Adam(critic.parameters(), lr=2e-4, betas=(0.0, 0.9))
for step in range(8):
    real = torch.rand(10, CH, SIZE, SIZE) * 2 - 1
    z = torch.randn(10, Z)
    fake = generator(z).detach()
    c_loss = critic(fake).mean() - critic(real).mean() + 10 * gradient_penalty(critic, real, fake)
    c_opt.zero_grad()
    c_loss.backward()
    c_opt.step()
    if step % 2 == 0:
        z = torch.randn(10, Z)
        g_loss = -critic(generator(z)).mean()
        g_opt.zero_grad()
        g_loss.backward()
        g_opt.step()
    fid = (real.mean(dim=(0, 2, 3)) - fake.mean(dim=(0, 2, 3))).pow(2).sum()
