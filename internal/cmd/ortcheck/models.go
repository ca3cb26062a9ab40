package main

// This file checks whole models: each is exported once, with symbols as sizes,
// and run at several sizes.

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"shapecheck/internal/cli"
	"shapecheck/symshape"
)

//go:embed model.py
var modelSource string

// A modelCase is a model with its arguments: a line of the file of cases.
type modelCase struct {
	Name string `json:"name"`
	// Path and Module, or File, say where the entry is; Model is the Python text
	// that makes the same model in PyTorch.
	Path   []string `json:"path"`
	Module string   `json:"module"`
	File   string   `json:"file"`
	Entry  string   `json:"entry"`
	Model  string   `json:"model"`
	Train  bool     `json:"train"`
	Args   []string `json:"args"`
	// Below bounds the integers of an input.
	Below map[string]int `json:"below"`
	// Sizes are values of the symbols; the inputs are then random.
	Sizes []map[string]int64 `json:"sizes"`
	// Values are contents of inputs by name, as nested lists: those that take the
	// paths of the program.
	Values []map[string]json.RawMessage `json:"values"`
	// Refused is a part of the message with which the export fails, as it should.
	Refused string `json:"refused"`
}

// A run is one evaluation of a model.
type run struct {
	sizes  map[string]int64
	values map[string]json.RawMessage
}

func (r run) String() string {
	if r.values == nil {
		return fmt.Sprint(r.sizes)
	}
	text, err := json.Marshal(r.values)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// runs lists the evaluations of a model: at each of its sizes, with each of its
// values.
func (m *modelCase) runs() []run {
	var list []run
	for _, s := range m.Sizes {
		list = append(list, run{sizes: s})
	}
	for _, v := range m.Values {
		list = append(list, run{values: v})
	}
	return list
}

func runModels(args []string) error {
	var c common
	f := flag.NewFlagSet("models", flag.ExitOnError)
	c.flags(f)
	file := f.String("cases", "", "the models, a JSON document per line")
	only := f.String("only", "", "only models whose name matches")
	path := f.String("path", "", "the folder that holds torchvision")
	functions := f.String("functions", "keep", "keep or inline")
	if err := f.Parse(args); err != nil {
		return err
	}
	re, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(*file)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "ortcheck")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	torch := &process{start: func() *exec.Cmd { return exec.Command(c.python, "-c", modelSource) }}
	defer torch.stop()
	ort, err := newORT(c.ort, work)
	if err != nil {
		return err
	}
	defer ort.stop()
	equal, all := 0, 0
	for i, l := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var m modelCase
		if err := json.Unmarshal(l, &m); err != nil {
			return fmt.Errorf("%s:%d: %w", *file, i+1, err)
		}
		if !re.MatchString(m.Name) {
			continue
		}
		if m.Module != "" && *path != "" {
			m.Path = append(m.Path, *path)
		}
		if m.File != "" {
			m.File = filepath.Join(filepath.Dir(*file), m.File)
			m.Path = append(m.Path, filepath.Dir(m.File))
		}
		all++
		why, err := m.check(work, *functions, torch, ort)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", m.Name, err)
		case why != "":
			fmt.Printf("%s: %s\n", m.Name, why)
		default:
			equal++
			if c.verbose {
				fmt.Printf("%s: equal in %d runs\n", m.Name, len(m.runs()))
			}
		}
	}
	fmt.Printf("models: %d of %d equal\n", equal, all)
	if equal < all {
		return fmt.Errorf("%d models differ", all-equal)
	}
	return nil
}

// check exports and runs one model; why says what differs.
func (m *modelCase) check(work, functions string, torch, ort *process) (why string, err error) {
	out := filepath.Join(work, "model.onnx")
	flags := []string{"export", "-o", out, "--functions", functions, "--entry", m.Entry}
	if !m.Train {
		flags = append(flags, "--eval")
	}
	for _, p := range m.Path {
		flags = append(flags, "--path", p)
	}
	for _, a := range m.Args {
		flags = append(flags, "--arg", a)
	}
	if m.Module != "" {
		flags = append(flags, "-m", m.Module)
	} else {
		flags = append(flags, m.File)
	}
	var stderr bytes.Buffer
	code := cli.Run(flags, strings.NewReader(""), &stderr, &stderr)
	switch {
	case m.Refused != "" && code == 0:
		return "exported, but should be refused: " + m.Refused, nil
	case m.Refused != "" && strings.Contains(stderr.String(), m.Refused):
		return "", nil
	case code != 0:
		return "not exported: " + short(stderr.String()), nil
	}
	for i, r := range m.runs() {
		req := map[string]any{"path": m.Path, "model": m.Model, "train": m.Train, "seed": i, "dir": work}
		var inputs []map[string]any
		for _, a := range m.Args {
			in, err := input(a, r)
			if err != nil {
				return "", err
			}
			if n, ok := m.Below[in["name"].(string)]; ok {
				in["below"] = n
			}
			inputs = append(inputs, in)
		}
		req["inputs"] = inputs
		var want struct {
			Error string
			Feeds []map[string]any
			Out   []stored
		}
		if ok, err := torch.ask(req, &want); err != nil || !ok || want.Error != "" {
			return fmt.Sprintf("%v: PyTorch: %s", r, want.Error), err
		}
		feeds := map[string]any{}
		for _, f := range want.Feeds {
			feeds[f["name"].(string)] = f
		}
		var got struct {
			Error string
			Out   []tensor
		}
		ok, err := ort.ask(map[string]any{"path": out, "feeds": feeds}, &got)
		switch {
		case err != nil:
			return "", err
		case !ok:
			return "ONNX Runtime crashed", nil
		case got.Error != "":
			return fmt.Sprintf("%v: ONNX Runtime: %s", r, short(got.Error)), nil
		case len(got.Out) != len(want.Out):
			return fmt.Sprintf("%v: %d results instead of %d", r, len(got.Out), len(want.Out)), nil
		}
		for j := range want.Out {
			t, err := want.Out[j].read()
			if err != nil {
				return "", err
			}
			if d := differ(&got.Out[j], t); d != "" {
				return fmt.Sprintf("%v: result %d: %s", r, j, d), nil
			}
		}
	}
	return "", nil
}

// A stored tensor is a part of a file.
type stored struct {
	T            string
	S            []int64
	Path         string
	Offset, Size int64
}

func (s *stored) read() (*tensor, error) {
	f, err := os.Open(s.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t := &tensor{T: s.T, S: s.S, B: make([]byte, s.Size)}
	_, err = f.ReadAt(t.B, s.Offset)
	return t, err
}

// input makes the description of an input from an argument, "x:f32[b,3,H,W]", and
// the values of the symbols or the contents.
func input(arg string, r run) (map[string]any, error) {
	name, typ, ok := strings.Cut(arg, ":")
	dtype, dims, ok2 := strings.Cut(strings.TrimSuffix(typ, "]"), "[")
	if !ok || !ok2 {
		return nil, fmt.Errorf("argument %s is no tensor", arg)
	}
	if v, ok := r.values[name]; ok {
		return map[string]any{"name": name, "t": dtype, "v": v}, nil
	}
	shape := []int64{}
	p := symshape.NewPool()
	for _, d := range symshape.SplitList(dims) {
		e, err := p.Parse(d)
		if err != nil {
			return nil, err
		}
		n, err := e.Eval(symshape.Env(r.sizes))
		if err != nil {
			return nil, fmt.Errorf("argument %s: %w", arg, err)
		}
		shape = append(shape, n)
	}
	return map[string]any{"name": name, "t": dtype, "s": shape}, nil
}
