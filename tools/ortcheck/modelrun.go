package main

// This file exports one model, runs it, and compares.
//
// For each model there are three witnesses: PyTorch in a process of its own, ONNX Runtime in
// another one, and our machine. A process answers requests in JSON, with tensors in files, and is
// started again when it crashes; a crash of ONNX Runtime is a finding like any other.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/op"
	"shapecheck/onnx"
	"shapecheck/present/cli"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A stored tensor is a part of a file. T is the element type in our notation, S the sizes; Offset
// and Size are bytes.
type stored struct {
	Name   string  `json:"name"`
	T      string  `json:"t"`
	S      []int64 `json:"s"`
	Path   string  `json:"path"`
	Offset int64   `json:"offset"`
	Size   int64   `json:"size"`
}

func (s *stored) read() (_ *tensor, err error) {
	f, err := os.Open(s.Path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	t := &tensor{T: s.T, S: s.S, B: make([]byte, s.Size)}
	_, err = f.ReadAt(t.B, s.Offset)
	return t, err
}

// An answer is what the process of PyTorch answers.
type answer struct {
	Error   string
	In, Out []stored
}

// wants are a model's results in PyTorch, nil for None.
type wants struct {
	in []stored
	// names are those of the arguments that the inputs are in.
	names []string
	out   []*tensor
}

// How the reasons begin of models that PyTorch refuses, and that are not exported. Nothing follows the first
// where the process of PyTorch ended.
const (
	torchRefuses = "PyTorch: "
	notExported  = "not exported: "
)

// check exports and runs one model in all variants; why says what differs. The error is of the
// tool itself (a file, a process); what is wrong with the model is why. PyTorch runs once for all
// variants, as it is the slowest.
func (c *modelCheck) check(m *modelCase) (why string, err error) {
	var state answer
	c.drawn = false
	file := filepath.Join(c.work, "model")
	if ok, err := c.torch.ask(map[string]any{"model": m.Model, "path": m.Path, "train": m.Train, "file": file, "zip": c.weights},
		&state); err != nil || !ok || state.Error != "" {
		return torchRefuses + state.Error, err
	}
	expected := make([]*wants, len(m.runs()))
	for i, r := range m.runs() {
		if m.Refused != "" {
			break
		}
		req, err := m.request(r)
		if err != nil {
			return "", err
		}
		req["seed"], req["file"] = i, file+strconv.Itoa(i)
		var a answer
		if ok, err := c.torch.ask(req, &a); err != nil || !ok || a.Error != "" {
			return fmt.Sprintf("%v: %s%s", r, torchRefuses, a.Error), err
		}
		w := &wants{in: a.In}
		for _, spec := range req["tensors"].([]map[string]any) {
			w.names = append(w.names, spec["name"].(string))
		}
		for _, s := range a.Out {
			if s.T == "" {
				w.out = append(w.out, nil)
				continue
			}
			t, err := s.read()
			if err != nil {
				return "", err
			}
			w.out = append(w.out, t)
		}
		expected[i] = w
	}
	for _, v := range c.variants {
		if why, err := c.variant(m, v, state.Out, expected); why != "" || err != nil {
			if len(c.variants) > 1 {
				why = v.String() + ": " + why
			}
			return why, err
		}
	}
	return "", nil
}

// variant checks one way to export the model. The steps are: export, ONNX's checker, names and
// types of the model, compilation for the machine, and then each run on ONNX Runtime and the
// machine, compared with PyTorch's results. Files are removed in any case.
func (c *modelCheck) variant(m *modelCase, v variant, state []stored, expected []*wants) (why string, err error) {
	out := filepath.Join(c.work, fmt.Sprintf("%s.%d.%s.onnx", m.Name, v.opset, v.functions))
	message, code := c.export(m, v, out)
	switch {
	case m.Refused != "" && code == 0:
		return "exported, but should be refused: " + m.Refused, nil
	case m.Refused != "" && strings.Contains(message, m.Refused):
		return "", nil
	case code != 0:
		return notExported + short(message), nil
	}
	defer func() {
		for _, f := range [...]string{out, out + ".data"} {
			if e := os.Remove(f); e != nil && !os.IsNotExist(e) {
				err = errors.Join(err, e)
			}
		}
	}()
	if why, err := c.judgement(m, v, out); why != "" || err != nil {
		return why, err
	}
	model, err := readModel(out)
	if err != nil {
		return "", err
	}
	if why := m.names(model); why != "" {
		return why, nil
	}
	if list := untyped(model.Graph, nil); len(list) > 0 {
		return fmt.Sprintf("%d values have no type: %q", len(list), list[:min(len(list), 5)]), nil
	}
	draws := drawsNumbers(model)
	c.drawn = c.drawn || draws
	optional, err := showOptionals(out, model)
	if err != nil {
		return "", err
	}
	var program *compiled
	if c.vm {
		if program, err = compile(out, state); err != nil {
			return "the VM: " + short(err.Error()), nil
		}
		defer program.model.Close()
	}
	for i, r := range m.runs() {
		w := expected[i]
		feeds := map[string]stored{}
		if len(model.Graph.Inputs) < len(w.in) {
			return fmt.Sprintf("%d inputs instead of %d", len(model.Graph.Inputs), len(w.in)), nil
		}
		for j, t := range w.in {
			name := model.Graph.Inputs[j].Name
			if slices.ContainsFunc(model.Graph.Inputs, func(v *onnx.ValueInfo) bool { return v.Name == w.names[j] }) {
				name = w.names[j] // keywords may be given in another order than the model's
			}
			feeds[name] = t
		}
		params := map[string]any{}
		for _, t := range state {
			params[t.Name] = t
		}
		var got struct {
			Error string
			Out   []tensor
		}
		ok, err := c.ort.ask(map[string]any{"path": out, "keep": true, "state": params, "stateId": m.Name, "feeds": feeds}, &got)
		switch {
		case err != nil:
			return "", err
		case !ok:
			return "ONNX Runtime crashed", nil
		case got.Error != "":
			return fmt.Sprintf("%v: ONNX Runtime: %s", r, short(got.Error)), nil
		}
		pairs, ok := pair(got.Out, optional, w.out)
		if !ok {
			return fmt.Sprintf("%v: %d results instead of %d, or others that are None", r, len(got.Out), len(w.out)), nil
		}
		for j, p := range pairs {
			if kind, d := differ(p[0], p[1]); d != "" && !(draws && kind == elements) {
				return fmt.Sprintf("%v: result %d: %s", r, j, d), nil
			}
		}
		if program == nil {
			continue
		}
		ours, err := program.run(feeds)
		if r.empty() && refused(err) {
			continue
		}
		if err != nil {
			return fmt.Sprintf("%v: the VM: %s", r, short(err.Error())), nil
		}
		for j := range ours {
			if kind, d := differ(&ours[j], &got.Out[j]); d != "" && !(draws && kind == elements) {
				return fmt.Sprintf("%v: result %d of the VM: %s", r, j, d), nil
			}
		}
	}
	return "", nil
}

// export writes the model, and holds the types of what it wrote against those of
// the program. It calls the command as a user would, flags and all.
func (c *modelCheck) export(m *modelCase, v variant, out string) (message string, code int) {
	// The limit of memory counts what this process holds, large weights among it.
	flags := []string{"export", "-o", out, "--check", "--functions", v.functions, "--opset", fmt.Sprint(v.opset), "--max-memory", "0"}
	flags = append(flags, m.flags()...)
	if c.weights {
		flags = append(flags, "--weights", filepath.Join(c.work, "model.pt"))
	}
	var stderr bytes.Buffer
	code = cli.Run(flags, strings.NewReader(""), &stderr, &stderr)
	return stderr.String(), code
}

// flags say to shapecheck what the model is.
func (m *modelCase) flags() []string {
	flags := []string{"--entry", m.Entry}
	if m.Train {
		flags = append(flags, "--train")
	}
	if m.Call != "" {
		flags = append(flags, "--call", m.Call)
	}
	for _, p := range m.Path {
		flags = append(flags, "--path", p)
	}
	for _, a := range m.Args {
		flags = append(flags, "--arg", a)
	}
	if m.Module != "" {
		return append(flags, "-m", m.Module)
	}
	return append(flags, m.File)
}

// judgement is what ONNX's checker says of the model. A release of it that does
// not know the operators' version sees an export with its own.
func (c *modelCheck) judgement(m *modelCase, v variant, out string) (string, error) {
	if !c.judge || m.Unjudged != "" {
		return "", nil
	}
	if v.opset > lastJudged {
		v.opset = lastJudged
		out = filepath.Join(c.work, "judged.onnx")
		if message, code := c.export(m, v, out); code != 0 {
			return "not exported for ONNX's checker: " + short(message), nil
		}
	}
	var a answer
	ok, err := c.torch.ask(map[string]any{"onnx": out}, &a)
	if err == nil && !ok {
		a.Error = "crashed"
	}
	if a.Error != "" {
		a.Error = "ONNX's checker: " + a.Error
	}
	return a.Error, err
}

// lastJudged is the last version of the operators that Debian's python3-onnx knows.
const lastJudged = 17

func readModel(path string) (*onnx.Model, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return onnx.Unmarshal(b)
}

// names says what is wrong with the names of the model's inputs and results. An empty text says
// that nothing is.
func (m *modelCase) names(model *onnx.Model) string {
	names := func(list []*onnx.ValueInfo) (names []string) {
		for _, o := range list {
			names = append(names, o.Name)
		}
		return names
	}
	if got := names(model.Graph.Outputs); m.Outputs != nil && !slices.Equal(got, m.Outputs) {
		return fmt.Sprintf("results are named %q instead of %q", got, m.Outputs)
	}
	if got := names(model.Graph.Inputs); m.Inputs != nil && !slices.Equal(got[:min(len(got), len(m.Inputs))], m.Inputs) {
		return fmt.Sprintf("inputs are named %q instead of %q", got, m.Inputs)
	}
	return ""
}

// untyped lists the values of a graph, and of those in its nodes, whose types are
// not declared.
func untyped(g *onnx.Graph, list []string) []string {
	typed := map[string]bool{"": true}
	for _, values := range [][]*onnx.ValueInfo{g.Inputs, g.Outputs, g.Values} {
		for _, v := range values {
			typed[v.Name] = typed[v.Name] || v.Type != nil
		}
	}
	for _, n := range g.Nodes {
		for _, o := range n.Outputs {
			if !typed[o] {
				list = append(list, o)
			}
		}
		for _, a := range n.Attrs {
			if a.Graph != nil {
				list = untyped(a.Graph, list)
			}
		}
	}
	return list
}

// drawsNumbers reports whether a model has a node that draws random numbers: its results
// then agree with PyTorch's in types and sizes alone. Dropout draws only in training.
func drawsNumbers(m *onnx.Model) bool {
	within := func(n *onnx.Node) bool {
		r := op.Lookup(n.Domain, n.Op)
		return r != nil && r.Traits&ir.Effect != 0 && (n.Op != "Dropout" || len(n.Inputs) > 2 && n.Inputs[2] != "")
	}
	for _, f := range m.Functions {
		if slices.ContainsFunc(f.Nodes, within) {
			return true
		}
	}
	var in func(*onnx.Graph) bool
	in = func(g *onnx.Graph) bool {
		return slices.ContainsFunc(g.Nodes, func(n *onnx.Node) bool {
			return within(n) || slices.ContainsFunc(n.Attrs, func(a *onnx.Attr) bool { return a.Graph != nil && in(a.Graph) })
		})
	}
	return in(m.Graph)
}

// typeText matches the start of a tensor's type in an argument.
var typeText = regexp.MustCompile(`\b[a-z]+[0-9]*\[`)

// request makes PyTorch's request for a run: the tensors of all arguments, and the
// call in which tensor0, tensor1, … stand for them. It replaces each type in an argument's text
// by the name of a tensor, so that the call is Python's own notation for everything else. The
// error names the argument.
func (m *modelCase) request(r run) (map[string]any, error) {
	tensors, call := []map[string]any{}, []string{}
	for _, a := range m.Args {
		i := strings.IndexAny(a, ":=")
		if i < 0 {
			return nil, fmt.Errorf("argument %s has no value", a)
		}
		name, rest := a[:i], a[i+1:]
		text := name + "="
		for {
			at := typeText.FindStringIndex(rest)
			if at == nil {
				break
			}
			end := strings.IndexByte(rest[at[1]:], ']')
			d := rest[at[0] : at[1]-1]
			if _, ok := dtype.Parse(d); !ok || end < 0 {
				return nil, fmt.Errorf("argument %s: %s is no type", a, d)
			}
			spec, err := m.tensor(name, d, rest[at[1]:at[1]+end], r)
			if err != nil {
				return nil, fmt.Errorf("argument %s: %w", a, err)
			}
			spec["name"] = name
			text += fmt.Sprintf("%stensor%d", rest[:at[0]], len(tensors))
			tensors = append(tensors, spec)
			rest = rest[at[1]+end+1:]
		}
		call = append(call, text+rest)
	}
	return map[string]any{"tensors": tensors, "method": m.Call, "call": strings.Join(call, ", ")}, nil
}

// tensor describes a tensor of an argument: its contents, or its sizes. Sizes are expressions of
// the run's symbols. below bounds integers that are indices.
func (m *modelCase) tensor(name, d, dims string, r run) (map[string]any, error) {
	if v, ok := r.values[name]; ok {
		return map[string]any{"t": d, "v": v}, nil
	}
	shape := []int64{}
	p := symshape.NewPool()
	for _, text := range symshape.SplitList(dims) {
		e, err := p.Parse(text)
		if err != nil {
			return nil, err
		}
		n, err := e.Eval(symshape.Env(r.sizes))
		if err != nil {
			return nil, err
		}
		shape = append(shape, n)
	}
	spec := map[string]any{"t": d, "s": shape}
	if n, ok := m.Below[name]; ok {
		spec["below"] = n
	}
	return spec, nil
}
