package conformance

// This file reads programs of Chainer with what it computed: programs.jsonl and programs.npz of testdata/chainer, which
// record_programs.py there made.

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"shapecheck/check"
	"shapecheck/check/export"
	"shapecheck/infer"
	"shapecheck/onnx"
	"shapecheck/onnx/weights"
	"shapecheck/tools/testfiles"
)

// A ChainerProgram is a line of programs.jsonl: for each size, the arguments.
type ChainerProgram struct {
	Name, File, Entry string
	Sizes             [][]string

	from *ChainerPrograms
}

// ChainerPrograms are the recorded programs of a folder.
type ChainerPrograms struct {
	List []*ChainerProgram

	dir, work string
	unpacked  map[string]string // folders of programs, by those that have their archives
	recorded  *weights.File
}

// ReadChainer reads the programs of a folder. Files of weights are written into the folder work. It returns an error
// where the list or the recorded arrays cannot be read, or where a folder cannot be unpacked.
func ReadChainer(dir, work string) (_ *ChainerPrograms, err error) {
	c := &ChainerPrograms{dir: dir, work: work, unpacked: map[string]string{}}
	f, err := os.Open(filepath.Join(dir, "programs.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		p := &ChainerProgram{from: c}
		if err := json.Unmarshal(lines.Bytes(), p); err != nil {
			return nil, err
		}
		if folder := filepath.Join(dir, filepath.Dir(p.File)); c.unpacked[folder] == "" {
			out := filepath.Join(work, strconv.Itoa(len(c.unpacked)))
			if err := testfiles.UnpackTo(folder, out); err != nil {
				return nil, err
			}
			c.unpacked[folder] = out
		}
		c.List = append(c.List, p)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	c.recorded, err = weights.Open(filepath.Join(dir, "programs.npz"), weights.Options{})
	return c, err
}

// Close ends the reading of arrays. It returns an error where their file cannot be closed.
func (c *ChainerPrograms) Close() error { return c.recorded.Close() }

// Exports exports the program for each of its sizes, with its weights, until f is false. It returns an error where the
// weights cannot be read or an export fails, and does no further size then.
func (p *ChainerProgram) Exports(ctx context.Context, f func(k int, out *export.Result) bool) error {
	saved, err := p.weights()
	if err != nil {
		return err
	}
	if saved != nil {
		defer saved.File.Close()
	}
	for k, args := range p.Sizes {
		file := filepath.Join(p.from.unpacked[filepath.Join(p.from.dir, filepath.Dir(p.File))], filepath.Base(p.File))
		target := &check.Target{Run: infer.Config{File: file, Entry: p.Entry, Args: args, NumpyVersion: "1.23.5"}, Weights: saved}
		out, err := export.Entry(ctx, &check.Session{}, target, export.Options{SelfCheck: true})
		if err != nil {
			return err
		}
		if !f(k, out) {
			break
		}
	}
	return nil
}

// Inputs are the recorded inputs of a model of size number k, in its order. It returns an error where an input of the
// model is not recorded or cannot be read.
func (p *ChainerProgram) Inputs(m *onnx.Model, k int) ([]*onnx.Tensor, error) {
	var in []*onnx.Tensor
	for _, x := range m.Graph.Inputs {
		t, err := p.from.array(p.partPrefix(k) + "in/" + x.Name)
		if err != nil {
			return nil, err
		}
		if t == nil {
			return nil, fmt.Errorf("%s: the input %s is not recorded", p.Name, x.Name)
		}
		t.Name = x.Name
		in = append(in, t)
	}
	return in, nil
}

// Results are the recorded arrays of all results of size number k, those in lists one by one. It returns an error where
// a recorded array cannot be read, with the results before it.
func (p *ChainerProgram) Results(k int) (out []*onnx.Tensor, err error) {
	for {
		t, err := p.from.array(p.partPrefix(k) + "out/" + strconv.Itoa(len(out)))
		if t == nil || err != nil {
			return out, err
		}
		out = append(out, t)
	}
}

func (p *ChainerProgram) partPrefix(k int) string { return fmt.Sprintf("%s/%d/", p.Name, k) }

// array is a recorded array; nil: there is none.
func (c *ChainerPrograms) array(name string) (*onnx.Tensor, error) {
	x := c.recorded.Find(name)
	if x == nil {
		return nil, nil
	}
	var b bytes.Buffer
	if _, err := x.WriteTo(&b); err != nil {
		return nil, err
	}
	return &onnx.Tensor{Name: name, DType: x.DType, Dims: x.Dims, Raw: b.Bytes(), HasRaw: true}, nil
}

// weights gives the program's parameters from programs.npz, as save_npz writes them; nil where it has none.
func (p *ChainerProgram) weights() (_ *check.Weights, err error) {
	all, err := zip.OpenReader(filepath.Join(p.from.dir, "programs.npz"))
	if err != nil {
		return nil, err
	}
	defer all.Close()
	var text bytes.Buffer
	own, n := zip.NewWriter(&text), 0
	for _, entry := range all.File {
		name, ok := strings.CutPrefix(entry.Name, p.Name+"/w/")
		if !ok {
			continue
		}
		n++
		r, err := entry.OpenRaw()
		if err != nil {
			return nil, err
		}
		header := entry.FileHeader
		header.Name = name
		w, err := own.CreateRaw(&header)
		if err != nil {
			return nil, err
		}
		if _, err := bufio.NewReader(r).WriteTo(w); err != nil {
			return nil, err
		}
	}
	path := filepath.Join(p.from.work, p.Name+".npz")
	if err := errors.Join(own.Close(), os.WriteFile(path, text.Bytes(), 0o666)); err != nil || n == 0 {
		return nil, err
	}
	f, err := weights.Open(path, weights.Options{})
	if err != nil {
		return nil, err
	}
	return &check.Weights{File: f, Name: path}, nil
}
