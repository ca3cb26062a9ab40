// Package conformance compares shapecheck with recorded ground truth: PyTorch's
// traces of models, and the numbers of small programs.
//
//	trace.go    reads traces                    check.go      runs programs by the driver
//	zoo.go      torchvision's models            files.go      the models of any source files
//	symbolic.go with symbols as sizes           contracts.go  the sizes that contracts allow
//	ops.go      the log of library calls        align.go      aligned with the recorded ones
//	args.go     arguments of calls              match.go      values
//	numeric.go  numbers of small programs       tolerance.go  elements
//	counts.go   sums of outcomes                machine.go    the numbers by compiled programs
//	chainer.go  programs of Chainer
package conformance

// This file reads traces (format trace-shapes/1).

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// A Trace is a recorded run of a model.
type Trace struct {
	Case struct {
		ID     string   `json:"id"`
		Entry  string   `json:"entry"`
		Inputs []string `json:"inputs"`
		// KwInputs are passed by name.
		KwInputs []string `json:"kwinputs"`
		Train    bool     `json:"train"`
	} `json:"case"`
	Notes      map[string]any `json:"notes"`
	Output     any            `json:"output"`
	Error      *TraceError    `json:"error"`
	Parameters [][2]string    `json:"parameters"`
	Buffers    [][2]string    `json:"buffers"`
	Calls      []TraceCall    `json:"calls"`
	Ops        []TraceOp      `json:"ops"`
}

// A TraceError is the error with which a run ended.
type TraceError struct {
	Phase, Type, Message, At string
}

// A TraceCall is a recorded module call.
type TraceCall struct {
	I      int            `json:"i"`
	Parent *int           `json:"parent"`
	Name   string         `json:"name"`
	Class  string         `json:"class"`
	At     *string        `json:"at"`
	In     []any          `json:"in"`
	Kw     map[string]any `json:"kw"`
	Out    any            `json:"out"`
	Error  string         `json:"error"`
}

// ReadTrace reads a gzipped trace. It returns an error where the file cannot be read, is not gzipped or is not valid
// JSON of a trace.
func ReadTrace(path string) (*Trace, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var t Trace
	if err := json.NewDecoder(z).Decode(&t); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &t, nil
}

// A Family is a folder of traces.
type Family struct {
	Dir    string
	Traces []string // paths
}

// Families lists the traces in a folder and in the folders there, whose name
// matches the pattern. It returns an error where pattern is no regular expression, or dir cannot be used in a pattern
// of file names.
func Families(dir, pattern string) ([]Family, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.json.gz"))
	if err != nil {
		return nil, err
	}
	below, err := filepath.Glob(filepath.Join(dir, "*", "*.json.gz"))
	if err != nil {
		return nil, err
	}
	var out []Family
	for _, p := range append(paths, below...) {
		if !re.MatchString(filepath.Base(p)) {
			continue
		}
		d := filepath.Dir(p)
		i := slices.IndexFunc(out, func(f Family) bool { return f.Dir == d })
		if i < 0 {
			i = len(out)
			out = append(out, Family{Dir: d})
		}
		out[i].Traces = append(out[i].Traces, p)
	}
	return out, nil
}
