package cli

// This file tests the waiting for changes.

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"shapecheck/check"
	"shapecheck/internal/reads"
	"shapecheck/internal/safetext"
)

func TestAChangeOfAFileOrItsAppearanceEndsTheWaiting(t *testing.T) {
	dir := t.TempDir()
	there, missing := filepath.Join(dir, "a.py"), filepath.Join(dir, "b.py")
	if err := os.WriteFile(there, []byte("x = 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	times := watchTimes{poll: 2 * time.Millisecond, rest: 10 * time.Millisecond}
	for _, file := range []string{there, missing} {
		log := &reads.Log{}
		log.Look(there)
		if _, err := log.Stat(missing); err == nil {
			t.Fatal("it is there")
		}
		stop := make(chan struct{})
		changed := make(chan bool)
		go func() { changed <- waitForChange(log.List(), times, stop) }()
		select {
		case <-changed:
			t.Fatal("there was no change")
		case <-time.After(20 * time.Millisecond):
		}
		if err := os.WriteFile(file, []byte("x = 2\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if !<-changed {
			t.Errorf("%s: not seen", file)
		}
	}
	stop := make(chan struct{})
	close(stop)
	if waitForChange(nil, times, stop) {
		t.Error("an interrupt does not end it")
	}
}

func TestAWatchedCheckKnowsItsFiles(t *testing.T) {
	enter(t, projectFile)
	for _, c := range []struct {
		args []string
		want []string // base names that must be among the texts
	}{
		{nil, []string{"shapecheck.toml", "net.py"}},
		{[]string{"src/net.py", "--entry", "double", "--arg", "x:f32[2]"}, []string{"net.py", "shapecheck.toml"}},
		{[]string{"src/net.py", "--no-config", "--cache", "--entry", "double", "--arg", "x:f32[2]"}, []string{"net.py"}},
	} {
		for range 2 { // the second time from the cache
			a := &app{out: safetext.NewWriter(io.Discard), err: safetext.NewWriter(io.Discard), reads: &reads.Log{}}
			a.run(append([]string{"--watch"}, c.args...))
			got := map[string]bool{}
			for _, r := range a.reads.List() {
				if r.Kind == reads.Text {
					got[filepath.Base(r.Path)] = true
				}
			}
			for _, w := range c.want {
				if !got[w] {
					t.Errorf("%v: %s is not watched: %v", c.args, w, got)
				}
			}
		}
	}
	if code, _, stderr := run("-", "--watch", "--stdin-filename", "x.py"); code != check.ExitUsage || stderr == "" {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
