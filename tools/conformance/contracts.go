package conformance

// This file holds the contracts of torchvision's classification models against
// the sizes for which PyTorch was recorded to run them.

import (
	"fmt"
	"os"
	"strings"

	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/internal/diag"
)

// A ContractResult is the comparison of one model.
type ContractResult struct {
	Model    string
	Contract []string
	Sizes    int
	Problems []string
}

// A sizes is an image's height and width.
type sizes struct{ h, w int64 }

// recordedSizes are those of testdata/torchvision/record_contracts.py.
func recordedSizes() []sizes {
	var out []sizes
	for n := int64(1); n <= 80; n++ {
		out = append(out, sizes{n, n})
	}
	out = append(out, sizes{224, 224})
	for n := int64(1); n <= 80; n += 6 {
		out = append(out, sizes{n, 100})
	}
	return append(out, sizes{100, 31}, sizes{223, 223}, sizes{224, 231}, sizes{225, 224}, sizes{231, 231}, sizes{256, 256}, sizes{320, 256},
		sizes{448, 448})
}

// maxConcrete is the number of runs with concrete sizes for each model: the
// contract answers for all sizes, and these hold the engine's own runs against it.
const maxConcrete = 4

// ReadContracts reads the models and what was recorded of each. It returns an error where the file cannot be read, or
// where a line does not have one mark for each recorded size.
func ReadContracts(path string) ([][2]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out [][2]string
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		name, recorded, ok := strings.Cut(line, " ")
		if !ok || len(recorded) != len(recordedSizes()) {
			return nil, fmt.Errorf("%s: %s: %d sizes were recorded, not %d", path, name, len(recorded), len(recordedSizes()))
		}
		out = append(out, [2]string{name, recorded})
	}
	return out, nil
}

// ZooContract compares the contract of a model at every recorded size, and runs
// with concrete sizes where the record changes.
func ZooContract(model, recorded, dist string, cache *infer.Cache) *ContractResult {
	r := &ContractResult{Model: model}
	run := func(b, h, w string) (*infer.Result, bool) {
		arg := fmt.Sprintf("x:f32[%s,3,%s,%s]", b, h, w)
		res, err := checkEntry(infer.Config{Cache: cache, Device: infer.DeviceCPU, Module: "torchvision.models", Roots: []string{dist},
			Entry: model + "()",
			Args:  []string{arg}, Eval: true, TorchVersion: "1.13.0", NoGrad: true})
		if err != nil {
			r.Problems = append(r.Problems, err.Error())
			return nil, false
		}
		for _, d := range res.Diagnostics {
			if d.Severity == diag.Error {
				return res, false
			}
		}
		return res, true
	}
	res, clean := run("B", "H", "W")
	if !clean {
		r.Problems = append(r.Problems, "the run with symbols has errors")
		return r
	}
	c := contract.Of(res)
	for _, x := range c.Conditions {
		r.Contract = append(r.Contract, x.Cond.String())
	}
	edges := edgesOf(recorded)
	for i, at := range recordedSizes() {
		if recorded[i] == '.' {
			continue // not tried
		}
		want := recorded[i] == '1'
		got := !c.Never
		for _, x := range c.Conditions {
			if !got {
				break // as with Python's and
			}
			ok, err := x.Cond.Eval(func(s string) (int64, bool) {
				v, ok := map[string]int64{"B": 1, "H": at.h, "W": at.w}[s]
				return v, ok
			})
			if err != nil {
				r.Problems = append(r.Problems, fmt.Sprintf("%s: %v", x.Cond, err))
			}
			got = ok && err == nil
		}
		r.Sizes++
		if got != want {
			r.Problems = append(r.Problems, fmt.Sprintf("%d x %d: the contract says %t, PyTorch %t", at.h, at.w, got, want))
		}
		if !edges[i] {
			continue
		}
		if _, clean := run("1", fmt.Sprint(at.h), fmt.Sprint(at.w)); clean != want {
			r.Problems = append(r.Problems, fmt.Sprintf("%d x %d: the run with these sizes says %t, PyTorch %t", at.h, at.w, clean, want))
		}
	}
	return r
}

// edgesOf picks sizes beside which the record says otherwise, from both ends, and
// the first one.
func edgesOf(recorded string) map[int]bool {
	var tried, edges []int
	for i := range recorded {
		if recorded[i] != '.' {
			tried = append(tried, i)
		}
	}
	for k, i := range tried {
		if k > 0 && recorded[tried[k-1]] != recorded[i] || k+1 < len(tried) && recorded[tried[k+1]] != recorded[i] {
			edges = append(edges, i)
		}
	}
	out := map[int]bool{}
	for k := 0; k < len(edges) && len(out) < maxConcrete-1; k++ {
		out[edges[k]] = true
		if len(out) < maxConcrete-1 {
			out[edges[len(edges)-1-k]] = true
		}
	}
	if len(tried) > 0 {
		out[tried[0]] = true
	}
	return out
}
