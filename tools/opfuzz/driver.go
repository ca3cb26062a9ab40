package main

// This file keeps the Python process that runs calls in PyTorch.

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"io"
	"os/exec"
)

//go:embed driver.py
var driverSource string

// A driver is the Python process; it is started anew when a call kills it.
type driver struct {
	python string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
}

// start starts PyTorch's process, which takes a call on a line and answers on a line.
func (d *driver) start() error {
	d.cmd = exec.Command(d.python, "-c", driverSource)
	in, err := d.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	d.in, d.out = in, bufio.NewReaderSize(out, 1<<20)
	return d.cmd.Start()
}

// ask runs a call. The answer is empty when the call killed the process.
func (d *driver) ask(c *call) ([]byte, error) {
	if d.cmd == nil {
		if err := d.start(); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	if _, err = d.in.Write(append(text, '\n')); err == nil {
		var line []byte
		if line, err = d.out.ReadBytes('\n'); err == nil {
			return line[:len(line)-1], nil
		}
	}
	d.stop()
	return nil, nil
}

func (d *driver) stop() {
	if d.cmd == nil {
		return
	}
	d.in.Close()
	d.cmd.Process.Kill()
	d.cmd.Wait() // its status says nothing: it was killed
	d.cmd = nil
}
