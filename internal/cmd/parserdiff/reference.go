package main

// This file talks to the Python process that gives the reference.

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

//go:embed reference.py
var referenceProgram string

// A reference is a Python interpreter that parses on request.
type reference struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
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
	for _, name := range []string{"python3.12", "python3"} {
		if _, err := pythonVersion(name); err == nil {
			return name
		}
	}
	return "python3"
}

// pythonVersion returns the interpreter's version as 312 for 3.12.
func pythonVersion(python string) (int, error) {
	out, err := exec.Command(python, "-c", "import sys; print(sys.version_info[0] * 100 + sys.version_info[1])").Output()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", python, err)
	}
	v := 0
	_, err = fmt.Sscan(string(out), &v)
	return v, err
}

func startReference(python string, mask bool) (*reference, error) {
	args := []string{"-S", "-E", "-c", referenceProgram}
	if mask {
		args = append(args, "--mask")
	}
	cmd := exec.Command(python, args...)
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
	return &reference{cmd, in, bufio.NewReaderSize(out, 1<<20)}, nil
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
