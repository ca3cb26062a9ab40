import torch
import torch.nn as nn

PATCH, SIDE, DIM, KEEP = 8, 32, 96, 4


def patchify(images):
    b, c, h, w = images.shape
    x = images.reshape(b, c, h // PATCH, PATCH, w // PATCH, PATCH)
    x = x.permute(0, 2, 4, 3, 5, 1)
    return x.reshape(b, (h // PATCH) * (w // PATCH), PATCH * PATCH * c)


class MAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = (SIDE // PATCH) ** 2
        self.embed = nn.Conv2d(3, DIM, PATCH, stride=PATCH)
        self.place = nn.Parameter(torch.zeros(1, self.count, DIM))
        layer = nn.TransformerEncoderLayer(DIM, 4, 4 * DIM, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.mask_token = nn.Parameter(torch.zeros(1, 1, DIM))
        self.decoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(DIM, 4, 4 * DIM, batch_first=True), 1)
        self.head = nn.Linear(DIM, PATCH * PATCH * 3)

    def forward(self, images):
        b = images.size(0)
        x = self.embed(images).flatten(2).transpose(1, 2) + self.place
        noise = torch.rand(b, self.count)
        order = noise.argsort(dim=1)
        restore = order.argsort(dim=1)
        keep = order[:, :KEEP]
        x = torch.gather(x, 1, keep.unsqueeze(-1).expand(-1, -1, DIM))
        x = self.encoder(x)
        tokens = self.mask_token.expand(b, self.count - KEEP, -1)
        x = torch.cat([x, tokens], dim=1)
        x = torch.gather(x, 1, restore.unsqueeze(-1).expand(-1, -1, DIM))
        x = self.decoder(x + self.place)
        mask = torch.ones(b, self.count)
        mask[:, :KEEP] = 0
        mask = torch.gather(mask, 1, restore)
        return self.head(x), mask


model = MAE()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(10):
    images = torch.rand(16, 3, SIDE, SIDE)
    target = patchify(images)
    mean, var = target.mean(dim=-1, keepdim=True), target.var(dim=-1, keepdim=True)
    target = (target - mean) / (var + 1e-6).sqrt()
    predicted, mask = model(images)
    error = (predicted - target).pow(2).mean(dim=-1)
    loss = (error * mask).sum() / mask.sum()
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
