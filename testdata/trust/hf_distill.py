import torch
import torch.nn.functional as F
from torch import nn
from torch.optim import AdamW
from torch.utils.data import DataLoader, TensorDataset
from transformers import BertConfig, BertModel, get_linear_schedule_with_warmup

MAX_LEN, LABELS, TEMP, ALPHA = 32, 4, 2.0, 0.7


def mean_pool(last, mask):
    m = mask.unsqueeze(-1).type_as(last)
    return (last * m).sum(1) / m.sum(1).clamp(min=1e-9)


class Classifier(nn.Module):
    def __init__(self, hidden, layers, heads=4):
        super().__init__()
        cfg = BertConfig(vocab_size=500, hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=heads, intermediate_size=2 * hidden, max_position_embeddings=64)
        self.bert = BertModel(cfg, add_pooling_layer=False)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(hidden, LABELS)

    def forward(self, input_ids, attention_mask):
        h = self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        pooled = mean_pool(h, attention_mask)
        return self.out(self.drop(pooled)), pooled


class Project(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.lin = nn.Linear(a, b, bias=False)

    def forward(self, s, t):
        return 1 - F.cosine_similarity(self.lin(s), t.detach(), dim=-1).mean()


def fake_corpus(n=64):
    ids = torch.randint(5, 500, (n, MAX_LEN))
    lengths = torch.randint(4, MAX_LEN + 1, (n,))
    mask = (torch.arange(MAX_LEN)[None, :] < lengths[:, None]).long()
    return TensorDataset(ids * mask, mask, torch.randint(0, LABELS, (n,)))


def main(epochs=1, lr=5e-4):
    torch.manual_seed(0)
    teacher, student = Classifier(64, 2).eval(), Classifier(32, 1)
    proj = Project(32, 64)
    for p in teacher.parameters():
        p.requires_grad = False
    loader = DataLoader(fake_corpus(), batch_size=16, shuffle=True)
    opt = AdamW([{"params": student.parameters()}, {"params": proj.parameters(), "lr": 10 * lr}], lr=lr)
    sched = get_linear_schedule_with_warmup(opt, num_warmup_steps=2, num_training_steps=epochs * len(loader))
    for epoch in range(epochs):
        for ids, mask, labels in loader:
            with torch.no_grad():
                t_logits, t_pool = teacher(ids, mask)
            s_logits, s_pool = student(ids, mask)
            kd = F.kl_div(F.log_softmax(s_logits / TEMP, -1), F.softmax(t_logits / TEMP, -1), reduction="batchmean") * TEMP ** 2
            loss = ALPHA * kd + (1 - ALPHA) * F.cross_entropy(s_logits, labels) + 0.1 * proj(s_pool, t_pool)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
            opt.step()
            sched.step()
            opt.zero_grad()
        agree = (s_logits.argmax(-1) == t_logits.argmax(-1)).float().mean()
        print(epoch, loss.item(), agree.item(), sched.get_last_lr())


if __name__ == "__main__":
    main()
