package differential

// This file lists models with inputs: recorded tests of nodes, recorded programs, the models of
// testdata/export, torchvision's and random graphs. Tests of what holds for every model go through
// it, in every run of the tests through a part; -models . is all of it, and -kinds some kinds.

import (
	"flag"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/onnx/eval/evaltest"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
	"shapecheck/tools/conformance"
)

// An example is a model's file with sets of inputs.
type example struct {
	kind, name string
	file       []byte
	dir        string // where data beside the file are
	ins        []vm.Inputs
}

var kinds = flag.String("kinds", "", "the kinds of examples, separated by commas: nodes, numeric, models, torchvision, graphs; empty: all")

// wanted reports whether examples of a kind are asked for.
func wanted(kind string) bool {
	return *kinds == "" || slices.Contains(strings.Split(*kinds, ","), kind)
}

// A share says how much of the examples is looked at where not all are.
type share struct {
	nodes, numeric int // one of so many
	graphs         int // how many
	models         string
}

// exampleKinds are the kinds in the order of the examples.
var exampleKinds = []string{"node tests", "numeric programs", "models", "torchvision", "random graphs"}

// tally counts examples by kind.
type tally map[string]int

func (n tally) String() string {
	var out []string
	for _, k := range exampleKinds {
		if n[k] > 0 {
			out = append(out, fmt.Sprintf("%d %s", n[k], k))
		}
	}
	return strings.Join(out, ", ")
}

// eachExample calls do with examples.
func eachExample(t *testing.T, s share, do func(x *example)) {
	t.Helper()
	if *models != "" {
		s = share{1, 1, 500, ""}
	}
	if wanted("nodes") {
		for _, name := range []string{"onnx1.23", "onnx1.12", "varied", "old"} {
			nodeExamples(t, "../../onnx/eval/testdata/"+name+".tar.gz", s.nodes, do)
		}
	}
	if wanted("numeric") {
		numericExamples(t, s.numeric, do)
	}
	if wanted("models") {
		for _, file := range []string{"models.jsonl", "control.jsonl", "layers.jsonl", "indexing.jsonl", "patterns.jsonl"} {
			for _, c := range modelCases(t, file, s.models) {
				do(c.example(t, "models"))
			}
		}
	}
	if *torchvision != "" && wanted("torchvision") {
		for _, c := range modelCases(t, "torchvision.jsonl", s.models) {
			do(c.example(t, "torchvision"))
		}
	}
	for seed := range uint64(s.graphs) {
		if !wanted("graphs") {
			break
		}
		m := randomGraph(*firstSeed + seed)
		x := &example{kind: "random graphs", name: fmt.Sprint(*firstSeed + seed), file: marshal(m.model)}
		if in, err := toInputs(m.ins); err == nil {
			x.ins = []vm.Inputs{in}
		}
		do(x)
	}
}

// numericExamples goes through the recorded programs.
func numericExamples(t *testing.T, every int, do func(x *example)) {
	t.Helper()
	programs, err := conformance.ReadPrograms("../../testdata/numeric")
	if err != nil {
		t.Fatal(err)
	}
	run := &conformance.NumericRun{Cache: infer.NewCache(), Dist: *torchvision}
	for i := 0; i < len(programs); i += every {
		x := &example{kind: "numeric programs", name: programs[i].ID}
		file, in, err := run.Exported(programs[i])
		if err != nil {
			continue // those that are refused, or need torchvision
		}
		x.file = file
		named := vm.Inputs{}
		for k, port := range unmarshal(file).Graph.Inputs {
			named[port.Name] = in[k]
		}
		x.ins = []vm.Inputs{named}
		do(x)
	}
}

// toInputs makes inputs for the machine.
func toInputs(ins map[string]eval.Value) (vm.Inputs, error) {
	out := vm.Inputs{}
	for name, v := range ins {
		x, err := toTensor(v)
		if err != nil {
			return nil, err
		}
		out[name] = x
	}
	return out, nil
}

// nodeExamples goes through an archive of recorded tests.
func nodeExamples(t *testing.T, archive string, every int, do func(*example)) {
	t.Helper()
	fsys, err := evaltest.Archive(archive)
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := evaltest.List(fsys)
	if err != nil {
		t.Fatal(err)
	}
	for i, dir := range dirs {
		if i%every != 0 && !strings.Contains(dir, "rnn") { // recurrent nets have results that are not wanted
			continue
		}
		x := &example{kind: "node tests", name: dir}
		if x.file, err = fs.ReadFile(fsys, dir+"/model.onnx"); err != nil {
			t.Fatal(err)
		}
		c, err := evaltest.Load(fsys, dir)
		if err == nil { // else there are values of types that tensors here have not
			for _, set := range c.Sets {
				if in, err := toInputs(set.Inputs); err == nil {
					x.ins = append(x.ins, in)
				}
			}
		}
		do(x)
	}
}

// example exports a model and makes its inputs at all sizes.
func (c *modelCase) example(t *testing.T, kind string) *example {
	t.Helper()
	x := &example{kind: kind, name: c.Name, file: c.export(t)}
	x.dir = c.dir
	x.ins = c.allInputs(t, unmarshal(x.file))
	return x
}

// givenInputs reads nested lists as the inputs of a model.
func givenInputs(m *onnx.Model, values map[string]any) (vm.Inputs, error) {
	in := vm.Inputs{}
	for _, port := range m.Graph.Inputs {
		v, ok := values[port.Name]
		if !ok || port.Type.Kind != onnx.TensorType {
			return nil, fmt.Errorf("the input %q is not given as a tensor", port.Name)
		}
		dims := []int64{}
		for at := v; ; {
			list, ok := at.([]any)
			if !ok {
				break
			}
			if dims = append(dims, int64(len(list))); len(list) == 0 {
				break
			}
			at = list[0]
		}
		for len(dims) < len(port.Type.Shape.Dims) { // [] of an axis without elements
			d := port.Type.Shape.Dims[len(dims)]
			dims = append(dims, d.Value)
		}
		y, err := tensor.New(port.Type.Elem, dims...)
		if err != nil {
			return nil, err
		}
		k := 0
		var fill func(v any) error
		fill = func(v any) error {
			switch v := v.(type) {
			case []any:
				for _, x := range v {
					if err := fill(x); err != nil {
						return err
					}
				}
				return nil
			case float64:
				if tensor.IsFloat(y.DType()) {
					y.SetFloat(k, v)
				} else {
					y.SetInt(k, int64(v))
				}
			case bool:
				if v {
					y.SetInt(k, 1)
				}
			default:
				return fmt.Errorf("%v is no number", v)
			}
			k++
			return nil
		}
		if err := fill(v); err != nil {
			return nil, err
		}
		if k != y.Len() {
			return nil, fmt.Errorf("the input %q has %d elements of %d", port.Name, k, y.Len())
		}
		in[port.Name] = y
	}
	return in, nil
}
