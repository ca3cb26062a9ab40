package cli

// This file tests what a user sees of scripts as they lie in repositories: files that are
// read and executed, data whose sizes files decide, trainers.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A story is a program with what is said of it.
type story struct {
	name  string
	files map[string]string
	args  string
	code  int
	says  []string
	not   []string
}

func (s story) run(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range s.files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := strings.Fields(s.args)
	if s.files["shapecheck.toml"] == "" && (len(args) == 0 || strings.ContainsAny(args[0], ".-")) { // FILE, no command
		args = append([]string{"--no-config"}, args...)
	}
	code, stdout, stderr := run(args...)
	if code != s.code {
		t.Errorf("exit code %d, want %d\n%s%s", code, s.code, stdout, stderr)
	}
	for _, want := range s.says {
		if !strings.Contains(stdout+stderr, want) {
			t.Errorf("does not say %q:\n%s%s", want, stdout, stderr)
		}
	}
	for _, bad := range s.not {
		if strings.Contains(stdout+stderr, bad) {
			t.Errorf("says %q:\n%s%s", bad, stdout, stderr)
		}
	}
}

func TestScriptsReadFiles(t *testing.T) {
	for _, s := range []story{
		{name: "a configuration that is executed", args: "train.py --script", files: map[string]string{
			"conf.py":  "n = 5\n",
			"train.py": "import torch\nn = 4\nexec(open('conf.py').read())\nx = torch.zeros(n)\n",
		}, says: []string{"f32[5]"}},
		{name: "one beside the script, compiled, with a fault", args: "sub/train.py --script", code: 1, files: map[string]string{
			"sub/conf.py":  "import torch\ny = torch.zeros(3) @ torch.zeros(4)\n",
			"sub/train.py": "import torch\nwith open('conf.py') as f:\n    exec(compile(f.read(), 'conf.py', 'exec'))\nx = torch.zeros(2)\n",
		}, says: []string{"f32[2]", "sub/conf.py:2:5"}},
		{name: "one that is not there", args: "train.py --script", files: map[string]string{
			"train.py": "import torch\nn = 4\nexec(open('conf.py').read())\nx = torch.zeros(n)\ny = torch.zeros(3)\n",
		}, says: []string{"exec() of a text that is not known", "f32[3]"}, not: []string{"f32[4]"}},
		{name: "arrays of files", args: "train.py --script", files: map[string]string{
			"train.py": `import glob
from pathlib import Path
import numpy as np
import torch
a = np.fromfile("x.bin", dtype=np.float32)
b = np.memmap("x.bin", dtype="uint16", mode="w+", shape=(4, 5))
b.flush()
c = torch.from_numpy(np.memmap("x.bin", dtype=np.int64).reshape(-1, 3))
files = sorted(glob.glob("*.npy")) + [str(p) for p in Path("data").rglob("*.png")]
for f in files:
    y = torch.zeros(3, len(f.split(".")[:1]))
lens = torch.zeros(len(files), 2)
assert isinstance(b, np.ndarray)
`,
		}, says: []string{"f32[n0]", "u16[4,5]", "i64[n1//3,3]", "f32[files0+files1,2]", "no errors", "0 unknown"}},
	} {
		t.Run(s.name, s.run)
	}
}

// TestMinTypedOfTheConfiguration: the key counts where no flag is given.
func TestMinTypedOfTheConfiguration(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"net.py": "import kernels\nx = kernels.f()\n", "shapecheck.toml": "min-typed = 50\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if code, out, _ := run("net.py", "--script"); code != 1 || !strings.Contains(out, "less than 50 %") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if _, out, _ := run("net.py", "--script", "--min-typed", "1"); !strings.Contains(out, "less than 1 %") {
		t.Errorf("with the flag: %s", out)
	}
}

func TestTheClosingLineSaysWhatWasTyped(t *testing.T) {
	long := "import torch\nimport kernels\nx = torch.zeros(3)\n" + strings.Repeat("y = x + 1\n", 50) +
		"z = kernels.f(x)\nz = z + 1\nw = kernels.g(x)\n"
	for _, s := range []story{
		{name: "by cause, long", args: "net.py --script", files: map[string]string{"net.py": long},
			says: []string{"51 of 54 values typed, 3 unknown (3 by net.py:2: module 'kernels' was not found)", "56 lines with types are left out"},
			not:  []string{"│"}},
		{name: "all types", args: "net.py --script --types", files: map[string]string{"net.py": long},
			says: []string{"53 │ y = x + 1", "f32[3]"}},
		{name: "too few", args: "net.py --script --min-typed 95 --output-format concise", files: map[string]string{"net.py": long}, code: 1,
			says: []string{"SC906", "51 of 54 values are typed (94 %), less than 95 %"}},
		{name: "enough", args: "net.py --script --min-typed 94", files: map[string]string{"net.py": long}},
		{name: "no percentage", args: "net.py --script --min-typed 101", files: map[string]string{"net.py": long}, code: 2,
			says: []string{"--min-typed 101"}},
		{name: "the result's cause first", args: "net.py --arg x:f32[2]", files: map[string]string{
			"net.py": "import a\nimport b\n\n\ndef forward(x):\n    x = x + 1\n    p = a.f(x)\n    q = a.g(p)\n    return b.f(x)\n",
		}, says: []string{"(1 by net.py:2: module 'b' was not found; 2 by net.py:1: module 'a' was not found)"}},
		{name: "stopped early", args: "net.py --script", files: map[string]string{
			"net.py": "import sys\nimport torch\nx = torch.zeros(3)\nif len(x) == 3:\n    sys.exit()\ny = x @ torch.zeros(5)\n",
		}, says: []string{"no errors, 1 value typed, 0 unknown, the script ends at line 5: what follows was not checked"}},
		{name: "at its end", args: "net.py --script", files: map[string]string{
			"net.py": "import sys\nimport torch\nx = torch.zeros(3)\nsys.exit(0)\n",
		}, not: []string{"ends at"}},
		{name: "epochs are joined", args: "net.py --script", files: map[string]string{
			"net.py": "import torch\nfrom torch.utils.data import DataLoader, TensorDataset\ndl = DataLoader(TensorDataset(torch.randn(1000, 8)), batch_size=64)\n" +
				"for epoch in range(30):\n    for (x,) in dl:\n        x = x * 2\n",
		}, says: []string{"f32[64,8] | f32[40,8] | f32[u0,8]"}, not: []string{"more"}},
	} {
		t.Run(s.name, s.run)
	}
}

func TestTrainersOfLightningRun(t *testing.T) {
	const text = `import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Data(L.LightningDataModule):
    def setup(self, stage=None):
        self.data = TensorDataset(torch.randn(96, 8), torch.randint(3, (96,)))

    def train_dataloader(self):
        return DataLoader(self.data, batch_size=16)

    def val_dataloader(self):
        return DataLoader(self.data, batch_size=32)


class Net(L.LightningModule):
    def __init__(self, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Linear(8, 3)
        self.register_buffer("w", torch.ones(3))

    def training_step(self, batch, i):
        x, y = batch
        loss = F.cross_entropy(self.net(x) * self.w, y)
        self.log("loss", loss)
        return loss

    def validation_step(self, batch):
        x, y = batch
        out = self.net(x).argmax(1) == y
        return out

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.hparams.lr)


trainer = L.Trainer(max_epochs=1, callbacks=[L.Callback()])
trainer.fit(Net(), datamodule=Data())
`
	for _, s := range []story{
		{name: "right", args: "net.py --script", files: map[string]string{"net.py": text},
			says: []string{"f32[16,8]", "bool[32]", "no errors", "0 unknown"}},
		{name: "a buffer of another size", args: "net.py --script", code: 1,
			files: map[string]string{"net.py": strings.Replace(text, "ones(3)", "ones(4)", 1)},
			says:  []string{"error[SC101]", "net.py:28"}},
		{name: "a module", args: "net.py --entry Net() --call forward_it --arg x:f32[B,8]", files: map[string]string{
			"net.py": strings.Replace(text, "    def training_step",
				"    def forward_it(self, x):\n        return self.net(x)\n\n    def training_step", 1),
		}, says: []string{"f32[B,3]"}},
	} {
		t.Run(s.name, s.run)
	}
}

// What save_hyperparameters collects is what the constructors under way were given; recorded with
// lightning 2.6.
func TestHyperparametersOfLightningAreKnown(t *testing.T) {
	const text = `import argparse
import lightning as L
import torch
from torch import nn


class Base(L.LightningModule):
    def __init__(self, width=8, **kwargs):
        super().__init__()
        self.save_hyperparameters()
        self.fc = nn.Linear(self.hparams.width, self.hparams["out"])


class Net(Base):
    def __init__(self, depth, out=3, drop=None):
        super().__init__(width=2 * depth, out=out)
        self.save_hyperparameters(ignore=["drop"])
        self.more = nn.Linear(self.hparams.depth, self.hparams.width)


class Old(L.LightningModule):
    def __init__(self, hparams):
        super().__init__()
        self.save_hyperparameters(hparams)
        self.fc = nn.Linear(self.hparams.n, 4)


class Some(L.LightningDataModule):
    def __init__(self, a, b=2, c=7):
        super().__init__()
        self.save_hyperparameters("a", "c")


n = Net(4)
print(n.fc.weight.shape, n.more.weight.shape, sorted(n.hparams))
o = Old(argparse.Namespace(n=5))
print(o.fc.weight.shape)
print(Some(1).hparams, Some(1, c=3).hparams.c)
d = Some(4)
d.hparams.z = 4
x = torch.zeros(d.hparams.a, d.hparams["z"], n.hparams.get("width"), len(n.hparams))
print(x.shape)
`
	story{args: "net.py --script", files: map[string]string{"net.py": text}, says: []string{"f32[4,4,8,3]", "no errors", "0 unknown"}}.run(t)
}

// An element of a table is one number or text; what is made of it may be anything.
func TestElementsOfTablesAreSingle(t *testing.T) {
	const text = `import ast
import json
import numpy as np
import pandas as pd
import torch
c = pd.read_csv("a.csv")["a"].values[0]
z = c
z += [1]
one = torch.tensor(c).float(), torch.tensor([c, c]).float(), torch.LongTensor([[c], [c]])
for v in json.loads(c), ast.literal_eval(c), np.array([c, c]), c.split(), c + "1", c[0], {"a": [1]}[c], {}.get(c), eval(c), sorted(c), np.load(c), z, -c:
    many = torch.tensor(v).float()
`
	story{args: "net.py --script --types", files: map[string]string{"net.py": text},
		says: []string{"(f32[], f32[2], i64[2,1])", "no errors", "1 of 30 values typed"}}.run(t)
}

func TestValuesOfPythonAreNoInstancesOfMissingClasses(t *testing.T) {
	const text = `import torch
from omegaconf.listconfig import ListConfig
from compat import integer_types


def forward(x, context_dim=512):
    if type(context_dim) == ListConfig:
        context_dim = list(context_dim)
    if isinstance(context_dim, (ListConfig, tuple)) or type(context_dim) is ListConfig:
        context_dim = context_dim.list
    y = torch.zeros(x.shape[0], context_dim)
    n = 1 if isinstance(context_dim, integer_types) else context_dim.size
    return y, torch.zeros(2, n)
`
	story{args: "net.py --arg x:f32[B,4]", files: map[string]string{"net.py": text}, says: []string{"f32[B,512]", "no errors"},
		not: []string{"f32[2,1])", "SC202"}}.run(t)
}

func TestOneOfTwoDataSetsHasALength(t *testing.T) {
	const text = `import os
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset


class Ours(Dataset):
    def __len__(self):
        return 96

    def __getitem__(self, i):
        return torch.zeros(3, 8), 1


if os.path.isdir(os.environ.get("DATA", "data")):
    data = Ours()
else:
    data = TensorDataset(torch.randn(64, 3, 8), torch.zeros(64).long())
n = torch.zeros(len(data), 2)
for x, y in DataLoader(data, batch_size=16, shuffle=True):
    z = x * 2
`
	story{args: "net.py --script", files: map[string]string{"net.py": text}, says: []string{"f32[16,3,8]", "no errors"},
		not: []string{"no len()"}}.run(t)
}

// A class whose forward is that of Lightning's own module, which hands it to nn.Module's, is no
// model.
func TestForwardThatIsHandedOnIsNoModel(t *testing.T) {
	story{args: "net.py", files: map[string]string{
		"hub.py": "import torch.nn as nn\n\n\nclass Base(nn.Module):\n    def forward(self, *args, **kwargs):\n        \"\"\"Same as nn.Module's.\"\"\"\n        return super().forward(*args, **kwargs)\n",
		"net.py": "import torch.nn as nn\nfrom hub import Base\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(64, 2)\n\n" +
			"    def forward(self, x):\n        return self.fc(x)\n\n\nclass Trainer(Base):\n    def training_step(self, batch):\n        return Net()(batch).mean()\n",
	}, says: []string{"Net()", "1 checked"}, not: []string{"error", "Trainer()"}}.run(t)
}

func TestFinfoSaysThePrecision(t *testing.T) {
	const text = `import numpy as np
import torch

x = torch.zeros(np.finfo(np.float16).precision, np.finfo("float32").precision, np.finfo(float).precision)
`
	story{args: "net.py --script", files: map[string]string{"net.py": text}, says: []string{"f32[3,6,15]", "no errors"}}.run(t)
}

// The scripts of testdata/trust are in the manner of real ones, and what they import besides
// PyTorch is missing: nothing of that is a fault of theirs. typed is the percentage of the
// values that must be typed at least.
func TestScriptsWithMissingPackagesHaveNoErrors(t *testing.T) {
	typed := map[string]int{
		"audio_ctc.py": 90, "audio_denoise.py": 100, "audio_keyword.py": 85, "hydra_trainer.py": 100, "kaggle_mixup.py": 100,
		"kaggle_titanic.py": 95, "lightning_segmentation.py": 95, "lightning_vae.py": 100, "audio_fbank_cnn.py": 95, "gnn_cora.py": 95,
		"kaggle_timeseries_lstm.py": 95, "kaggle_vit_einops.py": 100,
		"kaggle_recsys.py": 95, "lightning_module.py": 85, "nlp_bilstm_crf.py": 100, "rl_gridworld_ppo.py": 99,
		"lightning_textgen.py": 100, "rl_ddpg.py": 85, "seq2seq_attention.py": 100, "trainer_ddpm.py": 99,
		"trainer_nanogpt.py": 100, "trainer_siamese.py": 100,
	}
	files, err := filepath.Glob("../../testdata/trust/*.py")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			code, stdout, stderr := run(file, "--script", "--no-config", "--output-format", "json")
			var doc struct {
				Summary struct{ Typed, Unknown, Errors, Warnings int }
			}
			if err := json.Unmarshal([]byte(stdout), &doc); err != nil || code == 1 || code > 2 {
				t.Fatalf("exit code %d, %v\n%s", code, err, stderr)
			}
			s := doc.Summary
			if s.Errors+s.Warnings > 0 {
				_, stdout, _ := run(file, "--script", "--no-config", "--output-format", "concise")
				t.Errorf("%d errors, %d warnings:\n%s", s.Errors, s.Warnings, stdout)
			}
			if share := 100 * s.Typed / max(1, s.Typed+s.Unknown); share < typed[filepath.Base(file)] {
				t.Errorf("%d %% typed, want %d %%", share, typed[filepath.Base(file)])
			}
		})
	}
}
