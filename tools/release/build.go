package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A target is a system that programs are made for.
type target struct {
	os, arch string
	// tag is the platform of its wheel. A program of Linux is static: one wheel serves
	// glibc and musl. Go 1.26 needs macOS 12.
	tag string
}

var targets = []target{
	{"linux", "amd64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"},
	{"linux", "arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"},
	{"darwin", "amd64", "macosx_12_0_x86_64"},
	{"darwin", "arm64", "macosx_12_0_arm64"},
	{"windows", "amd64", "win_amd64"},
	{"windows", "arm64", "win_arm64"},
}

func (t target) String() string { return t.os + "/" + t.arch }

// program is the name of the program's file.
func (t target) program() string {
	if t.os == "windows" {
		return "shapecheck.exe"
	}
	return "shapecheck"
}

// repository is the root of the repository: where go.mod is.
func repository() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	name := strings.TrimSpace(string(out))
	if name == "" || name == os.DevNull {
		return "", fmt.Errorf("there is no go.mod here or above")
	}
	return filepath.Dir(name), nil
}

// inlined are the packages in which functions are inlined: those in which checks and runs spend their time. Elsewhere
// inlining, with the tables that say where code came from, is an eighth of a wheel and no time that can be measured.
var inlined = []string{
	"infer", "infer/value", "infer/graph", "symshape", "grammar/pygen", "parser/...", "internal/source", "runtime/...", "codegen/...",
	"onnx/eval",
}

// cold are the modules of others in which nothing is inlined either: those that are not at work during a check.
var cold = []string{
	"github.com/BurntSushi/toml", "github.com/sourcegraph/jsonrpc2", "github.com/spf13/cobra", "github.com/spf13/pflag",
	"golang.org/x/mod", "golang.org/x/term", "golang.org/x/text", "google.golang.org/protobuf",
}

// compilerFlags are the flags that say so. Who builds with them shares the build cache with a release, in any folder.
func compilerFlags(root string) ([]string, error) {
	c := exec.Command("go", "list", "-m")
	c.Dir = root
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m: %w", err)
	}
	module := strings.TrimSpace(string(out))
	flags := []string{"-trimpath", "-gcflags=" + module + "/...=-l"}
	for _, m := range cold {
		flags = append(flags, "-gcflags="+m+"/...=-l")
	}
	for _, p := range inlined {
		flags = append(flags, "-gcflags="+module+"/"+p+"=")
	}
	return flags, nil
}

func printFlags() error {
	root, err := repository()
	if err != nil {
		return err
	}
	flags, err := compilerFlags(root)
	if err == nil {
		_, err = fmt.Println(strings.Join(flags, " "))
	}
	return err
}

// build compiles the program for a target. What an environment could change in its bytes is
// set here.
func build(root string, t target, out string) error {
	flags, err := compilerFlags(root)
	if err != nil {
		return err
	}
	c := exec.Command("go", append(append([]string{"build", "-buildvcs=true", "-ldflags=-s -w -buildid="}, flags...), "-o", out,
		"./cmd/shapecheck")...)
	c.Dir = root
	c.Env = append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", t, err, text)
	}
	return checkHeader(t, out)
}
