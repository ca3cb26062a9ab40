package conformance

// This file exports the programs of testdata/chainer/programs and infer/testdata/chainer_programs with weights that Chainer saved and runs them in both engines
// beside what it computed at two sizes: testdata/chainer/programs.jsonl and programs.npz, which record_programs.py there made.

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/driver"
	"shapecheck/internal/export"
	"shapecheck/internal/onnx"
	"shapecheck/internal/weights"
	"shapecheck/runtime/tensor"
)

// notExported are the programs that have no form in ONNX, or none yet, and what says so.
var notExported = map[string]string{
	"comp_nested": "is <set>", "dict_state": `is "h"`, "string_format": `is "2d"`, "grad_clip_by_hand": `is "float32"`, "reporter_scope": `is "main/loss"`,
	"optimizer_step": "an optimiser has written to", "datasets_random_split": "numpy.random.permutation", "example_word2vec": "its samples are random",
	"links_copy": `the model has no "count"`, "np_argsort_2d": "the order of the elements on each side",
	"np_create": "numpy.fromiter", "np_linalg": "no inverse of matrices", "np_ma_poly": "what the function computes is not written", "np_methods": "numpy.ndarray.partition", "seq_ops": "the strides are those of memory",
}

// gradients are programs that give gradients, which models do not compute.
const gradients = "backward_grads example_dqn grad_cut grad_function grad_given grad_int grad_leaf grad_nobackprop grad_params_default grad_requires grad_retain grad_unchain"

func TestProgramsOfChainerAreExportedWithItsNumbers(t *testing.T) {
	recorded := openWeights(t, chainerRuns+"programs.npz")
	f, err := os.Open(chainerRuns + "programs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	refused := maps.Clone(notExported)
	for _, name := range strings.Fields(gradients) {
		refused[name] = "it is a gradient"
	}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var p chainerProgram
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		want := refused[p.Name]
		delete(refused, p.Name)
		t.Run(p.Name, func(t *testing.T) { p.check(t, recorded, want) })
	}
	for name := range refused {
		t.Errorf("%s is not recorded", name)
	}
}

// A chainerProgram is a line of programs.jsonl: for each size, the arguments.
type chainerProgram struct {
	Name, File, Entry string
	Sizes             [][]string
}

// check exports a program for each of its sizes and compares results; want is what refuses it.
func (p *chainerProgram) check(t *testing.T, recorded *weights.File, want string) {
	saved := p.weights(t)
	for k, args := range p.Sizes {
		target := &driver.Target{Run: infer.Config{File: chainerRuns + p.File, Entry: p.Entry, Args: args, NumpyVersion: "1.23.5"}, Weights: saved}
		out, err := export.Entry(context.Background(), &driver.Session{}, target, export.Options{SelfCheck: true})
		if err != nil {
			t.Fatal(err)
		}
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
			continue
		}
		if want != "" {
			t.Fatal("exported")
		}
		model, err := onnx.Marshal(out.Model)
		if err != nil {
			t.Fatal(err)
		}
		prefix := fmt.Sprintf("%s/%d/", p.Name, k)
		var in []tensor.Value
		for _, x := range out.Model.Graph.Inputs {
			in = append(in, recordedArray(t, recorded, prefix+"in/"+x.Name))
		}
		givesRecorded(t, model, in, recorded, prefix+"out/")
	}
}

// weights gives the program's parameters from programs.npz, as save_npz writes them; nil where it has none.
func (p *chainerProgram) weights(t *testing.T) *driver.Weights {
	all, err := zip.OpenReader(chainerRuns + "programs.npz")
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	path := filepath.Join(t.TempDir(), p.Name+".npz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	own, n := zip.NewWriter(f), 0
	for _, entry := range slices.Clone(all.File) {
		name, ok := strings.CutPrefix(entry.Name, p.Name+"/w/")
		if !ok {
			continue
		}
		n++
		r, err := entry.OpenRaw()
		if err != nil {
			t.Fatal(err)
		}
		header := entry.FileHeader
		header.Name = name
		w, err := own.CreateRaw(&header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(r).WriteTo(w); err != nil {
			t.Fatal(err)
		}
	}
	if err := own.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		return nil
	}
	return &driver.Weights{File: openWeights(t, path), Name: path}
}
