#!/usr/bin/env python
import argparse, os, time
import torch
import torch.nn as nn
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler
from torchvision import models
from timm.utils import ModelEmaV2


class AverageMeter(object):
    def __init__(self, name, fmt=":f"):
        self.name, self.fmt = name, fmt
        self.val = self.sum = self.count = self.avg = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count

    def __str__(self):
        return ("{name} {val" + self.fmt + "} ({avg" + self.fmt + "})").format(**self.__dict__)


def accuracy(output, target, topk=(1,)):
    with torch.no_grad():
        maxk, batch_size = max(topk), target.size(0)
        _, pred = output.topk(maxk, 1, True, True)
        correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
        return [correct[:k].reshape(-1).float().sum(0, keepdim=True).mul_(100.0 / batch_size) for k in topk]


def main():
    parser = argparse.ArgumentParser(description="ImageNet training")
    parser.add_argument("-a", "--arch", default="resnet18", choices=sorted(n for n in models.__dict__ if n.islower() and not n.startswith("__")))
    parser.add_argument("--epochs", default=1, type=int)
    parser.add_argument("-b", "--batch-size", default=8, type=int)
    parser.add_argument("--accum", default=2, type=int)
    parser.add_argument("--resume", default="", type=str)
    args = parser.parse_args()
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    if world > 1:
        dist.init_process_group("nccl", rank=rank, world_size=world)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = models.__dict__[args.arch](num_classes=10).to(device)
    if args.resume and os.path.isfile(args.resume):
        ckpt = torch.load(args.resume, map_location=device)
        model.load_state_dict({k.replace("module.", ""): v for k, v in ckpt["state_dict"].items()})
    ema = ModelEmaV2(model, decay=0.99)
    net = DDP(model, device_ids=[rank]) if world > 1 else model
    data = TensorDataset(torch.randn(32, 3, 64, 64), torch.randint(0, 10, (32,)))
    sampler = DistributedSampler(data, num_replicas=world, rank=rank) if world > 1 else None
    loader = DataLoader(data, args.batch_size, shuffle=sampler is None, sampler=sampler, drop_last=True)
    criterion = nn.CrossEntropyLoss().to(device)
    optimizer = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=30, gamma=0.1)
    losses, top1, top5 = AverageMeter("Loss", ":.4e"), AverageMeter("Acc@1", ":6.2f"), AverageMeter("Acc@5", ":6.2f")
    for epoch in range(args.epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        net.train()
        end = time.time()
        for i, (images, target) in enumerate(loader):
            images, target = images.to(device, non_blocking=True), target.to(device, non_blocking=True)
            with torch.autocast(device, dtype=torch.bfloat16):
                output = net(images)
                loss = criterion(output, target) / args.accum
            loss.backward()
            if (i + 1) % args.accum == 0:
                optimizer.step()
                optimizer.zero_grad()
                ema.update(model)
            acc1, acc5 = accuracy(output, target, topk=(1, 5))
            losses.update(loss.item() * args.accum, images.size(0))
            top1.update(acc1[0].item(), images.size(0))
            top5.update(acc5[0].item(), images.size(0))
            print("\t".join([f"[{i}/{len(loader)}]", str(losses), str(top1), str(top5), f"{time.time() - end:.2f}s"]))
        scheduler.step()
        if rank == 0:
            torch.save({"epoch": epoch + 1, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}, "checkpoint.pth.tar")


if __name__ == "__main__":
    main()
