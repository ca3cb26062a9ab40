package hostile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Limits are what a process may use.
type Limits struct {
	CPU    time.Duration // of all its threads, in user code and in the kernel
	Memory int64         // bytes that are resident at once
}

// A Run is how the check of a program ended.
type Run struct {
	Program
	CPU    time.Duration
	Memory int64  // the largest number of resident bytes; 0 where that is not measured
	Fault  string // why the run is not as it has to be; empty: it is
}

// The limits of a process that must not be reached, so that what ignores its own ends.
const (
	lastCPU    = 15      // seconds
	lastMemory = 8 << 20 // KB of addresses
)

// Check runs command on the program, which it writes to a new folder. It returns an error where the folder or file
// cannot be written, or the command cannot be started. That the command fails, crashes or takes too much is no error:
// it is the Fault of the run.
func (p Program) Check(command string, flags []string, limits Limits) (Run, error) {
	r := Run{Program: p}
	dir, err := os.MkdirTemp("", "hostile")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "prog.py"), []byte(p.Text()), 0o666); err != nil {
		return r, err
	}
	args := append(append([]string{"prog.py"}, p.Args...), flags...)
	cmd := exec.Command(command, args...)
	if runtime.GOOS == "linux" { // a shell sets the limits
		cmd = exec.Command("/bin/sh", append([]string{"-c", fmt.Sprintf(`ulimit -t %d && ulimit -v %d && exec "$0" "$@"`, lastCPU, lastMemory),
			command}, args...)...)
	}
	var out watcher
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	err = cmd.Run()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		return r, err
	}
	state := cmd.ProcessState
	r.CPU, r.Memory = state.UserTime()+state.SystemTime(), peak(state)
	var faults []string
	if code := state.ExitCode(); code < 0 || code > 2 {
		faults = append(faults, state.String())
	}
	if out.found != "" {
		faults = append(faults, fmt.Sprintf("the output has %q", out.found))
	}
	if r.CPU > limits.CPU {
		faults = append(faults, fmt.Sprintf("it took %.1f s", r.CPU.Seconds()))
	}
	if r.Memory > limits.Memory {
		faults = append(faults, fmt.Sprintf("it took %d MB", r.Memory>>20))
	}
	r.Fault = strings.Join(faults, ", ")
	return r, nil
}

// crashes are what no output has, unless the checker itself failed.
var crashes = []string{"goroutine ", "fatal error", "SC999"}

// A watcher looks for crashes in an output, of which it keeps the end alone.
type watcher struct {
	tail  []byte
	found string
}

// Write looks for the words of a crash in what it is given, across the ends of writes. It returns no error.
func (w *watcher) Write(b []byte) (int, error) {
	w.tail = append(w.tail, b...)
	for _, c := range crashes {
		if w.found == "" && bytes.Contains(w.tail, []byte(c)) {
			w.found = c
		}
	}
	w.tail = append(w.tail[:0], w.tail[max(len(w.tail)-20, 0):]...)
	return len(b), nil
}
