package infer_test

import (
	"archive/zip"
	"encoding/binary"
	"io/fs"
	"os"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
)

// safetensors is a file of that format with n bytes of elements.
func safetensors(header string, n int) string {
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(header)))) + header + strings.Repeat("\x00", n)
}

// TestLoadedFiles loads files of the project: types and sizes of their headers; what
// the program writes and what cannot be read is unknown, with the cause.
func TestLoadedFiles(t *testing.T) {
	files := map[string]string{
		"/p/m.safetensors": safetensors(
			`{"__metadata__":{"format":"pt"},"0.weight":{"dtype":"F16","shape":[4,3],"data_offsets":[0,24]},"0.bias":{"dtype":"F16","shape":[4],"data_offsets":[24,32]}}`, 32),
		"/p/bad.safetensors":  safetensors(`{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,4]}}`, 4),
		"/p/huge.safetensors": "\xff\xff\xff\xff\xff\xff\xff\x00{",
	}
	for _, name := range []string{"state.pt", "checkpoint.pt", "module.pt", "script.pt", "array.npy", "plain.npz", "objects.npz"} {
		data, err := os.ReadFile("../onnx/weights/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files["/p/"+name] = string(data)
	}
	recorded, err := zip.OpenReader("../onnx/weights/testdata/formats.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer recorded.Close()
	for _, name := range []string{"torch_old_checkpoint.pt", "torch_sparse_old.pt"} {
		data, err := fs.ReadFile(recorded, name)
		if err != nil {
			t.Fatal(err)
		}
		files["/p/"+name] = string(data)
	}
	for _, c := range []struct{ expr, want, cause, fault string }{
		{"torch.load('state.pt')['plain']", "f32[2,3]", "", ""},
		{"torch.load('state.pt', map_location='cpu', weights_only=True)['bf16']", "bf16[5]", "", ""},
		{"len(torch.load(Path('.') / 'state.pt'))", "int=15", "", ""},
		{"torch.load('state.pt')['transposed'] + x[0]", "f32[5,3,4]", "", ""},
		{"torch.load('state.pt')['transposed'] @ x", "?", "", "SC1"},
		{"torch.load('state.pt')['none']", "?", "", "SC307"},
		{"np.load('array.npy').ndim", "int=3", "", ""},
		{"sorted(np.load('plain.npz').files)[0]", "str='a.b'", "", ""},
		{"np.load('objects.npz')", "?", "what numpy.load reads from a file: ", ""},
		{"load_file('m.safetensors')['0.weight']", "f16[4,3]", "", ""},
		{"nn.Sequential(nn.Linear(3, 4)).load_state_dict(load_file('m.safetensors')).missing_keys", "[]", "", ""},
		{"nn.Sequential(nn.Linear(3, 5)).load_state_dict(load_file('m.safetensors'))", "", "", "size mismatch for 0.weight"},
		{"nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 1)).load_state_dict(load_file('m.safetensors'))", "", "",
			`Missing key(s) in state_dict: "1.weight", "1.bias"`},
		{"opened()", `([str='0.bias', str='0.weight'], f16[4], [int=4, int=3], f16[4,2])`, "", ""},
		{"load_file('bad.safetensors')", "?", "the tensors of a safetensors file: header: ", ""},
		{"load_file('huge.safetensors')", "?", "the tensors of a safetensors file: the header has 72057594037927935 bytes", ""},
		{"load_file('state.pt')", "?", "the tensors of a safetensors file", ""},
		{"torch.load('module.pt')", "?", "what torch.load reads from a file: pickle, byte ", ""},
		{"torch.load('torch_old_checkpoint.pt')['state_dict']['0.weight']", "f32[2,3]", "", ""},
		{"torch.load('torch_sparse_old.pt')", "?", "what torch.load reads from a file: ", ""},
		{"torch.load('script.pt')", "?", "what torch.load reads from a file: a TorchScript archive", ""},
		{"torch.load('none.pt')", "?", "what torch.load reads from a file", ""},
		{"torch.load(name)", "?", "", ""},
		{"(torch.save({}, 'state.pt'), torch.load('./state.pt'))[1]", "?", "what torch.load reads from a file", ""},
		{"(torch.save({}, name), torch.load('state.pt'))[1]", "?", "what torch.load reads from a file", ""},
		{"(np.save('other', x), len(torch.load('state.pt')))[1]", "int=15", "", ""},
	} {
		t.Run(c.expr, func(t *testing.T) {
			files["/p/net.py"] = `import numpy as np
import torch
from pathlib import Path
from safetensors import safe_open
from safetensors.torch import load_file
from torch import nn
name = open('names.txt').read()


def opened():
    with safe_open('m.safetensors', framework='pt') as f:
        part = f.get_slice('0.weight')
        return list(f.keys()), f.get_tensor('0.bias'), part.get_shape(), part[:, :2]


def forward(x):
    return ` + c.expr + "\n"
			res, err := infer.Run(infer.Config{File: "/p/net.py", Entry: "forward", Args: []string{"x:f32[6,3,4]"}, FS: reads.NewMemory(files)})
			if err != nil {
				t.Fatal(err)
			}
			fault := ""
			for _, d := range res.Diagnostics {
				if d.Severity == diag.Error {
					fault = string(d.Code) + ": " + d.Msg
				}
			}
			if (fault == "") != (c.fault == "") || !strings.Contains(fault, c.fault) {
				t.Errorf("the error is %q, want %q", fault, c.fault)
			}
			if c.fault != "" {
				return
			}
			if got := res.Output.String(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if u, ok := res.Output.(*value.Unknown); ok && !strings.HasPrefix(u.Cause.Reason, c.cause) {
				t.Errorf("the cause is %q, want %q", u.Cause.Reason, c.cause)
			}
		})
	}
}
