package cli

// This file tests shapecheck lsp as a process would be used; package lsp has the sessions.

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"shapecheck/internal/safetext"
)

// A talk is an editor that reads each answer before it goes on, and then says nothing more, or
// ends the stream.
type talk struct {
	lines []string
	ends  bool
	torn  bool // the last line is shorter than its header says

	mu       sync.Mutex
	answered *sync.Cond
	out      strings.Builder
	asked    int
	rest     string
}

func (k *talk) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.answered.Broadcast()
	return k.out.Write(p)
}

func (k *talk) Read(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.asked > 0 && !strings.Contains(k.out.String(), fmt.Sprintf(`"id":%d`, k.asked)) {
		k.answered.Wait()
	}
	if k.rest == "" {
		if len(k.lines) == 0 {
			for !k.ends {
				k.answered.Wait()
			}
			return 0, io.EOF
		}
		k.rest = fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(k.lines[0]), k.lines[0])
		if k.torn && len(k.lines) == 1 {
			k.rest = k.rest[:len(k.rest)-2]
			k.asked-- // it is not answered
		}
		if strings.Contains(k.lines[0], `"id"`) {
			defer func() { k.asked++ }()
		}
		k.lines = k.lines[1:]
	}
	n := copy(p, k.rest)
	k.rest = k.rest[n:]
	return n, nil
}

func TestLSP(t *testing.T) {
	const (
		initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`
		shutdown   = `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`
		exit       = `{"jsonrpc":"2.0","method":"exit"}`
	)
	log := filepath.Join(t.TempDir(), "log")
	for _, c := range []struct {
		name  string
		lines []string
		ends  bool
		code  int
		torn  bool
	}{
		{"shut down", []string{initialize, shutdown, exit}, false, 0, false},
		{"exit alone", []string{initialize, exit}, false, 1, false},
		{"the stream ends", []string{initialize}, true, 1, false},
		{"no message", []string{"{"}, true, 1, false},
		{"a message that ends early", []string{initialize, shutdown}, true, 1, true},
	} {
		wants := ""
		if c.torn {
			wants = "shapecheck: the editor's messages cannot be read: the input ends after"
		}
		k := &talk{torn: c.torn, lines: c.lines, ends: c.ends}
		k.answered = sync.NewCond(&k.mu)
		var said strings.Builder
		a := &app{in: k, out: safetext.NewWriter(k), err: safetext.NewWriter(&said)}
		code := a.run([]string{"lsp", "--log", log})
		k.mu.Lock()
		answers := k.out.String()
		k.mu.Unlock()
		if code != c.code || c.lines[0] == initialize && !strings.Contains(answers, `"hoverProvider":true`) ||
			!strings.HasPrefix(said.String(), wants) || wants == "" && said.Len() > 0 {
			t.Errorf("%s: exit code %d, want %d; %s%s", c.name, code, c.code, answers, said.String())
		}
	}
	if _, err := os.Stat(log); err != nil {
		t.Error(err)
	}
	_, said := runCLI(t, 2, "lsp", "--log", filepath.Join(t.TempDir(), "none", "log"))
	if !strings.Contains(said, "--log") {
		t.Errorf("says %q", said)
	}
}
