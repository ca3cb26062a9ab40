import os, random, gc
import albumentations as A
import cv2
import numpy as np
import pandas as pd
import timm
import torch
import torch.nn as nn
from albumentations.pytorch import ToTensorV2
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from torch.utils.data import DataLoader, Dataset
from tqdm.auto import tqdm


class CFG:
    seed = 42
    model_name = "tf_efficientnet_b0"
    img_size = 224
    batch_size = 32
    epochs = 3
    n_fold = 5
    lr = 1e-4
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def seed_everything(seed):
    random.seed(seed)
    os.environ["PYTHONHASHSEED"] = str(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


class TrainDataset(Dataset):
    def __init__(self, df, transform=None):
        self.df = df
        self.paths = df["path"].values
        self.labels = df["target"].values
        self.transform = transform

    def __len__(self):
        return len(self.df)

    def __getitem__(self, idx):
        image = cv2.imread(self.paths[idx])
        image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
        if self.transform:
            image = self.transform(image=image)["image"]
        else:
            image = torch.from_numpy(np.transpose(image.astype(np.float32) / 255.0, (2, 0, 1)))
        return image, torch.tensor(self.labels[idx]).float()


class Model(nn.Module):
    def __init__(self, cfg, pretrained=True):
        super().__init__()
        self.backbone = timm.create_model(cfg.model_name, pretrained=pretrained, num_classes=0)
        n = self.backbone.num_features
        self.head = nn.Sequential(nn.Linear(n, 128), nn.ReLU(), nn.Dropout(0.2), nn.Linear(128, 1))

    def forward(self, x):
        feat = self.backbone(x)
        return self.head(feat).squeeze(-1)


def train_fn(loader, model, criterion, optimizer, scheduler):
    model.train()
    losses, total = [], 0
    scaler = torch.cuda.amp.GradScaler()
    for step, (images, labels) in enumerate(tqdm(loader, total=len(loader))):
        images, labels = images.to(CFG.device), labels.to(CFG.device)
        with torch.cuda.amp.autocast():
            y_pred = model(images)
            loss = criterion(y_pred, labels)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1000)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        scheduler.step()
        losses.append(loss.item() * images.size(0))
        total += images.size(0)
    return sum(losses) / total


def valid_fn(loader, model, criterion):
    model.eval()
    preds = []
    for images, labels in loader:
        with torch.no_grad():
            preds.append(model(images.to(CFG.device)).sigmoid().cpu().numpy())
    return np.concatenate(preds)


if __name__ == "__main__":
    seed_everything(CFG.seed)
    df = pd.read_csv("train.csv")
    df["path"] = df["image_id"].apply(lambda x: f"train/{x}.png")
    skf = StratifiedKFold(n_splits=CFG.n_fold, shuffle=True, random_state=CFG.seed)
    for fold, (_, val_idx) in enumerate(skf.split(df, df["target"])):
        df.loc[val_idx, "fold"] = fold
    oof = np.zeros(len(df))
    tf = A.Compose([A.Resize(CFG.img_size, CFG.img_size), A.Normalize(), ToTensorV2()])
    for fold in range(CFG.n_fold):
        tr, va = df[df.fold != fold].reset_index(drop=True), df[df.fold == fold].reset_index(drop=True)
        train_loader = DataLoader(TrainDataset(tr, tf), batch_size=CFG.batch_size, shuffle=True, num_workers=4, drop_last=True)
        valid_loader = DataLoader(TrainDataset(va, tf), batch_size=CFG.batch_size * 2)
        model = Model(CFG).to(CFG.device)
        optimizer = torch.optim.AdamW(model.parameters(), lr=CFG.lr)
        scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=CFG.lr, epochs=CFG.epochs, steps_per_epoch=len(train_loader))
        criterion = nn.BCEWithLogitsLoss()
        best = 0
        for epoch in range(CFG.epochs):
            loss = train_fn(train_loader, model, criterion, optimizer, scheduler)
            preds = valid_fn(valid_loader, model, criterion)
            score = roc_auc_score(va["target"].values, preds)
            if score > best:
                best = score
                torch.save({"model": model.state_dict(), "preds": preds}, f"fold{fold}.pth")
            print(f"epoch {epoch+1} loss {loss:.4f} score {score:.4f}")
        oof[va.index] = preds
        del model; gc.collect()
