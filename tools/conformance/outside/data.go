package outside

// This file has the ways in which data names files: the shards of an index of weights, the external data of a model, the segments of a
// program, and links in a folder with tests of models.

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"

	"shapecheck/codegen"
	"shapecheck/onnx"
)

// Element is each element of the weights outside, as it is printed.
const Element = "4711.25"

// elements is the number of them.
const elements = 4096

// net is the program whose weights are in files.
var net = fmt.Sprintf(`import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(%d))

    def forward(self, x):
        return x + self.w
`, elements)

// A way is a name of a file with elements in data; EXT in it and in names of links is safetensors in an index, else bin.
type way struct {
	name, location string
	links          map[string]string // in the folder of what names it
	hard           map[string]string // further names of files outside
}

var ways = []way{
	{name: "an absolute name", location: "$OUT/weights.EXT"},
	{name: "a name with ..", location: "../../out/weights.EXT"},
	{name: "a name with .. inside", location: "sub/../../../out/weights.EXT", links: map[string]string{"sub": "."}},
	{name: "an address", location: "file://$OUT/weights.EXT"},
	{name: "a name with backslashes", location: `..\..\out\weights.EXT`},
	{name: "a link", location: "a.EXT", links: map[string]string{"a.EXT": "../../out/weights.EXT"}},
	{name: "an absolute link", location: "a.EXT", links: map[string]string{"a.EXT": "$OUT/weights.EXT"}},
	{name: "a linked folder", location: "a/weights.EXT", links: map[string]string{"a": "../../out"}},
	{name: "a linked folder above", location: "up/out/weights.EXT", links: map[string]string{"up": "../.."}},
	{name: "two links", location: "a.EXT", links: map[string]string{"a.EXT": "b.EXT", "b.EXT": "../../out/weights.EXT"}},
	{name: "a link through a link", location: "a.EXT", links: map[string]string{"a.EXT": "b/weights.EXT", "b": "$OUT"}},
	{name: "a link to nothing", location: "a.EXT", links: map[string]string{"a.EXT": "../../out/none"}},
	{name: "a link to a file of no weights", location: "a.EXT", links: map[string]string{"a.EXT": "../../out/secret.py"}},
	{name: "a hard link", location: "a.EXT", hard: map[string]string{"a.EXT": "weights.EXT"}},
	{name: "a secret file", location: ".aws/weights.EXT", hard: map[string]string{".aws/weights.EXT": "weights.EXT"}},
}

// DataCases are the ways of data.
var DataCases = func() (out []Case) {
	for _, w := range ways {
		c := Case{Name: w.name, Main: net, Location: w.location, Links: map[string]string{}, Hard: map[string]string{}}
		for _, ext := range []string{"bin", "safetensors"} {
			named := func(s string) string { return "suite/" + strings.ReplaceAll(s, "EXT", ext) }
			for name, to := range w.links {
				c.Links[named(name)] = strings.ReplaceAll(to, "EXT", ext)
			}
			for name, of := range w.hard {
				c.Hard[named(name)] = strings.ReplaceAll(of, "EXT", ext)
			}
		}
		out = append(out, c)
	}
	for _, l := range [][2]string{
		{"model.onnx", "../../out/secret.onnx"}, {"test_data_set_0", "$OUT/set"},
		{"test_data_set_0/input_0.pb", "../../../out/set/input_0.pb"}, {"test_data_set_0/output_0.pb", "$OUT/set/output_0.pb"},
	} {
		out = append(out, Case{Name: "a linked " + l[0], Main: net, Location: plainLocation, Links: map[string]string{"suite/" + l[0]: l[1]},
			Named: "suite/" + l[0]})
	}
	return out
}()

// plainLocation is a name that leads to a file beside.
const plainLocation = "weights.EXT"

// model is a model that adds weights to an input. Their elements are in a file; empty: in it.
func model(location, input, weights string) *onnx.Model {
	typ := onnx.TensorOf(onnx.Float, onnx.Dim{Value: elements, Known: true})
	w := &onnx.Tensor{Name: weights, DType: onnx.Float, Dims: []int64{elements}, Raw: raw(1), HasRaw: true}
	if location != "" {
		w.Raw, w.HasRaw, w.IsExternal, w.External = nil, false, true, []onnx.Entry{{Key: "location", Value: location}}
	}
	return &onnx.Model{IRVersion: 8, Opsets: []onnx.Opset{{Version: 18}}, Graph: &onnx.Graph{
		Name: "g", Nodes: []*onnx.Node{{Op: "Add", Inputs: []string{input, weights}, Outputs: []string{"y"}}}, Initializers: []*onnx.Tensor{w},
		Inputs: []*onnx.ValueInfo{{Name: input, Type: typ}}, Outputs: []*onnx.ValueInfo{{Name: "y", Type: typ}},
	}}
}

// raw are elements.
func raw(x float32) []byte {
	return bytes.Repeat(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)), elements)
}

// program is a program whose constants are in a file.
func program(location string) ([]byte, error) {
	p, err := codegen.Compile(context.Background(), model("", "x", "w"), codegen.Options{})
	if err != nil {
		return nil, err
	}
	for _, s := range p.ISA.Segments {
		s.File = location
	}
	return p.Bytes()
}

// writeData writes data that names files at the location of the case, in suite, and what lies outside.
func (c *Case) writeData(project, out string) (err error) {
	located := func(ext string) string {
		return strings.NewReplacer("$OUT", filepath.ToSlash(out), "EXT", ext).Replace(c.Location)
	}
	bytesOf := func(data []byte, e error) []byte {
		err = errors.Join(err, e)
		return data
	}
	value := func(name string, x float32) []byte {
		return bytesOf(onnx.MarshalTensor(&onnx.Tensor{Name: name, DType: onnx.Float, Dims: []int64{elements}, Raw: raw(x), HasRaw: true}))
	}
	shard := func(x float32) []byte {
		header := fmt.Sprintf(`{"w":{"dtype":"F32","shape":[%d],"data_offsets":[0,%d]}}`, elements, 4*elements)
		return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), raw(x)...)
	}
	const hidden = 4711.25
	files := []struct {
		base, name string
		data       []byte
	}{
		{project, "plain.onnx", bytesOf(onnx.Marshal(model("", "w", "v")))},
		{project, "suite/model.onnx", bytesOf(onnx.Marshal(model(located("bin"), "x", "w")))},
		{project, "suite/net.prog", bytesOf(program(located("bin")))},
		{project, "suite/weights.json", bytesOf(json.Marshal(map[string]any{"weight_map": map[string]string{"w": located("safetensors")}}))},
		{project, "suite/weights.safetensors", shard(1)},
		{project, "suite/weights.bin", raw(1)},
		{project, "suite/test_data_set_0/input_0.pb", value("x", 1)},
		{project, "suite/test_data_set_0/output_0.pb", value("y", 2)},
		{out, "secret.onnx", bytesOf(onnx.Marshal(model("", "x", "w")))},
		{out, "weights.safetensors", shard(hidden)},
		{out, "weights.bin", raw(hidden)},
		{out, "set/input_0.pb", value("x", hidden)},
		{out, "set/output_0.pb", value("y", hidden)},
	}
	prepare := func(base, name string) (file string) {
		file = filepath.Join(base, filepath.FromSlash(name))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(file), 0o777)
		}
		return file
	}
	for _, f := range files {
		if f.base == project && c.isLink(f.name) {
			continue
		}
		if file := prepare(f.base, f.name); err == nil {
			err = os.WriteFile(file, f.data, 0o666)
		}
	}
	for name, of := range c.Hard {
		if file := prepare(project, name); err == nil {
			err = os.Link(filepath.Join(out, of), file)
		}
	}
	return err
}

// isLink reports whether a name of the project is a link, or lies in one.
func (c *Case) isLink(name string) bool {
	for at := name; at != "."; at = path.Dir(at) {
		if c.Links[at] != "" {
			return true
		}
	}
	return false
}
