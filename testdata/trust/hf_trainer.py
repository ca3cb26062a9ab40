import os, sys
from dataclasses import dataclass, field
from typing import Optional, Dict, List
import datasets
import evaluate
import numpy as np
import torch
import wandb
from accelerate import Accelerator
from accelerate.utils import set_seed
from datasets import load_dataset
from omegaconf import OmegaConf
from peft import LoraConfig, get_peft_model
from torch.nn.utils.rnn import pad_sequence
from transformers import AutoModelForCausalLM, AutoTokenizer, HfArgumentParser, TrainingArguments, Trainer, get_cosine_schedule_with_warmup


@dataclass
class ModelArguments:
    name: str = field(default="gpt2")
    lora_r: int = 8
    dtype: Optional[str] = None


class Collator:
    def __init__(self, tokenizer, max_len=128):
        self.tok, self.max_len = tokenizer, max_len

    def __call__(self, features: List[Dict[str, torch.Tensor]]):
        ids = [torch.tensor(f["input_ids"][: self.max_len]) for f in features]
        input_ids = pad_sequence(ids, batch_first=True, padding_value=self.tok.pad_token_id)
        labels = input_ids.clone()
        labels[labels == self.tok.pad_token_id] = -100
        return {"input_ids": input_ids, "labels": labels, "attention_mask": input_ids.ne(self.tok.pad_token_id)}


class RewardHead(torch.nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.drop = torch.nn.Dropout(0.1)
        self.v = torch.nn.Linear(hidden, 1, bias=False)

    def forward(self, h, mask):
        r = self.v(self.drop(h)).squeeze(-1)
        idx = mask.long().sum(-1) - 1
        return r.gather(1, idx[:, None]).squeeze(1)


class MyTrainer(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False):
        out = model(**inputs, output_hidden_states=True)
        loss = out.loss
        return (loss, out) if return_outputs else loss


def compute_metrics(p):
    preds = np.argmax(p.predictions, axis=-1)
    return {"accuracy": (preds == p.label_ids).astype(np.float32).mean().item()}


def main():
    parser = HfArgumentParser((ModelArguments, TrainingArguments))
    if len(sys.argv) == 2 and sys.argv[1].endswith(".json"):
        margs, targs = parser.parse_json_file(json_file=os.path.abspath(sys.argv[1]))
    else:
        margs, targs = parser.parse_args_into_dataclasses()
    set_seed(targs.seed)
    acc = Accelerator(mixed_precision="bf16", log_with="wandb")
    tok = AutoTokenizer.from_pretrained(margs.name)
    if tok.pad_token is None:
        tok.pad_token = tok.eos_token
    dtype = margs.dtype if margs.dtype in ["auto", None] else getattr(torch, margs.dtype)
    model = AutoModelForCausalLM.from_pretrained(margs.name, torch_dtype=dtype)
    model = get_peft_model(model, LoraConfig(r=margs.lora_r))
    head = RewardHead(model.config.hidden_size)
    raw = load_dataset("wikitext", "wikitext-2-raw-v1")
    ds = raw.map(lambda x: tok(x["text"]), batched=True, remove_columns=raw["train"].column_names)
    loader = torch.utils.data.DataLoader(ds["train"], batch_size=8, collate_fn=Collator(tok))
    params = [p for n, p in model.named_parameters() if p.requires_grad] + list(head.parameters())
    opt = torch.optim.AdamW(params, lr=1e-4)
    sched = get_cosine_schedule_with_warmup(opt, 100, len(loader) * 3)
    model, head, opt, loader, sched = acc.prepare(model, head, opt, loader, sched)
    total = sum(p.numel() for p in model.parameters())
    print(f"{total / 1e6:.1f}M parameters")
    best = float("inf")
    for epoch in range(3):
        for step, batch in enumerate(loader):
            with acc.accumulate(model):
                out = model(**batch, output_hidden_states=True)
                r = head(out.hidden_states[-1], batch["attention_mask"])
                loss = out.loss + 0.1 * r.pow(2).mean()
                acc.backward(loss)
                if acc.sync_gradients:
                    acc.clip_grad_norm_(model.parameters(), 1.0)
                opt.step(); sched.step(); opt.zero_grad()
            if step % 10 == 0:
                losses = acc.gather(loss.detach().repeat(8)).mean().item()
                best = min(best, losses)
                wandb.log({"loss": losses, "ppl": np.exp(losses)})
    trainer = MyTrainer(model=model, args=targs, train_dataset=ds["train"], compute_metrics=compute_metrics)
    trainer.train()


if __name__ == "__main__":
    main()
