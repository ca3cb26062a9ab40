package main

// This file runs exported programs of Chainer in ONNX Runtime beside what Chainer computed.
//
// Chainer itself is not needed: its numbers are recorded in testdata/chainer. A program is run at
// each size for which there are numbers.

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"

	"shapecheck/check/export"
	"shapecheck/onnx"
	"shapecheck/tools/conformance"
	"shapecheck/tools/counts"
)

// runChainer exports the recorded programs of Chainer and compares ONNX Runtime's numbers with Chainer's, for each recorded
// size. It fails if one differs or the counts are others. Verdicts are equal, lists, refused and
// different, of which the last one fails the command.
func runChainer(args []string) error {
	var c common
	f := flag.NewFlagSet("chainer", flag.ExitOnError)
	c.flags(f)
	dir := f.String("dir", "testdata/chainer", "the folder of the recorded programs")
	only := f.String("only", "", "only programs whose name matches")
	onFile := f.String("counts", "", "the file that holds what must be counted")
	update := f.Bool("update-counts", false, "write what was counted into that file")
	if err := f.Parse(args); err != nil {
		return err
	}
	re, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "ortcheck")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	programs, err := conformance.ReadChainer(*dir, work)
	if err != nil {
		return err
	}
	defer programs.Close()
	ort, err := newORT(c.ort, work)
	if err != nil {
		return err
	}
	defer ort.stop()
	n := map[string]int{}
	for _, p := range programs.List {
		if !re.MatchString(p.Name) {
			continue
		}
		verdict, why := "equal", ""
		var failed error
		err := p.Exports(context.Background(), func(k int, out *export.Result) bool {
			var v string
			if v, why, failed = chainerRun(ort, p, k, out); v != "" {
				verdict = v
			}
			return v == "" && failed == nil
		})
		if err := errors.Join(err, failed); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		n[verdict]++
		if verdict == "different" || c.verbose {
			fmt.Printf("%s: %s %s\n", p.Name, verdict, why)
		}
	}
	row := counts.Row{Name: "programs of Chainer"}
	for _, name := range [...]string{"equal", "lists", "refused", "different"} {
		row.Counts = append(row.Counts, counts.Count{Name: name, N: n[name]})
	}
	fmt.Println(row)
	if n["different"] > 0 {
		return fmt.Errorf("%d programs differ", n["different"])
	}
	if *only != "" || *onFile == "" {
		return nil
	}
	return counts.Check(*onFile, "exported programs of Chainer", []counts.Row{row}, *update)
}

// chainerRun compares one size of a program. The verdict is empty where all is equal, "lists" where a result is a
// sequence, which the runtime's package for Node does not give out. k is the number of the
// recorded size. err is of the machinery: files, or the process of ONNX Runtime.
func chainerRun(ort *process, p *conformance.ChainerProgram, k int, out *export.Result) (verdict, why string, err error) {
	if out.Model == nil {
		var all []string
		for _, d := range out.Diagnostics {
			all = append(all, d.Msg)
		}
		return "refused", strings.Join(all, "; "), nil
	}
	if slices.ContainsFunc(out.Model.Graph.Outputs, func(o *onnx.ValueInfo) bool { return o.Type.Kind != onnx.TensorType }) {
		return "lists", "", nil
	}
	model, err := onnx.Marshal(out.Model)
	if err != nil {
		return "", "", err
	}
	in, err := p.Inputs(out.Model, k)
	if err != nil {
		return "", "", err
	}
	want, err := p.Results(k)
	if err != nil {
		return "", "", err
	}
	request := struct {
		Model []byte            `json:"model"`
		Feeds map[string]tensor `json:"feeds"`
	}{model, map[string]tensor{}}
	for _, x := range in {
		request.Feeds[x.Name] = wire(x)
	}
	var answer struct {
		Out   []tensor `json:"out"`
		Error string   `json:"error"`
	}
	switch alive, err := ort.ask(request, &answer); {
	case err != nil:
		return "", "", err
	case !alive:
		return "different", "ONNX Runtime ended", nil
	case answer.Error != "":
		return "different", answer.Error, nil
	case len(answer.Out) != len(want):
		return "different", fmt.Sprintf("%d results, Chainer has %d", len(answer.Out), len(want)), nil
	}
	for i := range want {
		recorded := wire(want[i])
		if why := apartFrom(&answer.Out[i], &recorded); why != "" {
			return "different", fmt.Sprintf("size %d, result %d: %s", k, i, why), nil
		}
	}
	return "", "", nil
}

// wire is a tensor as the process takes and gives it.
func wire(x *onnx.Tensor) tensor {
	dims := x.Dims
	if dims == nil {
		dims = []int64{}
	}
	return tensor{T: x.DType.String(), S: dims, B: x.Raw}
}

// apartFrom says in what numbers differ by more than 1e-4. Python's numbers have no element type,
// so that types may differ. The tolerance is 1e-4·(1 + |want|), and NaN equals NaN.
func apartFrom(got, want *tensor) string {
	if !slices.Equal(got.S, want.S) {
		return fmt.Sprintf("shape %v instead of %v", got.S, want.S)
	}
	a, errA := elementsOf(got)
	b, errB := elementsOf(want)
	if err := errors.Join(errA, errB); err != nil {
		return err.Error()
	}
	for i := range b {
		if a[i] != b[i] && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) && !(math.Abs(a[i]-b[i]) <= 1e-4*(1+math.Abs(b[i]))) {
			return fmt.Sprintf("element %d is %v instead of %v", i, a[i], b[i])
		}
	}
	return ""
}

// elementsOf are the elements of a tensor of any numbers. It returns an error for strings.
func elementsOf(t *tensor) ([]float64, error) {
	list, err := floats(t)
	if err == nil {
		return list, nil
	}
	d, _ := onnx.DTypeOf(t.T)
	x := onnx.Tensor{DType: d, Dims: t.S, Raw: t.B, HasRaw: true}
	whole, err := x.Ints()
	for _, n := range whole {
		list = append(list, float64(n))
	}
	return list, err
}
