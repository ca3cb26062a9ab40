package conformance

// This file exports the programs of testdata/chainer/programs and infer/testdata/chainer_programs with weights that Chainer saved and
// runs them in both engines
// beside what it computed at two sizes (chainer.go). Command ortcheck runs them in ONNX Runtime.

import (
	"context"
	"maps"
	"strings"
	"testing"

	"shapecheck/check/export"
	"shapecheck/onnx"
	"shapecheck/runtime/tensor"
)

// notExported are the programs that have no form in ONNX, or none yet, and what says so.
var notExported = map[string]string{
	// results are texts, names or sets, which are no tensors
	"comp_nested": "is <set>", "dict_state": `is "h"`, "string_format": `is "2d"`, "reporter_scope": `is "main/loss"`,
	"links_copy": `is "/"`, "devices": `is "@numpy"`,
	"persistent_values": `is "mean"`, "reporter_observations": `is "a"`, "sequential_repeat": `is "/0/0/W"`,
	"serializers_roundtrip": `is "bn/N"`,
	"summary_hooks":         `is "Count"`, "serializer_own": `is "count"`, "as_variable": `is "d"`, "chainerx_like": `is "@numpy"`,
	"grad_clip_by_hand": `is "float32"`,
	// results are parameters after steps of training, which models do not take
	"optimizer_step": "an optimiser has written to", "optimizer_state": "an optimiser has written to",
	"trainer_extensions": "an optimiser has written to", "trainer_make_extension": "an optimiser has written to",
	// samples are drawn by a function of Python, elements are those of memory
	"example_word2vec": "its samples are random", "initializers_mixed": "numpy.empty",
	// numbers follow from an algorithm of NumPy or LAPACK, or from memory: the order beside a partition's place, signs of singular vectors,
	// strides
	"np_argsort_2d": "the order of the elements on each side", "np_methods": "numpy.ndarray.partition", "np_linalg": "LAPACK's reflections",
	"seq_ops": "the strides are those of memory",
	// complex numbers, which ONNX's operators do not take
	"np_scalar_powers": "no form for complex numbers", "np_ma_poly": "what the function computes is not written",
	// parameters of a copy that the constructor made: no file of weights has them
	"link_copy_modes": "comes from elsewhere",
}

// gradients are programs that give gradients, which models do not compute.
const gradients = "backward_grads example_dqn grad_cut grad_function grad_given grad_int grad_leaf grad_nobackprop grad_params_default grad_requires grad_retain grad_unchain utils_sizes"

func TestProgramsOfChainerAreExportedWithItsNumbers(t *testing.T) {
	programs, err := ReadChainer(chainerRuns, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer programs.Close()
	refused := maps.Clone(notExported)
	for _, name := range strings.Fields(gradients) {
		refused[name] = "it is a gradient"
	}
	for _, p := range programs.List {
		want := refused[p.Name]
		delete(refused, p.Name)
		t.Run(p.Name, func(t *testing.T) {
			if err := p.Exports(context.Background(), func(k int, out *export.Result) bool {
				checkProgram(t, p, k, out, want)
				return true
			}); err != nil {
				t.Fatal(err)
			}
		})
	}
	for name := range refused {
		t.Errorf("%s is not recorded", name)
	}
}

// checkProgram compares the results of an exported program with the recorded ones; want is what refuses it.
func checkProgram(t *testing.T, p *ChainerProgram, k int, out *export.Result, want string) {
	t.Helper()
	if out.Model == nil {
		var all []string
		for _, d := range out.Diagnostics {
			if all = append(all, d.Msg); !d.At.IsValid() {
				t.Errorf("no place: %s", d.Msg)
			}
		}
		if text := strings.Join(all, "; "); want == "" || !strings.Contains(text, want) {
			t.Errorf("not exported: %s", text)
		}
		return
	}
	if want != "" {
		t.Fatal("exported")
	}
	model, err := onnx.Marshal(out.Model)
	if err != nil {
		t.Fatal(err)
	}
	given, err := p.Inputs(out.Model, k)
	if err != nil {
		t.Fatal(err)
	}
	var in []tensor.Value
	for _, x := range given {
		y, err := tensor.FromProto(x)
		if err != nil {
			t.Fatal(err)
		}
		in = append(in, y)
	}
	givesRecorded(t, model, in, p.from.recorded, p.partPrefix(k)+"out/")
}
