package main

// This file checks whole models: each is exported once, with symbols as sizes,
// and run at several sizes (modelrun.go).

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
	"slices"
	"strconv"
	"strings"
	"time"
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
	// Call is the method that is called; empty: the model is.
	Call string `json:"call"`
	// Args are NAME:TYPE or NAME=EXPR, as on the command line.
	Args []string `json:"args"`
	// Below bounds the integers of the tensors of an argument.
	Below map[string]int `json:"below"`
	// Sizes are values of the symbols; the inputs are then random.
	Sizes []map[string]int64 `json:"sizes"`
	// Values are contents of inputs by name, as nested lists: those that take the
	// paths of the program.
	Values []map[string]json.RawMessage `json:"values"`
	// Refused is a part of the message with which the export fails, as it should.
	Refused string `json:"refused"`
	// Unjudged says why ONNX's checker does not take the model.
	Unjudged string `json:"unjudged"`
	// Outputs are the names that the results have in the model; nil: any.
	Outputs []string `json:"outputs"`
	// Inputs are the names of the tensors among the arguments; nil: any.
	Inputs []string `json:"inputs"`
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

// A variant is a way to export a model.
type variant struct {
	opset     int64
	functions string
}

func (v variant) String() string { return fmt.Sprintf("opset %d, %s", v.opset, v.functions) }

// A modelCheck is a run of the command models.
type modelCheck struct {
	common
	work     string
	variants []variant
	// weights says that the parameters come from a file, as initializers, and not
	// as inputs.
	weights bool
	// judge says that ONNX's own checker sees each model.
	judge bool
	// vm says that the device VM runs each model, too, and is held against ONNX Runtime.
	vm bool
	// drawn says that the last model draws random numbers: its results agree in types and sizes alone.
	drawn      bool
	torch, ort *process
}

// runModels exports models in each version of the operators and with functions kept or inlined, and compares ONNX Runtime with
// PyTorch. One process of each serves all models, as both take seconds to start.
func runModels(args []string) error {
	var c modelCheck
	f := flag.NewFlagSet("models", flag.ExitOnError)
	c.flags(f)
	file := f.String("cases", "", "the models, a JSON document per line")
	only := f.String("only", "", "only models whose name matches")
	path := f.String("path", "", "the folder that holds torchvision")
	functions := f.String("functions", "keep", "keep, inline, or both with a comma")
	opsets := f.String("opset", "18", "versions of the operators, with commas")
	f.BoolVar(&c.weights, "weights", false, "parameters come from a checkpoint that torch.save wrote, and are not inputs")
	f.BoolVar(&c.judge, "checker", true, "ONNX's checker, with its shape inference, sees each model")
	f.BoolVar(&c.vm, "vm", false, "the device VM runs each model, too: one program for all sizes, compared with ONNX Runtime")
	if err := f.Parse(args); err != nil {
		return err
	}
	re, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	for _, text := range strings.Split(*opsets, ",") {
		opset, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return err
		}
		for _, how := range strings.Split(*functions, ",") {
			c.variants = append(c.variants, variant{opset, how})
		}
	}
	cases, err := readCases(*file, *path, re)
	if err != nil {
		return err
	}
	if c.work, err = os.MkdirTemp("", "ortcheck"); err != nil {
		return err
	}
	defer os.RemoveAll(c.work)
	c.torch = &process{start: func() *exec.Cmd { return exec.Command(c.python, "-c", modelSource) }}
	defer c.torch.stop()
	if c.ort, err = newORT(c.common.ort, c.work); err != nil {
		return err
	}
	defer c.ort.stop()
	return c.all(cases)
}

// all checks the models and counts.
func (c *modelCheck) all(cases []*modelCase) error {
	equal, refused, runs := 0, 0, 0
	for _, m := range cases {
		start := time.Now()
		why, err := c.check(m)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", m.Name, err)
		case why != "":
			fmt.Printf("%s: %s\n", m.Name, why)
			continue
		case m.Refused != "":
			refused++
			continue
		}
		equal++
		runs += len(m.runs()) * len(c.variants)
		if c.verbose {
			fmt.Printf("%s: equal in %d runs of %d exports (%.1f s)\n", m.Name, len(m.runs())*len(c.variants), len(c.variants),
				time.Since(start).Seconds())
		}
	}
	fmt.Printf("%d models: %d equal in %d runs, %d refused as they should be, %d different\n", len(cases), equal, runs, refused,
		len(cases)-equal-refused)
	if bad := len(cases) - equal - refused; bad > 0 {
		return fmt.Errorf("%d models differ", bad)
	}
	return nil
}

// readCases reads the cases whose names match.
func readCases(file, path string, re *regexp.Regexp) ([]*modelCase, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []*modelCase
	names := map[string]bool{}
	for i, l := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		m := &modelCase{}
		d := json.NewDecoder(bytes.NewReader(l))
		d.DisallowUnknownFields()
		if err := d.Decode(m); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		if names[m.Name] {
			return nil, fmt.Errorf("%s:%d: %s is there twice", file, i+1, m.Name)
		}
		names[m.Name] = true
		if !re.MatchString(m.Name) {
			continue
		}
		if len(m.runs()) == 0 && m.Refused == "" {
			return nil, fmt.Errorf("%s:%d: %s is never run", file, i+1, m.Name)
		}
		if path != "" {
			m.Path = append(slices.Clone(m.Path), path)
		}
		if m.File != "" {
			m.File = filepath.Join(filepath.Dir(file), m.File)
			m.Path = append(m.Path, filepath.Dir(m.File))
		}
		list = append(list, m)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no case that matches", file)
	}
	return list, nil
}
