package main

// This file talks to the processes that run PyTorch and ONNX Runtime: a JSON
// document per line in each direction.

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

//go:embed torch.py
var torchSource string

//go:embed ort.mjs
var ortSource string

// A process answers one line to each line; it is started anew when a request
// kills it.
type process struct {
	start func() *exec.Cmd
	// limit ends a request that takes longer; 0: none does.
	limit time.Duration
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
}

// newTorch runs calls in PyTorch.
func newTorch(python string) *process {
	return &process{start: func() *exec.Cmd { return exec.Command(python, "-c", torchSource) }}
}

// newORT runs models in ONNX Runtime, whose package is in dir/node_modules.
func newORT(dir, work string) (*process, error) {
	script := filepath.Join(work, "ort.mjs")
	if err := os.WriteFile(script, []byte(ortSource), 0o666); err != nil {
		return nil, err
	}
	return &process{start: func() *exec.Cmd {
		c := exec.Command("node", script)
		c.Env = append(os.Environ(), "ORT_NODE="+dir)
		return c
	}}, nil
}

// ask sends a request and reads the answer. It reports false when the request
// killed the process.
func (p *process) ask(request, answer any) (bool, error) {
	text, err := json.Marshal(request)
	if err != nil {
		return false, err
	}
	if p.cmd == nil {
		p.cmd = p.start()
		p.cmd.Stderr = io.Discard
		if p.in, err = p.cmd.StdinPipe(); err != nil {
			return false, err
		}
		out, err := p.cmd.StdoutPipe()
		if err != nil {
			return false, err
		}
		p.out = bufio.NewReaderSize(out, 1<<20)
		if err := p.cmd.Start(); err != nil {
			return false, fmt.Errorf("%s: %w", p.cmd.Path, err)
		}
	}
	if p.limit > 0 {
		ended := p.cmd.Process
		end := time.AfterFunc(p.limit, func() { _ = ended.Kill() }) // the answer is then missing
		defer end.Stop()
	}
	if _, err = p.in.Write(append(text, '\n')); err == nil {
		var line []byte
		if line, err = p.out.ReadBytes('\n'); err == nil {
			return true, json.Unmarshal(line, answer)
		}
	}
	p.stop()
	return false, nil
}

func (p *process) stop() {
	if p.cmd == nil {
		return
	}
	p.in.Close()
	_ = p.cmd.Wait() // how it ended does not matter: the request that ended it is counted
	p.cmd = nil
}

// A tensor is a tensor on the wire: type, shape, base64 of its bytes.
type tensor struct {
	T string  `json:"t"`
	S []int64 `json:"s"`
	B []byte  `json:"b"` // encoding/json writes base64
}
