// Package outside has programs that name files out of the folders that are checked, in each way that a program, a link, a
// notebook, a configuration or an environment has to name one. No run may read such a file: the tests look at what runs ask
// the file system layer for, and at what the processes of all commands open.
//
//	outside.go  ways of programs     data.go  ways of data: indexes, models, compiled programs, tests
package outside

// This file has the ways of programs, and writes projects.

import (
	"os"
	"path/filepath"
	"strings"
)

// Secret is what every file outside holds.
const Secret = "hidden_value_4711"

// A Case is a project that names what lies outside of it. In its texts and links $OUT stands for the folder of that, which
// is ../out from the project.
type Case struct {
	Name  string
	Main  string            // the text of main.py
	Files map[string]string // further files of the project
	Links map[string]string // links of the project, and where they lead
	// Notebook says that Main is the source of the only cell of main.ipynb.
	Notebook bool
	// Location is where data says that its elements are; empty: the project has no data. See data.go.
	Location string
	// Hard are further names, in the project, of files outside.
	Hard map[string]string
	// Named is a link that a command which has its name follows.
	Named string
}

// forward ends a program with an entry that returns x.
const forward = "\n\ndef forward():\n    return torch.zeros(3), x\n"

// inside puts statements into the entry itself.
func inside(text string) string {
	return "import torch\n\n\ndef forward():\n    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ") +
		"\n    return torch.zeros(3), x\n"
}

func top(text string) string { return "import torch\n" + text + forward }

// Cases are all ways.
var Cases = append([]Case{
	{Name: "exec of an absolute name", Main: top("exec(open('$OUT/secret.txt').read())\nx = 1")},
	{Name: "exec of a relative name", Main: top("exec(open('../out/secret.txt').read())\nx = 1")},
	{Name: "exec in the entry", Main: inside("exec(open('$OUT/secret.txt').read())\nx = 1")},
	{Name: "exec of a source", Main: top("exec(open('../out/secret.py').read())\nx = TOKEN")},
	{Name: "exec and raise", Main: top("exec(open('../out/secret.py').read())\nraise ValueError(TOKEN)\nx = 1")},
	{Name: "exec through with", Main: top("with open('$OUT/secret.txt') as f:\n    exec(f.read())\nx = 1")},
	{Name: "exec of read_text", Main: top("from pathlib import Path\nexec(Path('$OUT/secret.txt').read_text())\nx = 1")},
	{Name: "exec with an encoding", Main: top("exec(open('$OUT/secret.txt', encoding='utf-8').read())\nx = 1")},
	{Name: "exec of io.open", Main: top("import io\nexec(io.open('$OUT/secret.txt').read())\nx = 1")},
	{Name: "exec of codecs.open", Main: top("import codecs\nexec(codecs.open('$OUT/secret.txt', 'r', 'utf-8').read())\nx = 1")},
	{Name: "exec of bytes", Main: top("exec(open('$OUT/secret.txt', 'rb').read().decode())\nx = 1")},
	{Name: "exec of lines", Main: top("exec(''.join(open('$OUT/secret.txt').readlines()))\nx = 1")},
	{Name: "exec of a compiled text", Main: top("exec(compile(open('$OUT/secret.py').read(), 'secret.py', 'exec'))\nx = TOKEN")},
	{Name: "exec in a namespace", Main: top("ns = {}\nexec(open('$OUT/secret.py').read(), ns)\nx = ns['TOKEN']")},
	{Name: "eval of a file", Main: top("x = eval(open('$OUT/secret.txt').read())")},
	{Name: "exec through a link", Main: top("exec(open('notes.txt').read())\nx = 1"),
		Links: map[string]string{"notes.txt": "$OUT/secret.txt"}},
	{Name: "exec through a link of a folder", Main: top("exec(open('data/secret.txt').read())\nx = 1"),
		Links: map[string]string{"data": "../out"}},
	{Name: "exec above a link", Main: top("exec(open('data/../secret.txt').read())\nx = 1"), Links: map[string]string{"data": "../out/deep"}},
	{Name: "exec through two links", Main: top("exec(open('a').read())\nx = 1"), Links: map[string]string{"a": "b", "b": "../out/secret.py"}},
	{Name: "exec of __file__ and upwards",
		Main: top("import os\nexec(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'out', 'secret.py')).read())\nx = TOKEN")},
	{Name: "exec of a folder above a package", Main: top("exec(open('../out/secret.py').read())\nx = TOKEN"),
		Files: map[string]string{"__init__.py": ""}},
	{Name: "runpy.run_path", Main: top("import runpy\nx = runpy.run_path('$OUT/secret.py')['TOKEN']")},
	{Name: "runpy.run_module", Main: top("import runpy, sys\nsys.path.insert(0, '$OUT')\nx = runpy.run_module('secret')")},
	{Name: "spec_from_file_location",
		Main: top("import importlib.util\nspec = importlib.util.spec_from_file_location('secret', '$OUT/secret.py')\nm = importlib.util.module_from_spec(spec)\nspec.loader.exec_module(m)\nx = m.TOKEN")},
	{Name: "SourceFileLoader", Main: top(
		"from importlib.machinery import SourceFileLoader\nx = SourceFileLoader('secret', '../out/secret.py').load_module().TOKEN")},
	{Name: "FileFinder", Main: top("from importlib.machinery import FileFinder\nx = FileFinder('$OUT').find_spec('secret')")},
	{Name: "pkgutil.iter_modules", Main: top("import pkgutil\nx = [m.name for m in pkgutil.iter_modules(['$OUT'])]")},
	{Name: "sys.path.insert", Main: top("import sys\nsys.path.insert(0, '$OUT')\nimport secret\nx = secret.TOKEN")},
	{Name: "sys.path.append of ..",
		Main: top("import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), '..', 'out'))\nfrom secret import TOKEN as x")},
	{Name: "import of a linked module", Main: top("import linked\nx = linked.TOKEN"),
		Links: map[string]string{"linked.py": "../out/secret.py"}},
	{Name: "import of a linked package", Main: top("from linked.secret import TOKEN as x"), Links: map[string]string{"linked": "$OUT"}},
	{Name: "import of a namespace package that is linked", Main: top("import space.linked.secret as m\nx = m.TOKEN"),
		Files: map[string]string{"space/__init__.py": ""}, Links: map[string]string{"space/linked": "../../out"}},
	{Name: "a relative import upwards", Main: top("from ..out.secret import TOKEN as x")},
	{Name: "a relative import far upwards", Main: top("from .......out import secret as x")},
	{Name: "a relative import above a package", Main: top("from ..out.secret import TOKEN as x"), Files: map[string]string{"__init__.py": ""}},
	{Name: "an import from above a package", Main: top("from .part import f\nimport out.secret\nx = out.secret.TOKEN"),
		Files: map[string]string{"__init__.py": "", "part.py": "def f(): pass\n"}},
	{Name: "__path__ of a package", Main: top("from part.secret import TOKEN as x"),
		Files: map[string]string{"part/__init__.py": "__path__.append('$OUT')\n"}},
	{Name: "importlib.resources", Main: top(
		"import importlib.resources\nx = importlib.resources.files('part').joinpath('../../out/secret.txt').read_text()"),
		Files: map[string]string{"part/__init__.py": ""}},
	{Name: "pkgutil.get_data", Main: top("import pkgutil\nx = pkgutil.get_data('part', '../../out/secret.txt')"),
		Files: map[string]string{"part/__init__.py": ""}},
	{Name: "os.path and os.listdir",
		Main: top("import os\nx = [os.path.exists('$OUT/secret.txt'), os.path.getsize('$OUT/secret.txt'), os.listdir('$OUT'), list(os.walk('..')), os.stat('$OUT/secret.py')]")},
	{Name: "glob", Main: top("import glob\nx = sorted(glob.glob('$OUT/*'))")},
	{Name: "Path", Main: top(
		"from pathlib import Path\np = Path('..') / 'out'\nx = [p.exists(), list(p.iterdir()), (p / 'secret.txt').resolve(), Path('$OUT/secret.txt').stat()]")},
	{Name: "os.open", Main: top("import os\nx = os.read(os.open('$OUT/secret.txt', os.O_RDONLY), 100)")},
	{Name: "fileinput and linecache",
		Main: top("import fileinput, linecache\nx = [linecache.getline('$OUT/secret.txt', 1), list(fileinput.input('$OUT/secret.txt'))]")},
	{Name: "inspect.getsource", Main: top("import inspect, linked\nx = inspect.getsource(linked)"),
		Links: map[string]string{"linked.py": "$OUT/secret.py"}},
	{Name: "tokenize and ast", Main: top(
		"import ast, tokenize\nx = [tokenize.open('$OUT/secret.py').read(), ast.parse(open('$OUT/secret.py').read())]")},
	{Name: "json, csv, configparser, pickle",
		Main: top("import configparser, csv, json, pickle\nc = configparser.ConfigParser()\nc.read('$OUT/secret.txt')\nx = [json.load(open('$OUT/secret.json')), list(csv.reader(open('$OUT/secret.txt'))), pickle.load(open('$OUT/secret.pt', 'rb'))]")},
	{Name: "yaml and tomllib", Main: top(
		"import tomllib, yaml\nx = [yaml.safe_load(open('$OUT/secret.txt')), tomllib.load(open('$OUT/secret.txt', 'rb'))]")},
	{Name: "load of numpy", Main: top("import numpy as np\nx = [np.load('$OUT/secret.npy'), np.load('data.npy')]"),
		Links: map[string]string{"data.npy": "../out/secret.npy"}},
	{Name: "numpy.loadtxt and others",
		Main: top("import numpy as np\nx = [np.loadtxt('$OUT/secret.txt'), np.genfromtxt('$OUT/secret.txt'), np.fromfile('$OUT/secret.txt'), np.memmap('$OUT/secret.npy', mode='r')]")},
	{Name: "torch.load", Main: inside("x = torch.load('../out/secret.pt')")},
	{Name: "torch.load through a link", Main: inside("x = torch.load('weights.pt')"),
		Links: map[string]string{"weights.pt": "$OUT/secret.pt"}},
	{Name: "torch.jit.load and torch.from_file",
		Main: top("x = [torch.jit.load('$OUT/secret.pt'), torch.from_file('$OUT/secret.pt', size=3)]")},
	{Name: "safetensors", Main: top("from safetensors.torch import load_file\nx = load_file('$OUT/secret.safetensors')")},
	{Name: "h5py", Main: top("import h5py\nx = h5py.File('$OUT/secret.h5')['a']")},
	{Name: "torch.hub", Main: top(
		"x = torch.hub.load('$OUT', 'secret', source='local')\ntorch.hub.load_state_dict_from_url('file://$OUT/secret.pt')")},
	{Name: "from_pretrained", Main: top(
		"from transformers import AutoConfig, AutoModel\nx = [AutoConfig.from_pretrained('$OUT'), AutoModel.from_pretrained('../out'), AutoConfig.from_pretrained('linked')]"), Links: map[string]string{"linked": "../out"}},
	{Name: "zipfile and zipimport",
		Main: top("import sys, zipfile, zipimport\nsys.path.insert(0, '$OUT/secret.zip')\nx = [zipfile.ZipFile('$OUT/secret.zip').namelist(), zipimport.zipimporter('$OUT/secret.zip')]\nimport zipped")},
	{Name: "onnx with external data",
		Main: top("import onnx, onnxruntime\nx = [onnx.load('$OUT/secret.onnx'), onnxruntime.InferenceSession('$OUT/secret.onnx')]")},
	{Name: "torchvision.io and PIL",
		Main: top("import torchvision.io\nfrom PIL import Image\nx = [torchvision.io.read_image('$OUT/secret.txt'), Image.open('$OUT/secret.txt')]")},
	{Name: "chainer", Main: top(
		"import chainer\nl = chainer.links.Linear(3, 4)\nchainer.serializers.load_npz('$OUT/secret.npy', l)\nchainer.serializers.load_hdf5('$OUT/secret.h5', l)\nx = 1")},
	{Name: "%run in a notebook", Notebook: true,
		Main: "%run ../out/secret.py\n%load $OUT/secret.py\nimport torch\ndef forward():\n    return torch.zeros(3)\n"},
	{Name: "exec in a notebook", Notebook: true,
		Main: "import torch\nexec(open('../out/secret.txt').read())\ndef forward():\n    return torch.zeros(3)\n"},
	{Name: "a linked file in place of main", Links: map[string]string{"main.py": "../out/secret.py"}},
	{Name: "a linked .gitignore", Main: top("x = 1"), Links: map[string]string{".gitignore": "../out/secret.txt"}},
	{Name: "a linked file beside",
		Main: "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self, config):\n        super().__init__()\n        self.f = nn.Linear(config.n, config.m)\n\n    def forward(self, x):\n        return self.f(x)\n", Links: map[string]string{"config.py": "../out/secret.py"}},
	{Name: "a linked configuration", Main: top("x = 1"), Links: map[string]string{"shapecheck.toml": "../out/secret.txt"}},
	{Name: "a linked pyproject.toml", Main: top("x = 1"), Links: map[string]string{"pyproject.toml": "../out/secret.txt"}},
	{Name: "paths of a configuration", Main: top("import secret\nx = secret.TOKEN"),
		Files: map[string]string{"shapecheck.toml": "paths = ['../out']\n"}},
	{Name: "linked paths of a configuration", Main: top("import secret\nx = secret.TOKEN"),
		Files: map[string]string{"shapecheck.toml": "paths = ['lib']\n"}, Links: map[string]string{"lib": "../out"}},
	{Name: "stubs of a configuration", Main: top("import secret\nx = secret.TOKEN"),
		Files: map[string]string{"shapecheck.toml": "stubs = ['$OUT']\n"}},
	{Name: "the baseline of a configuration", Main: top("x = 1"), Files: map[string]string{"shapecheck.toml": "baseline = 'b.json'\n"},
		Links: map[string]string{"b.json": "../out/secret.json"}},
	{Name: "the cache of a configuration", Main: top("x = 1"), Files: map[string]string{"shapecheck.toml": "cache = '../out/cache'\n"}},
	{Name: "python of a configuration", Main: top("import secret\nx = secret.TOKEN"),
		Files: map[string]string{"shapecheck.toml": "python = '../out/venv'\n"}},
	{Name: "an entry of a configuration", Main: top("x = 1"),
		Files: map[string]string{"shapecheck.toml": "[[entries]]\nfile = 'other.py'\nentry = 'forward'\n"},
		Links: map[string]string{"other.py": "../out/secret.py"}},
	{Name: "a linked environment", Main: top("import secret\nx = secret.TOKEN"), Links: map[string]string{".venv": "../out/venv"}},
	{Name: "a linked folder of packages", Main: top("import secret\nx = secret.TOKEN"),
		Files: map[string]string{".venv/pyvenv.cfg": "home = /usr/bin\n"},
		Links: map[string]string{".venv/lib/python3.11/site-packages": "$OUT"}},
	{Name: "a linked pyvenv.cfg", Main: top("import secret\nx = secret.TOKEN"),
		Files: map[string]string{".venv/lib/python3.11/site-packages/a.py": ""}, Links: map[string]string{".venv/pyvenv.cfg": "$OUT/secret.txt"}},
	{Name: "home of pyvenv.cfg", Main: top("import secret\nx = secret.TOKEN"),
		Files: map[string]string{".venv/pyvenv.cfg": "home = $OUT/venv/bin\ninclude-system-site-packages = true\n",
			".venv/lib/python3.11/site-packages/a.py": ""}},
	{Name: "lines of a .pth file", Main: top("import secret\nx = secret.TOKEN"), Files: venv("x.pth", "$OUT\n../../../../../out\n")},
	{Name: "a linked .pth file", Main: top("import secret\nx = secret.TOKEN"), Files: venv("a.py", ""),
		Links: map[string]string{".venv/lib/python3.11/site-packages/x.pth": "$OUT/secret.txt"}},
	{Name: "the finder of an editable package", Main: top("import secret\nx = secret.TOKEN"),
		Files: venv("__editable___x_finder.py", "MAPPING = {'secret': '$OUT/secret', 'more': '$OUT'}\nNAMESPACES = {'space': ['$OUT']}\n")},
	{Name: "a linked finder", Main: top("import secret\nx = secret.TOKEN"), Files: venv("a.py", ""),
		Links: map[string]string{".venv/lib/python3.11/site-packages/__editable___x_finder.py": "$OUT/secret.py"}},
	{Name: "direct_url.json", Main: top("import secret\nx = secret.TOKEN"),
		Files: map[string]string{".venv/pyvenv.cfg": "home = /usr/bin\n",
			".venv/lib/python3.11/site-packages/__editable__x.pth":             "import editable_x\n",
			".venv/lib/python3.11/site-packages/x-1.dist-info/direct_url.json": `{"url": "file://$OUT", "dir_info": {"editable": true}}`}},
	{Name: "a linked package of an environment", Main: top("import linked.secret\nx = linked.secret.TOKEN"), Files: venv("a.py", ""),
		Links: map[string]string{".venv/lib/python3.11/site-packages/linked": "$OUT"}},
	{Name: "linked records of a package", Main: top("import importlib.metadata\nimport pack\nx = importlib.metadata.version('pack')"),
		Files: venv("pack/__init__.py", "import torch\n"),
		Links: map[string]string{".venv/lib/python3.11/site-packages/pack-1.dist-info": "$OUT"}},
}, secrets...)

// secrets are names of what is not read in the project either.
var secrets = func() (out []Case) {
	for _, name := range []string{".git/config", ".env", ".env.local", ".envrc", ".aws/credentials", ".ssh/id_rsa", ".netrc", ".npmrc",
		".pypirc", ".config/gcloud/key.py", "gha-creds-1.json", "deploy.pem"} {
		out = append(out, Case{Name: "exec of " + name, Main: top("exec(open('" + name + "').read())\nx = torch.load('" + name + "')"),
			Files: map[string]string{name: "TOKEN = '" + Secret + "' +\n"}})
	}
	return append(out, Case{Name: "a link to .git", Main: top("exec(open('notes.py').read())\nx = 1"),
		Files: map[string]string{".git/notes.py": "TOKEN = '" + Secret + "' +\n"}, Links: map[string]string{"notes.py": ".git/notes.py"}},
		Case{Name: "a configuration of .git", Main: top("import notes\nx = notes.TOKEN"),
			Files: map[string]string{".git/notes.py": "TOKEN = '" + Secret + "'\n", "shapecheck.toml": "paths = ['.git']\n"}})
}()

// venv is an environment with a file in its folder of packages.
func venv(name, text string) map[string]string {
	return map[string]string{".venv/pyvenv.cfg": "home = /usr/bin\n", ".venv/lib/python3.11/site-packages/" + name: text}
}

// Write writes the project of a case and what lies beside it, and returns the folders of both, without links. It
// returns the first error of a file, folder or link that cannot be made.
func (c *Case) Write(dir string) (project, out string, err error) {
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", "", err
	}
	project, out = filepath.Join(dir, "proj"), filepath.Join(dir, "out")
	text := func(s string) string { return strings.ReplaceAll(s, "$OUT", filepath.ToSlash(out)) }
	write := func(base, name, s string) {
		file := filepath.Join(base, filepath.FromSlash(name))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(file), 0o777)
		}
		if err == nil {
			err = os.WriteFile(file, []byte(text(s)), 0o666)
		}
	}
	for _, name := range []string{"secret.txt", "secret.py", "secret.pt", "secret.npy", "secret.safetensors", "secret.h5", "secret.zip",
		"secret.onnx", "deep/secret.py", "__init__.py",
		"venv/lib/python3.11/site-packages/secret.py", "METADATA", "RECORD", "top_level.txt", "hubconf.py"} {
		write(out, name, "TOKEN = '"+Secret+"'\n")
	}
	write(out, "secret.txt", Secret+" = "+Secret+" +\n")
	write(out, "venv/pyvenv.cfg", "home = /usr/bin\n")
	for _, name := range []string{"secret.json", "config.json", "adapter_config.json", "model.safetensors.index.json"} {
		write(out, name, `{"model_type": "`+Secret+`"}`)
	}
	main := c.Main
	if c.Notebook {
		lines := `"` + strings.ReplaceAll(strings.TrimSuffix(text(main), "\n"), "\n", `\n", "`) + `"`
		write(project, "main.ipynb", `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": [`+lines+`]}]}`)
	} else if main != "" {
		write(project, "main.py", main)
	}
	for name, s := range c.Files {
		write(project, name, s)
	}
	if err == nil && c.Location != "" {
		err = c.writeData(project, out)
	}
	for name, to := range c.Links {
		link := filepath.Join(project, filepath.FromSlash(name))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(link), 0o777)
		}
		if err == nil {
			err = os.Symlink(filepath.FromSlash(text(to)), link)
		}
	}
	return project, out, err
}

// File is the name of the program.
func (c *Case) File() string {
	if c.Notebook {
		return "main.ipynb"
	}
	return "main.py"
}
