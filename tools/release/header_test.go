package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestHeaders(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, made := range []target{targets[0], targets[3], targets[4]} { // a format each
		program := filepath.Join(dir, "program")
		c := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "main.go")
		c.Dir = dir
		c.Env = append(os.Environ(), "GOOS="+made.os, "GOARCH="+made.arch, "CGO_ENABLED=0", "GOFLAGS=", "GO111MODULE=off")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", made, err, out)
		}
		for _, want := range targets {
			if err := checkHeader(want, program); (err == nil) != (want == made) || err != nil && !strings.Contains(err.Error(), want.String()) {
				t.Errorf("a program for %s as one for %s: %v", made, want, err)
			}
		}
	}
}
