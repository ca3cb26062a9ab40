package main

// This file compares the inference over models that torch.onnx.export wrote, in old
// and new versions of the operators, with onnx.shape_inference: of no value may it
// know less, and it must find no fault.

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"

	"shapecheck/onnx"
	"shapecheck/onnx/inference"
)

// exporter writes the models and prints the types.
//
//go:embed exported.py
var exporter string

// exported compares types with those of onnx.shape_inference, for models that PyTorch exports: a Python process writes them
// into dir and prints for each a line with the types that ONNX knows. The declared types of results are removed first, so that
// they are inferred. It reports whether none is wrong or weaker.
func exported(w io.Writer, dir, python string) (bool, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return false, err
	}
	cmd := exec.Command(python, "-c", exporter, dir)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := cmd.Start(); err != nil {
		return false, err
	}
	sc := bufio.NewScanner(pipe)
	sc.Buffer(nil, 1<<26)
	good, models, values, more := true, 0, 0, 0
	for sc.Scan() {
		var line struct {
			Path, Mode string
			Types      map[string]*theirs
		}
		if err := json.Unmarshal(sc.Bytes(), &line); err != nil { // what else a library prints
			continue
		}
		if len(line.Types) == 0 {
			fmt.Fprintf(w, "not exported: %s: %s\n", line.Path, line.Mode)
			continue
		}
		b, err := os.ReadFile(line.Path)
		if err != nil {
			return false, err
		}
		m, err := onnx.Unmarshal(b)
		if err != nil {
			return false, fmt.Errorf("%s: %w", line.Path, err)
		}
		m.Graph.Values = nil
		for _, o := range m.Graph.Outputs {
			o.Type = nil
		}
		res, err := inference.Run(m, inference.Config{})
		if err != nil {
			return false, fmt.Errorf("%s: %w", line.Path, err)
		}
		models++
		for _, e := range res.Errors {
			good = false
			fmt.Fprintf(w, "ERROR %s: %s\n", line.Path, e)
		}
		types := res.Graphs[m.Graph]
		for _, n := range m.Graph.Nodes {
			for _, o := range n.Outputs {
				r := line.Types[o]
				if r == nil {
					if t := types[o]; t != nil && t.Ranked {
						more++
					}
					continue
				}
				values++
				if why := weaker(types[o], r); why != "" {
					good = false
					fmt.Fprintf(w, "WEAKER %s: %s(%s) %s is %s; onnx knows %s\n", line.Path, n.Op, n.Name, o, types[o], why)
				}
				if why := contradicts(types[o], r); why != "" {
					good = false
					fmt.Fprintf(w, "WRONG %s: %s(%s) %s is %s: %s\n", line.Path, n.Op, n.Name, o, types[o], why)
				}
			}
		}
	}
	if err := sc.Err(); err != nil {
		return false, err
	}
	fmt.Fprintf(w, "exported: %d models, %d values compared, %d more that onnx.shape_inference knows nothing of\n", models, values, more)
	return good, cmd.Wait()
}

// contradicts says where two types exclude each other.
func contradicts(got *inference.Type, r *theirs) string {
	if got == nil || r.Of != nil || got.Elem == onnx.Undefined {
		return ""
	}
	if r.Elem != onnx.Undefined && got.Elem != r.Elem {
		return fmt.Sprintf("onnx has the element type %s", r.Elem)
	}
	if r.Dims == nil || !got.Ranked || len(got.Dims) != len(*r.Dims) {
		return ""
	}
	for i, d := range *r.Dims {
		if n, ok := d.(float64); ok {
			if k, known := got.Dims[i].Const(); known && k != int64(n) {
				return fmt.Sprintf("onnx has %v for dimension %d", n, i)
			}
		}
	}
	return ""
}
