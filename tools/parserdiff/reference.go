package main

// This file talks to the Python process that gives the reference.

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

//go:embed reference.py
var referenceProgram string

//go:embed reference.mjs
var pyodideProgram string

// A reference is a Python interpreter that parses on request.
type reference struct {
	version int // 314 for 3.14
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// A result is what one parser says about one source.
type result struct {
	ok    bool
	text  string // the dump, or the message of the error
	spent time.Duration
}

// findPython returns the interpreter to use: 3.12 where there is one, since its
// positions inside f-strings are right, else the system's.
func findPython() string {
	if _, err := exec.LookPath("python3.12"); err == nil {
		return "python3.12"
	}
	return "python3"
}

// startReference starts an interpreter: Pyodide under Node if c names its folder.
func startReference(c *config) (*reference, error) {
	if c.pyodide != "" {
		dir, err := filepath.Abs(c.pyodide)
		if err != nil {
			return nil, err
		}
		// CPython's parser needs more stack than Node gives to WebAssembly.
		return startProcess(exec.Command("node", "--stack-size=60000", "--input-type=module", "--eval", pyodideProgram, dir, referenceProgram))
	}
	r, err := startProcess(exec.Command(c.python, "-S", "-E", "-c", referenceProgram))
	if err != nil || r.version >= 312 {
		return r, err
	}
	if err := r.stop(); err != nil {
		return nil, err
	}
	return startProcess(exec.Command(c.python, "-S", "-E", "-c", referenceProgram, "--mask"))
}

// startProcess starts an interpreter that runs reference.py.
func startProcess(cmd *exec.Cmd) (*reference, error) {
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r := &reference{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	if _, err := fmt.Fscanln(r.out, &r.version); err != nil {
		r.stop()
		return nil, fmt.Errorf("%s did not start: %w", cmd.Path, err)
	}
	return r, nil
}

// parse asks for one source.
func (r *reference) parse(data []byte) (result, error) {
	if _, err := fmt.Fprintf(r.in, "%d\n", len(data)); err != nil {
		return result{}, err
	}
	if _, err := r.in.Write(data); err != nil {
		return result{}, err
	}
	line, err := r.out.ReadString('\n')
	if err != nil {
		return result{}, fmt.Errorf("the Python process ended: %w", err)
	}
	var status string
	var n int
	var nanos int64
	if _, err := fmt.Sscan(strings.TrimSpace(line), &status, &n, &nanos); err != nil {
		return result{}, err
	}
	buf := make([]byte, n)
	if _, err := io.ReadFull(r.out, buf); err != nil {
		return result{}, err
	}
	return result{ok: status == "ok", text: string(buf), spent: time.Duration(nanos)}, nil
}

func (r *reference) stop() error {
	r.in.Close()
	return r.cmd.Wait()
}
