package conformance

// This file replays small programs whose results PyTorch computed: interpreted,
// lowered, and run by the reference evaluator, they must give the same numbers.
// testdata/numeric/README.md describes the records.
//
// Each program goes through infer, lower and the reference evaluator, and, if engines are given,
// through the compiler and each of them. The outcomes are ordered from best to worst, and the
// record of counts holds the number of each by family: a change that makes one worse shows as a
// difference of that file.

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
	"shapecheck/lower"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/onnx/inline"
	"shapecheck/symshape"
	"shapecheck/tools/counts"
)

// A Program is one recorded program with its inputs and results.
type Program struct {
	// ID is the family and a number; Op the function that it is about.
	ID  string `json:"id"`
	Op  string `json:"op"`
	Src string `json:"src"`
	In  []Array
	// Weights is a module's state_dict.
	Weights map[string]Array `json:"w"`
	Out     []Array
	blob    []byte
}

// An Array is a recorded tensor: its elements are at Offset in the family's file. DType is in the
// short form ("f32"), Offset in bytes.
type Array struct {
	Name   string  `json:"n"`
	DType  string  `json:"t"`
	Dims   []int64 `json:"s"`
	Offset int64   `json:"o"`
}

// Family is the part of the identifier that says which file has the program.
func (p *Program) Family() string {
	family, _, _ := strings.Cut(p.ID, "-")
	return family
}

// ReadPrograms reads all families in a folder, in the order of their names. It returns an error where the folder has no
// *.jsonl.gz, or where one of them cannot be read.
func ReadPrograms(dir string) ([]*Program, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no *.jsonl.gz", dir)
	}
	var all []*Program
	for _, name := range names {
		list, err := readFamily(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, list...)
	}
	return all, nil
}

// readFamily reads NAME.jsonl.gz, one program on a line, and the elements of all its arrays from
// NAME.bin.gz.
func readFamily(name string) ([]*Program, error) {
	text, err := unzip(name)
	if err != nil {
		return nil, err
	}
	blob, err := unzip(strings.TrimSuffix(name, ".jsonl.gz") + ".bin.gz")
	if err != nil {
		return nil, err
	}
	var list []*Program
	in := bufio.NewScanner(bytes.NewReader(text))
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		p := &Program{blob: blob}
		if err := json.Unmarshal(in.Bytes(), p); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, in.Err()
}

// unzip reads a whole file.
func unzip(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// Text is the file that is run: the program after its imports. The imports are as the generator
// had them; those that a program does not need are left out.
func (p *Program) Text() string {
	head := "import math\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
	if einopsCall.MatchString(p.Src) {
		head += "from einops import rearrange, reduce, repeat\n"
	}
	if p.needsTorchvision() {
		head += "import torchvision\n"
	}
	return head + "\n\n" + p.Src
}

var einopsCall = regexp.MustCompile(`\b(rearrange|reduce|repeat)\(x, `)

// needsTorchvision reports whether the program can be run only with torchvision's sources.
func (p *Program) needsTorchvision() bool { return strings.Contains(p.Src, "torchvision.") }

// tensor gives a recorded array in the form of ONNX. It shares memory with the family's file and
// returns an error if the record does not fit in it.
func (p *Program) tensor(a Array) (*onnx.Tensor, error) {
	d, ok := onnx.DTypeOf(a.DType)
	if !ok {
		return nil, fmt.Errorf("an array of %s", a.DType)
	}
	n, err := onnx.Count(a.Dims)
	if err != nil {
		return nil, err
	}
	size, err := onnx.ByteSize(d, n)
	if err != nil {
		return nil, err
	}
	if a.Offset < 0 || a.Offset+size > int64(len(p.blob)) {
		return nil, fmt.Errorf("an array at %d with %d bytes is outside of the file", a.Offset, size)
	}
	return &onnx.Tensor{DType: d, Dims: a.Dims, Raw: p.blob[a.Offset : a.Offset+size], HasRaw: true}, nil
}

// A NumericOutcome says what became of a program.
type NumericOutcome int

// The outcomes, from the best to the worst.
const (
	// NumbersEqual: values, types and sizes are PyTorch's.
	NumbersEqual NumericOutcome = iota
	// NumbersRefused: lower says that there is no form in ONNX.
	NumbersRefused
	// NumbersNotComputed: the evaluator says that it cannot run the model.
	NumbersNotComputed
	// NumbersAccused: a program that PyTorch runs is said to be faulty.
	NumbersAccused
	// NumbersBroken: what we made is not well formed, or something panicked.
	NumbersBroken
	// NumbersWrong: another value, type or size, or another number of results.
	NumbersWrong
	// NumbersExcluded: the contract of the program with symbols excludes the recorded sizes.
	NumbersExcluded
	// NumbersSkipped: the program needs torchvision's sources, which are not there.
	NumbersSkipped
	numNumericOutcomes
)

var numericOutcomes = [numNumericOutcomes]string{"equal", "refused", "not computed", "accused", "broken", "wrong", "excluded", "skipped"}

func (o NumericOutcome) String() string { return numericOutcomes[o] }

// A NumericResult is the outcome of a program, and why.
type NumericResult struct {
	Program *Program
	Outcome NumericOutcome
	Why     string
	// Machine has the outcomes of the compiled program, by engine, where the model is Equal.
	Machine []NumericOutcome
}

// Worst is the worst of the outcomes.
func (r *NumericResult) Worst() NumericOutcome {
	return slices.Max(append(slices.Clone(r.Machine), r.Outcome))
}

// A NumericRun says how programs are run.
type NumericRun struct {
	Cache *infer.Cache
	// Dist holds torchvision's sources; empty: programs that import it fail.
	Dist string
	// Symbolic makes every size above 1 a symbol, the same for the same size.
	Symbolic bool
	// Opset is the version of the operators; 0: lower's default.
	Opset int64
	// Engines compile the models, too, and run the programs.
	Engines []Engine
}

// All runs programs on all processors. The results are in the order of the programs, so that
// output is the same for any number of processors.
func (r *NumericRun) All(programs []*Program) []NumericResult {
	results := make([]NumericResult, len(programs))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				results[i] = r.Run(programs[i])
			}
		})
	}
	for i := range programs {
		next <- i
	}
	close(next)
	wg.Wait()
	return results
}

// NumericRows counts outcomes by family, and in all.
func NumericRows(results []NumericResult) []counts.Row {
	return countOutcomes(results, func(r *NumericResult) NumericOutcome { return r.Outcome })
}

// MachineRows counts the outcomes of one engine. A model that has no numbers of its own
// counts as what it is.
func MachineRows(results []NumericResult, engine int) []counts.Row {
	return countOutcomes(results, func(r *NumericResult) NumericOutcome {
		if r.Outcome != NumbersEqual {
			return r.Outcome
		}
		return r.Machine[engine]
	})
}

// countOutcomes makes a row for each family, in the order of the names, and one of all.
func countOutcomes(results []NumericResult, outcome func(*NumericResult) NumericOutcome) []counts.Row {
	var families []string
	byFamily := map[string]*[numNumericOutcomes]int{}
	var total [numNumericOutcomes]int
	for i := range results {
		f := results[i].Program.Family()
		if byFamily[f] == nil {
			byFamily[f] = new([numNumericOutcomes]int)
			families = append(families, f)
		}
		o := outcome(&results[i])
		byFamily[f][o]++
		total[o]++
	}
	slices.Sort(families)
	row := func(name string, n *[numNumericOutcomes]int) counts.Row {
		r := counts.Row{Name: name}
		for o, k := range n {
			r.Counts = append(r.Counts, counts.Count{Name: numericOutcomes[o], N: k})
		}
		return r
	}
	var rows []counts.Row
	for _, f := range families {
		rows = append(rows, row(f, byFamily[f]))
	}
	return append(rows, row("all", &total))
}

// Run runs a program and compares its results. A panic counts as NumbersBroken, so that one
// program cannot end the others.
func (r *NumericRun) Run(p *Program) (out NumericResult) {
	out = NumericResult{Program: p}
	if r.Dist == "" && p.needsTorchvision() {
		out.Outcome = NumbersSkipped
		return out
	}
	defer func() {
		if e := recover(); e != nil {
			out.Outcome, out.Why = NumbersBroken, fmt.Sprint("panic: ", e)
		}
	}()
	m, outcome, err := r.model(p)
	if err != nil {
		out.Outcome, out.Why = outcome, err.Error()
		return out
	}
	var file []byte
	if len(r.Engines) > 0 {
		if file, err = onnx.Marshal(m); err != nil {
			out.Outcome, out.Why = NumbersBroken, err.Error()
			return out
		}
	}
	got, outcome, err := evaluate(m, p)
	if err != nil {
		out.Outcome, out.Why = outcome, err.Error()
		return out
	}
	if err := p.compare(got); err != nil {
		out.Outcome, out.Why = NumbersWrong, err.Error()
		return out
	}
	for i := range r.Engines {
		outcome, err := r.Engines[i].run(file, p)
		out.Machine = append(out.Machine, outcome)
		if err != nil && out.Why == "" {
			out.Why = fmt.Sprintf("%s: %v", r.Engines[i].Name, err)
		}
	}
	return out
}

// model exports a program. A diagnostic of SC7 says that there is no form in ONNX, and any other
// error accuses the program. In symbolic mode equal sizes get the same symbol S and the size, as
// PyTorch's program may need them equal; sizes of 0 and 1 stay, since they broadcast.
func (r *NumericRun) model(p *Program) (*onnx.Model, NumericOutcome, error) {
	cfg := infer.Config{Cache: r.Cache, Device: infer.DeviceCPU, File: p.ID + ".py", Text: p.Text(), Entry: "f", Eval: true,
		TorchVersion: "2.15"}
	if strings.HasPrefix(p.Src, "class") {
		cfg.Entry = "M()"
	}
	if r.Dist != "" {
		cfg.Roots = []string{r.Dist}
	}
	for _, a := range p.In {
		sizes := make([]string, len(a.Dims))
		for i, d := range a.Dims {
			sizes[i] = strconv.FormatInt(d, 10)
			if r.Symbolic && d > 1 {
				sizes[i] = "S" + sizes[i]
			}
		}
		cfg.Args = append(cfg.Args, fmt.Sprintf("%s:%s[%s]", a.Name, a.DType, strings.Join(sizes, ",")))
	}
	res, err := infer.Run(cfg)
	if err != nil {
		return nil, NumbersBroken, err
	}
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			if strings.HasPrefix(string(d.Code), "SC7") {
				return nil, NumbersRefused, fmt.Errorf("%s %s", d.Code, d.Msg)
			}
			return nil, NumbersAccused, fmt.Errorf("%s %s", d.Code, d.Msg)
		}
	}
	if r.Symbolic {
		if broken := p.breaks(res.Contract); broken != nil {
			return nil, NumbersExcluded, fmt.Errorf("the contract needs %s", broken)
		}
	}
	if err := graph.Verify(res.Graph); err != nil {
		return nil, NumbersBroken, err
	}
	in := lower.Input{Graph: res.Graph, Pool: res.Pool, Files: res.Files, Name: res.Entry, Opset: r.Opset}
	if in.Params, err = p.params(res); err != nil {
		return nil, NumbersBroken, err
	}
	m, err := lower.Lower(in)
	if err != nil {
		var refused *lower.Error
		if errors.As(err, &refused) {
			return nil, NumbersRefused, err
		}
		return nil, NumbersBroken, err
	}
	return m, NumbersEqual, nil
}

// breaks finds a condition that the recorded sizes break: S3 is 3. A condition on other
// symbols, which data decide, is not counted. A condition counts only if all conditions of its
// path hold.
func (p *Program) breaks(contract []infer.Condition) *symshape.Cond {
	env := func(s string) (int64, bool) {
		rest, ok := strings.CutPrefix(s, "S")
		n, err := strconv.ParseInt(rest, 10, 64)
		return n, ok && err == nil
	}
	for _, c := range contract {
		reached := true
		for _, x := range c.Path {
			holds, err := x.Eval(env)
			reached = reached && err == nil && holds
		}
		if holds, err := c.Cond.Eval(env); reached && err == nil && !holds {
			return c.Cond
		}
	}
	return nil
}

// params gives a module's parameters and buffers their recorded elements. Parameters without a
// record have no data.
func (p *Program) params(res *infer.Result) ([]lower.Named, error) {
	var out []lower.Named
	for _, list := range [][]infer.NamedTensor{res.Parameters, res.Buffers} {
		for _, t := range list {
			n := lower.Named{Name: t.Name, Value: res.AtCall(t.Tensor)}
			a, ok := p.Weights[t.Name]
			if !ok && t.Tensor.V.Def != nil { // what the constructor computes
				continue
			}
			if ok {
				var err error
				if n.Data, err = p.tensor(a); err != nil {
					return nil, err
				}
			}
			out = append(out, n)
		}
	}
	return out, nil
}

// evaluate runs a model on the recorded inputs. Functions of the model are inlined first.
func evaluate(m *onnx.Model, p *Program) ([]*eval.Tensor, NumericOutcome, error) {
	if _, err := inline.Model(context.Background(), m); err != nil {
		return nil, NumbersBroken, err
	}
	in := eval.Input{Nodes: m.Graph.Nodes, Opsets: m.Opsets, Values: map[string]*eval.Tensor{}}
	for _, t := range m.Graph.Initializers {
		x, err := eval.FromONNX(t)
		if err != nil {
			return nil, NumbersBroken, err
		}
		in.Values[t.Name] = x
	}
	for i, a := range p.In {
		t, err := p.tensor(a)
		if err != nil {
			return nil, NumbersBroken, err
		}
		x, err := eval.FromONNX(t)
		if err != nil {
			return nil, NumbersBroken, err
		}
		if i >= len(m.Graph.Inputs) {
			return nil, NumbersWrong, fmt.Errorf("the model has %d inputs instead of %d", len(m.Graph.Inputs), len(p.In))
		}
		in.Values[m.Graph.Inputs[i].Name] = x
	}
	for _, o := range m.Graph.Outputs {
		in.Outputs = append(in.Outputs, o.Name)
	}
	got, err := eval.Run(in)
	if err != nil {
		return nil, NumbersNotComputed, err
	}
	return got, NumbersEqual, nil
}

// compare holds results against the recorded ones. It returns an error that says which result
// differs first. Elements are compared with a tolerance by their type, in sameElements.
func (p *Program) compare(got []*eval.Tensor) error {
	if len(got) != len(p.Out) {
		return fmt.Errorf("%d results instead of %d", len(got), len(p.Out))
	}
	for i, a := range p.Out {
		t, err := p.tensor(a)
		if err != nil {
			return err
		}
		want, err := eval.FromONNX(t)
		if err != nil {
			return err
		}
		if got[i].DType != want.DType || !slices.Equal(got[i].Dims, want.Dims) {
			return fmt.Errorf("result %d is %s%v instead of %s%v", i, got[i].DType, got[i].Dims, want.DType, want.Dims)
		}
		if err := sameElements(got[i], want); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}
