package infer_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/project/pyenv"
)

// TestStandIns runs the programs of infer/testdata/standins without the packages: they give
// what the packages gave when the JSON files were recorded.
func TestStandIns(t *testing.T) {
	files, err := filepath.Glob("testdata/standins/*.json")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var truth map[string]string
		if err := json.Unmarshal(data, &truth); err != nil || len(truth) < 5 {
			t.Fatal(file, len(truth), err)
		}
		program, cache := strings.TrimSuffix(file, "json")+"py", infer.NewCache()
		for name, want := range truth {
			t.Run(filepath.Base(program)+"/"+name, func(t *testing.T) {
				res, err := infer.Run(infer.Config{File: program, Entry: "lambda: str(" + name + "())", Cache: cache})
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range res.Diagnostics {
					if d.Severity == diag.Error {
						t.Errorf("%s: %s", d.Code, d.Msg)
					}
				}
				text, ok := value.AsStr(res.Output)
				got := text
				if strings.HasPrefix(want, "sha256 ") {
					got = fmt.Sprintf("sha256 %x", sha256.Sum256([]byte(text)))
				}
				if !ok || got != want {
					t.Errorf("got %v, want %s", res.Output, want)
				}
			})
		}
	}
}

// TestStandInsAreInParts says what a stub of ours leaves out, and when it is used.
func TestStandInsAreInParts(t *testing.T) {
	const site = ".venv/lib/python3.12/site-packages/"
	for _, c := range []struct {
		name, net, want, cause string
		files                  map[string]string
	}{
		{"a name it lacks", "import cv2\n\n\ndef forward(x):\n    return cv2.dnn\n", "?", "cv2 is not installed, and the stub for it lacks this name", nil},
		{"a slip", "import cv2\n\n\ndef forward(x):\n    return cv2.imreed('a.png')\n", "?", "cv2 is not installed, and the stub for it lacks this name", nil},
		{"an imported name it lacks", "from cv2 import dnn\n\n\ndef forward(x):\n    return dnn\n", "?",
			"cv2 is not installed, and the stub for it lacks this name", nil},
		{"a module it lacks", "import matplotlib.cm as cm\n\n\ndef forward(x):\n    return cm.jet\n", "?",
			"matplotlib.cm is not installed, and the stub for it lacks this name", nil},
		{"a program with another way",
			"try:\n    import cv2\nexcept ImportError:\n    cv2 = None\n\n\ndef forward(x):\n    return cv2 is None\n", "bool=True", "", nil},
		{"calls of any arguments", "import wandb\n\n\ndef forward(x):\n    wandb.log({}, step=1)\n    return wandb.finish()\n", "None", "", nil},
		{"a configuration of a file", "from omegaconf import OmegaConf\n\n\ndef forward(x):\n    return OmegaConf.load('a.yaml').width\n", "?",
			"the configuration of a YAML file", nil},
		{"a configuration that refers",
			"from omegaconf import OmegaConf\n\n\ndef forward(x):\n    return OmegaConf.create({'a': 1, 'b': '${a}'}).b\n", "?",
			"a value of a configuration that refers to others", nil},
		{"a program of hydra", "import hydra\n\nout = []\n\n\n@hydra.main(config_path='conf')\ndef main(cfg):\n    out.append(cfg.width)\n\n\ndef forward(x):\n    main()\n    return out[0]\n", "?", "the configuration of hydra", nil},
		{"what hydra makes", "from hydra.utils import instantiate\n\n\ndef forward(x):\n    return instantiate({'_target_': 'a'})\n", "?",
			"what hydra makes of a configuration", nil},
		{"a log", "from tensorboardX import SummaryWriter\n\n\ndef forward(x):\n    with SummaryWriter('runs') as w:\n        return w.add_scalar('a', 1, 2)\n", "None", "", nil},
		{"a table", "import pandas as pd\n\n\ndef forward(x):\n    t = pd.read_csv('a')\n    return t[t['a'] > 1].describe()\n", "?",
			"what the stub of pandas does not have", nil},
		{"a class method that a table lacks", "import pandas as pd\n\n\ndef forward(x):\n    return pd.DataFrame.from_records([(1, 2)])\n", "?",
			"no rule for pandas.DataFrame.from_records", nil},
		{"columns of a table", "import pandas as pd\n\n\ndef forward(x):\n    t = pd.read_csv('a')\n    return t[['a', 'b']].to_numpy(dtype='float32').shape[1]\n", "2", "", nil},
		{"values of a table", "import pandas as pd\n\n\ndef forward(x):\n    return pd.read_csv('a').values\n", "?[rows0,columns0]", "", nil},
		{"tokens", "from transformers import AutoTokenizer\n\n\ndef forward(x):\n    t = AutoTokenizer.from_pretrained('bert-base-cased')\n    return list(t(['a', 'b'], return_tensors='pt', padding='max_length', truncation=True, max_length=9).values())\n", "[i64[2,9], i64[2,9], i64[2,9]]", "", nil},
		{"tokens of a model that is not known",
			"from transformers import AutoTokenizer\n\n\ndef forward(x):\n    e = AutoTokenizer.from_pretrained(open('a').read())(['a', 'b'], return_tensors='pt', padding=True)\n    return e.input_ids.ndim, e['token_type_ids']\n", "(int=2, ?)", "", nil},
		{"tokens of two kinds", "from transformers import GPT2Tokenizer\n\n\ndef forward(x):\n    t = GPT2Tokenizer.from_pretrained('a')\n    return list(t('a')), t.encode('a', return_tensors='pt').shape[0], t.vocab_size == t.vocab_size\n", "([str='input_ids', str='attention_mask'], int=1, bool=True)", "", nil},
		{"a model of transformers", "from transformers import AutoModel\n\n\ndef forward(x):\n    return AutoModel.from_pretrained('a')(x)\n",
			"?", "transformers is not installed, and the stub for it lacks this name", nil},
		{"rows of a hub", "from datasets import load_dataset\n\n\ndef forward(x):\n    rows = load_dataset('a', split='train').map(lambda r: {'n': [1, 2, 3]}).with_format('torch', columns=['n', 'label'])\n    return rows[0]\n", "{\"n\": i64[3], \"label\": ?}", "", nil},
		{"splits of a hub", "from datasets import load_dataset\n\n\ndef forward(x):\n    return load_dataset('a')['test'][0]['text']\n", "?",
			"a column of a data set", nil},
		{"pieces", "import sentencepiece as spm\n\n\ndef forward(x):\n    sp = spm.SentencePieceProcessor(model_file='m')\n    return sp.vocab_size() == sp.get_piece_size(), len(sp.encode(['a', 'b']))\n", "(bool=True, int=2)", "", nil},
		{"tokenizers", "from tokenizers import Tokenizer\n\n\ndef forward(x):\n    t = Tokenizer.from_file('a')\n    return t.get_vocab_size() == t.get_vocab_size(), len(t.encode_batch(['a', 'b']))\n", "(bool=True, int=2)", "", nil},
		{"ChainerX: defaults of its own",
			"import chainerx as chx\n\n\ndef forward(x):\n    a = chx.ones((2, 3))\n    return a, chx.exp(chx.array([1, 2])), chx.eye(2), chx.zeros(4, 'int64'), chx.asarray(a, dtype=chx.float64)\n", "(f32[2,3], f32[2], f64[2,2], i64[4], f64[2,3])", "", nil},
		{"ChainerX as NumPy", "import chainer\nimport chainerx\n\n\ndef forward(x):\n    a = chainerx.array(x)\n    b = chainerx.dot(a, chainerx.ones((3, 4))).sum(axis=1)\n    return b, chainer.functions.relu(a), chainerx.to_numpy(b).T, chainerx.is_available()\n", "(f32[B], f32[B,3], f32[B], bool=False)", "", nil},
		{"ChainerX: what it lacks here", "import chainerx\n\n\ndef forward(x):\n    return chainerx.n_step_lstm\n", "?",
			"chainerx is not installed, and the stub for it lacks this name", nil},
		{"the project's own", "import cv2\n\n\ndef forward(x):\n    return cv2.imread('a.png')\n", "7", "",
			map[string]string{"cv2.py": "def imread(name):\n    return 7\n"}},
		{
			"a package that is followed", "import accelerate\n\n\ndef forward(x):\n    return accelerate.Accelerator()\n", "7", "",
			map[string]string{".venv/pyvenv.cfg": "", site + "accelerate.py": "def Accelerator():\n    return 7\n"},
		},
		{
			"a package that is not followed",
			"try:\n    import cv2\nexcept ImportError:\n    cv2 = None\n\n\ndef forward(x):\n    return cv2.imread('a.png').shape[2]\n", "3", "",
			map[string]string{
				".venv/pyvenv.cfg": "", site + "cv2/__init__.py": "raise ValueError\n", site + "cv2-1.dist-info/METADATA": "Name: cv2\n",
				site + "cv2-1.dist-info/RECORD": "cv2/__init__.py,,\ncv2/cv2.abi3.so,,\n",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"net.py": c.net, "setup.py": ""}
			for name, text := range c.files {
				files[name] = text
			}
			res, err := infer.Run(infer.Config{
				File: "net.py", Entry: "forward", Args: []string{"x:f32[B,3]"}, Environment: pyenv.Search{Discover: true}, FS: reads.NewMemory(files),
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range res.Diagnostics {
				if d.Severity == diag.Error {
					t.Errorf("%s: %s", d.Code, d.Msg)
				}
			}
			got := res.Output.String()
			if !strings.HasSuffix(got, c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if u, ok := res.Output.(*value.Unknown); ok && u.Cause.Reason != c.cause {
				t.Errorf("the cause is %q, want %q", u.Cause.Reason, c.cause)
			}
		})
	}
}

// Nothing stands for parts of a package that is there: a name that its __init__.py defines is
// that, not a module.
func TestPackagesThatAreThereHaveNoStandIns(t *testing.T) {
	fsys := reads.NewMemory(map[string]string{
		"torchvision/__init__.py": "import torch\ndef _width():\n    return 3\n",
		"torchvision/net.py":      "import torch\nimport torchvision\ndef f(x):\n    return torch.zeros(torchvision._width())\n",
	})
	res, err := infer.Run(infer.Config{FS: fsys, File: "torchvision/net.py", Entry: "f", Args: []string{"x:f32[2]"}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Output == nil || res.Output.String() != "f32[3]" {
		t.Errorf("%v, %d findings", res.Output, len(res.Diagnostics))
	}
}
