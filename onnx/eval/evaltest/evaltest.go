// Package evaltest reads recorded runs of models in the layout of ONNX's own tests (NAME/model.onnx,
// NAME/test_data_set_N/input_I.pb and output_I.pb) and compares the evaluator with them.
package evaltest

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

// A Case is a model with recorded inputs and outputs.
type Case struct {
	Name  string
	Model *onnx.Model
	Sets  []Set
}

// A Set is one recorded run; without outputs one that failed.
type Set struct {
	Inputs  map[string]eval.Value
	Outputs []eval.Value
}

// List gives the folders that hold a model, at any depth. It returns an error if a folder cannot be read.
func List(fsys fs.FS) ([]string, error) {
	var out []string
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "model.onnx" {
			out = append(out, path.Dir(p))
		}
		return err
	})
	return out, err
}

// Load reads a case. It returns an error if the model cannot be read, if a value is no valid message, or if a later
// output is missing where the first is there; missing inputs are none.
func Load(fsys fs.FS, dir string) (*Case, error) {
	b, err := fs.ReadFile(fsys, path.Join(dir, "model.onnx"))
	if err != nil {
		return nil, err
	}
	c := &Case{Name: path.Base(dir)}
	if c.Model, err = onnx.Unmarshal(b); err != nil {
		return nil, err
	}
	for n := 0; ; n++ {
		set := path.Join(dir, fmt.Sprintf("test_data_set_%d", n))
		if _, err := fs.Stat(fsys, set); err != nil {
			return c, nil
		}
		s := Set{Inputs: map[string]eval.Value{}}
		for i, v := range c.Model.Graph.Inputs {
			x, err := read(fsys, path.Join(set, fmt.Sprintf("input_%d.pb", i)), v.Type)
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				return nil, err
			default:
				s.Inputs[v.Name] = x
			}
		}
		for i, v := range c.Model.Graph.Outputs {
			x, err := read(fsys, path.Join(set, fmt.Sprintf("output_%d.pb", i)), v.Type)
			if i == 0 && errors.Is(err, fs.ErrNotExist) {
				break // it does not run
			}
			if err != nil {
				return nil, err
			}
			s.Outputs = append(s.Outputs, x)
		}
		c.Sets = append(c.Sets, s)
	}
}

func read(fsys fs.FS, name string, t *onnx.Type) (eval.Value, error) {
	b, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	v, err := value(b, t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return v, nil
}

// value reads a TensorProto, SequenceProto or OptionalProto.
func value(b []byte, t *onnx.Type) (eval.Value, error) {
	kind := onnx.TensorType
	if t != nil {
		kind = t.Kind
	}
	switch kind {
	case onnx.SequenceType:
		s := &eval.Sequence{}
		items, err := messages(b, 3, 5, 7)
		if err != nil {
			return nil, err
		}
		for _, m := range items {
			v, err := value(m, t.Of)
			if err != nil {
				return nil, err
			}
			s.Items = append(s.Items, v)
		}
		return s, nil
	case onnx.OptionalType:
		items, err := messages(b, 3, 5, 7)
		if err != nil || len(items) == 0 {
			return &eval.Optional{}, err
		}
		v, err := value(items[0], t.Of)
		return &eval.Optional{Of: v}, err
	case onnx.TensorType:
	default:
		return nil, fmt.Errorf("a value of kind %d", kind)
	}
	x, err := onnx.UnmarshalTensor(b)
	if err != nil {
		return nil, err
	}
	if t != nil && t.Elem == onnx.BFloat16 && x.DType == onnx.Uint16 {
		x.DType = onnx.BFloat16 // old records keep its bits in u16, as numpy had no such type
	}
	return eval.FromONNX(x)
}

// messages gives the fields of some numbers.
func messages(b []byte, want ...protowire.Number) (out [][]byte, err error) {
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		b = b[n:]
		if slices.Contains(want, num) && typ == protowire.BytesType {
			m, n := protowire.ConsumeBytes(b)
			if n < 0 {
				return nil, protowire.ParseError(n)
			}
			out = append(out, m)
		}
		if n = protowire.ConsumeFieldValue(num, typ, b); n < 0 {
			return nil, protowire.ParseError(n)
		}
		b = b[n:]
	}
	return out, nil
}

// Run evaluates all sets and says what differs; nil when nothing does. Of the outputs
// whose number is in loose only types and sizes are compared: they are random. It also returns an error if nothing is
// recorded, or if the model cannot be run.
func (c *Case) Run(cfg eval.Config, loose bool) error {
	if len(c.Sets) == 0 {
		return errors.New("there are no recorded runs")
	}
	for _, s := range c.Sets {
		if s.Outputs == nil {
			return errors.New("there are no recorded outputs")
		}
		got, err := eval.Model(c.Model, s.Inputs, cfg)
		if err != nil {
			return err
		}
		for i, want := range s.Outputs {
			if why := differ(got[i], want, loose, c.coarse()); why != "" {
				return fmt.Errorf("output %s: %s", c.Model.Graph.Outputs[i].Name, why)
			}
		}
	}
	return nil
}

// coarse reports whether the records have four digits, or were made with four digits of pi, or with sums in lower precision.
func (c *Case) coarse() bool {
	return slices.ContainsFunc([]string{"test_roialign_", "test_gridsample_bicubic", "test_averagepool_2d_ceil_last_window",
		"test_hannwindow", "test_hammingwindow", "test_blackmanwindow",
		"test_dft", "test_stft", "test_flexattention_fp16"},
		func(p string) bool { return strings.HasPrefix(c.Name, p) })
}

// relative is the difference that is allowed, as a share of a number, and a twentieth of it
// besides: the records were made in lower precision.
func relative(d onnx.DType) float64 {
	switch d {
	case onnx.Float16:
		return 2e-3
	case onnx.BFloat16:
		return 1.6e-2
	case onnx.Double, onnx.Float:
		return 1e-4
	}
	return 0
}

// Differ says how a value differs from a recorded one; empty when it does not. With loose
// only types and sizes count.
func Differ(got, want eval.Value, loose bool) string { return differ(got, want, loose, false) }

// differ says how a value differs from a recorded one, at its first difference. Sequences and optional values are compared by
// what they hold. With loose only types and sizes count; coarse doubles the distance at which two floats are equal, for records
// with few digits.
func differ(got, want eval.Value, loose, coarse bool) string {
	switch want := want.(type) {
	case *eval.Sequence:
		g, ok := got.(*eval.Sequence)
		if !ok || len(g.Items) != len(want.Items) {
			return fmt.Sprintf("no sequence of %d", len(want.Items))
		}
		for i := range want.Items {
			if why := differ(g.Items[i], want.Items[i], loose, coarse); why != "" {
				return fmt.Sprintf("item %d: %s", i, why)
			}
		}
		return ""
	case *eval.Optional:
		g, ok := got.(*eval.Optional)
		if !ok || (g.Of == nil) != (want.Of == nil) {
			return fmt.Sprintf("no optional with a value: %v", want.Of != nil)
		}
		if want.Of == nil {
			return ""
		}
		return differ(g.Of, want.Of, loose, coarse)
	}
	g, _ := got.(*eval.Tensor)
	w := want.(*eval.Tensor)
	if g == nil {
		return "no tensor"
	}
	if g.DType != w.DType || !slices.Equal(g.Dims, w.Dims) {
		return fmt.Sprintf("%s%v instead of %s%v", g.DType, g.Dims, w.DType, w.Dims)
	}
	if loose {
		return ""
	}
	if w.S != nil {
		for i := range w.S {
			if g.S[i] != w.S[i] {
				return fmt.Sprintf("element %d is %q instead of %q", i, g.S[i], w.S[i])
			}
		}
		return ""
	}
	if w.I != nil {
		for i := range w.I {
			if g.I[i] != w.I[i] {
				return fmt.Sprintf("element %d is %d instead of %d", i, g.I[i], w.I[i])
			}
		}
		return ""
	}
	rel := relative(w.DType)
	if coarse {
		rel = max(2*rel, 1e-3)
	}
	least := rel / 20
	if coarse { // sums of large numbers are as coarse
		for _, b := range w.F {
			least = max(least, 1e-5*math.Abs(b))
		}
	}
	for i, b := range w.F {
		a := g.F[i]
		if a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= rel*math.Abs(b)+least {
			continue
		}
		return fmt.Sprintf("element %d is %v instead of %v", i, a, b)
	}
	return ""
}

// Random reports whether a model draws random numbers that its records cannot foretell.
func (c *Case) Random() bool {
	return slices.ContainsFunc(c.Model.Graph.Nodes, func(n *onnx.Node) bool {
		return n.Op == "Bernoulli" || n.Op == "Multinomial" || strings.HasPrefix(n.Op, "Random") || n.Op == "Dropout" &&
			strings.HasPrefix(c.Name, "test_training_dropout")
	})
}
