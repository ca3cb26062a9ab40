package infer_test

import (
	"encoding/json"
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

// The parts of transformers that load from folders, under its names. What would ask a hub
// raises, as no test may come there.
var smallTransformers = map[string]string{
	"transformers/__init__.py":       "",
	"transformers/utils/__init__.py": "",
	"transformers/configuration_utils.py": `
class PreTrainedConfig:
    model_type = ''

    def __init__(self, **kwargs):
        import torch
        self.dtype = None
        for k, v in kwargs.items():
            setattr(self, k, getattr(torch, v) if k == 'dtype' and isinstance(v, str) else v)

    @classmethod
    def from_pretrained(cls, path, return_unused_kwargs=False, **kwargs):
        d, kwargs = cls.get_config_dict(path, **kwargs)
        own = {k: kwargs.pop(k) for k in list(kwargs) if k in d}
        config = cls(**{**d, **own})
        return (config, kwargs) if return_unused_kwargs else config

    @classmethod
    def get_config_dict(cls, path, **kwargs):
        return cls._get_config_dict(path, **kwargs)

    @classmethod
    def _get_config_dict(cls, path, **kwargs):
        raise OSError('the hub')
`,
	"transformers/modeling_utils.py": `
import torch
from .configuration_utils import PreTrainedConfig


class PreTrainedModel(torch.nn.Module):
    config_class = PreTrainedConfig
    _keep_in_fp32_modules = ['wo']

    def __init__(self, config):
        super().__init__()
        self.config = config

    @classmethod
    def _from_config(cls, config, torch_dtype=None, **kwargs):
        before = torch.get_default_dtype()
        torch.set_default_dtype(torch_dtype or torch.float32)
        model = cls(config, **kwargs)
        torch.set_default_dtype(before)
        return model

    @classmethod
    def from_pretrained(cls, path, **kwargs):
        raise OSError('the hub')


class Net(PreTrainedModel):
    def __init__(self, config, heads=1):
        super().__init__(config)
        self.wi = torch.nn.Linear(3, config.hidden * heads)
        self.wo = torch.nn.Linear(3, 2)

    def forward(self, x):
        return self.wi(x.to(self.wi.weight.dtype)), self.wo.weight, self.training
`,
}

// TestModelsOfFolders loads models of transformers from the project's folders: sizes and
// types of their configurations, as PyTorch has them in infer/testdata/pretrained.
func TestModelsOfFolders(t *testing.T) {
	const use = "from transformers.modeling_utils import Net\n\n\ndef forward(x):\n    return Net.from_pretrained(%)(x)\n"
	for _, c := range []struct {
		args, want, cause string
	}{
		{"'tiny'", "(f32[B,5], f32[2,3], bool=False)", ""},
		{"'./tiny/', hidden=4, heads=2", "(f32[B,8], f32[2,3], bool=False)", ""},
		{"'tiny', torch_dtype=torch.float16", "(f16[B,5], f32[2,3], bool=False)", ""},
		{"'tiny', dtype='bfloat16', cache_dir='x', token=None", "(bf16[B,5], bf16[2,3], bool=False)", ""},
		{"'half', dtype='auto'", "(bf16[B,7], bf16[2,3], bool=False)", ""},
		{"'all', subfolder='unet'", "(f32[B,9], f32[2,3], bool=False)", ""},
		{"'untyped'", "?", "a model in the type of its weights, which its configuration does not say"},
		{"'weights'", "(bf16[B,5], bf16[2,3], bool=False)", ""},
		{"'untyped', torch_dtype=torch.float16", "(f16[B,5], f32[2,3], bool=False)", ""},
		{"'google/tiny'", "?", "the model of 'google/tiny', which is no folder of the project with a config.json"},
		{"'../out'", "?", "'../out' is outside of the checked folders"},
		{"'link'", "?", "'link' is outside of the checked folders"},
		{"'adapted'", "?", "a model with adapters of peft"},
		{"'tiny', quantization_config={}", "?", "a model whose weights are quantized when it is loaded"},
	} {
		t.Run(c.args, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{
				"p/net.py": "import torch\n" + strings.Replace(use, "%", c.args, 1), "p/setup.py": "", "p/.venv/pyvenv.cfg": "",
				"p/tiny/config.json": `{"hidden": 5, "dtype": "float32"}`, "p/untyped/config.json": `{"hidden": 5}`,
				"p/half/config.json":     `{"hidden": 7, "dtype": "bfloat16"}`,
				"p/all/unet/config.json": `{"hidden": 9, "dtype": "float32"}`, "p/adapted/config.json": `{"hidden": 5}`,
				"p/adapted/adapter_config.json": `{}`,
				"out/config.json":               `{"hidden": 11}`, "p/weights/config.json": `{"hidden": 5}`,
				"p/weights/model.safetensors": safetensors(
					`{"w":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]},"n":{"dtype":"I64","shape":[],"data_offsets":[4,12]}}`, 12),
			}
			for name, text := range smallTransformers {
				files["p/.venv/lib/python3.12/site-packages/"+name] = text
			}
			for name, text := range files {
				path := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(filepath.Join(dir, "out"), filepath.Join(dir, "p", "link")); err != nil {
				t.Skip("no symbolic links here")
			}
			res, err := infer.Run(infer.Config{
				File: filepath.Join(dir, "p", "net.py"), Entry: "forward", Args: []string{"x:f32[B,3]"}, Environment: pyenv.Search{Discover: true},
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range res.Diagnostics {
				if d.Severity == diag.Error {
					t.Errorf("%s: %s", d.Code, d.Msg)
				}
			}
			if got := res.Output.String(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if u, ok := res.Output.(*value.Unknown); ok && u.Cause.Reason != c.cause {
				t.Errorf("the cause is %q, want %q", u.Cause.Reason, c.cause)
			}
		})
	}
}

// TestRecordedModelsOfFolders loads the models of infer/testdata/pretrained with the sources of
// transformers in the environment SHAPECHECK_TRANSFORMERS (the gate makes one): outputs, parameters and buffers are those
// that were recorded.
func TestRecordedModelsOfFolders(t *testing.T) {
	site := os.Getenv("SHAPECHECK_TRANSFORMERS")
	if site == "" {
		t.Skip("SHAPECHECK_TRANSFORMERS names no environment")
	}
	data, err := os.ReadFile("testdata/pretrained/truth.json")
	if err != nil {
		t.Fatal(err)
	}
	var truth map[string]string
	if err := json.Unmarshal(data, &truth); err != nil || len(truth) < 15 {
		t.Fatal(len(truth), err)
	}
	said := strings.NewReplacer("bool=", "", "dtype=f32", "torch.float32", "dtype=f16", "torch.float16", "dtype=bf16", "torch.bfloat16")
	for name, want := range truth {
		res, err := infer.Run(infer.Config{
			File: "testdata/pretrained/load.py", Entry: "lambda: forward(" + name + "())", Environment: pyenv.Search{Python: site},
		})
		if err != nil {
			t.Fatal(err)
		}
		if res.Output == nil {
			t.Errorf("%s: there is no result: %v", name, res.Diagnostics)
			continue
		}
		if got := said.Replace(res.Output.String()); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// TestPartsOfPackagesThatAreNotGoneThrough runs packages whose own text says nothing of what they give: files written from
// templates, and frames.
func TestPartsOfPackagesThatAreNotGoneThrough(t *testing.T) {
	dir := t.TempDir()
	site := filepath.Join(dir, "site-packages")
	for name, text := range map[string]string{
		"net.py": `
from overrides import override
from torch_geometric.conv import Conv


class Net(Conv):
    @override
    def message(self, x):
        return x.sum(1)


def forward(x):
    return Net()(x)
`,
		"site-packages/overrides/__init__.py":            "from overrides.overrides import overrides, override\n",
		"site-packages/overrides/overrides.py":           "def overrides(method=None, **kwargs):\n    import sys\n    return sys._getframe(1).f_back.f_code(method)\n\n\noverride = overrides\n",
		"site-packages/torch_geometric/__init__.py":      "",
		"site-packages/torch_geometric/template.py":      "def module_from_template(module_name, **kwargs):\n    import importlib\n    return importlib.import_module(open('/x').read())\n",
		"site-packages/torch_geometric/conv/__init__.py": convWithTemplates,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	res, err := infer.Run(infer.Config{File: filepath.Join(dir, "net.py"), Entry: "forward", Args: []string{"x:f32[B,3]"},
		Environment: pyenv.Search{Python: site}})
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Output.String(); got != "f32[B]" {
		t.Errorf("got %s: %v", got, res.Diagnostics)
	}
}

// convWithTemplates does as torch_geometric's MessagePassing: what a template would make is made without one.
const convWithTemplates = `
import torch

from torch_geometric.template import module_from_template


class Conv(torch.nn.Module):
    def __init__(self):
        super().__init__()
        try:
            self.propagate = module_from_template(module_name='x').propagate
        except Exception:
            self.propagate = self.message

    def forward(self, x):
        return self.propagate(x)
`

// TestRepositoriesOfPackagesThatAreNotGoneThrough checks such a package in its own repository, and a folder that is called
// as it is.
func TestRepositoriesOfPackagesThatAreNotGoneThrough(t *testing.T) {
	for version, want := range map[string]string{"__version__ = '2.6'\n": "f32[B]", "": "?"} {
		res, err := infer.Run(infer.Config{File: "/net.py", Entry: "forward", Args: []string{"x:f32[B,3]"}, FS: reads.NewMemory(map[string]string{
			"/net.py": `
from torch_geometric.conv import Conv


class Net(Conv):
    def message(self, x):
        return x.sum(1)


def forward(x):
    return Net()(x)
`,
			"/torch_geometric/__init__.py":      version,
			"/torch_geometric/template.py":      "def module_from_template(module_name, **kwargs):\n    import importlib\n    return importlib.import_module(open('/x').read())\n",
			"/torch_geometric/conv/__init__.py": convWithTemplates,
		})})
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Output.String(); got != want {
			t.Errorf("with %q: got %s, want %s: %v", version, got, want, res.Diagnostics)
		}
	}
}
