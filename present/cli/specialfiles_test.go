//go:build unix

package cli

// This file tests that every reader refuses what is no regular file, at once and by
// the name of its kind, and what is too large.

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"shapecheck/check"
	"shapecheck/onnx"
)

func TestSpecialFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("dir", 0o777); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := os.Symlink("/dev/zero", "link"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", "pipelink"); err != nil {
		t.Fatal(err)
	}
	large, err := os.Create("large")
	if err != nil {
		t.Fatal(err)
	}
	if err := large.Truncate(8 << 30); err != nil { // without blocks
		t.Skip(err)
	}
	if err := large.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("net.py", []byte("def forward(x):\n    return x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("baseline.toml", []byte("baseline = \"pipe\"\n[[entries]]\nfile = \"net.py\"\nargs = [\"x:f32[2]\"]\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{
		"pipe": "a pipe", "pipelink": "a pipe", "dir": "a directory", "socket": "a socket", "link": "a device", "/dev/zero": "a device",
		"/dev/random": "a device", "large": "too large",
	}
	saveModelAndProgram(t, "relu", "")
	saveModelAndProgram(t, "embeds", "")
	if err := os.MkdirAll("suite/test_data_set_0", 0o777); err != nil {
		t.Fatal(err)
	}
	expect := func(want string, args ...string) {
		t.Helper()
		code, _, stderr := runSoon(t, args...)
		refused := slices.Contains(args, "link") && // before it is known what it leads to
			(strings.Contains(stderr, "outside of the checked folders") || strings.Contains(stderr, "leads out of the folder"))
		if code != check.ExitUsage || !strings.Contains(stderr, want) && !refused {
			t.Errorf("%q: exit code %d, %q is missing in %q", args, code, want, stderr)
		}
	}
	for file, want := range kinds {
		for _, args := range [][]string{
			{file, "--entry", "Net()"}, {file, "--script"}, {"graph", file}, {"ast", file}, {"infer", file}, {"infer", "--check", file},
			{"merge", file}, {"--config", file},
			{"net.py", "--arg", "x:f32[2]", "--baseline", file},
			{"net.py", "--arg", "x:f32[2]", "--weights", file},
			{"export", "net.py", "--arg", "x:f32[2]", "-o", "o.onnx", "--weights", file},
			{"export", file, "-o", "o.onnx"},
			{"compile", file, "-o", "o.prog"}, {"run", file, "--arg", "x:f32[2]"}, {"disasm", file}, {"asm", file, "-o", "o.prog"},
			{"asm", "embeds.text", "-o", "o.prog", "--segments", file},
			{"compile", "net.py", "--arg", "x:f32[2]", "--weights", file, "-o", "o.prog"},
			{"test", "suite", "--exceptions", file},
			{"run", "relu.prog", "--input", "x=" + file}, {"run", "relu.prog", "--input", file},
		} {
			mayBeLarge := func(arg string) bool {
				return arg == "--weights" || arg == "--input" || arg == "disasm" || arg == "--segments"
			}
			if want == "too large" && slices.ContainsFunc(args, mayBeLarge) {
				continue
			}
			expect(want, args...)
		}
	}
	expect("a pipe", "--config", "baseline.toml")
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	link("large", "large.py")
	if _, _, stderr := runSoon(t, "large.py"); strings.Count(stderr, "large.py") != 1 { // the reason does not repeat the name
		t.Errorf("%q", stderr)
	}
	for file, want := range kinds { // under the names that decide who reads them
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		link(file, "odd.onnx")
		expect(want, "compile", "odd.onnx", "-o", "o.prog")
		expect(want, "run", "odd.onnx")
		link(file, "odd.pb")
		expect(want, "run", "relu.prog", "--input", "x=odd.pb")
		refused := func(at string) { // as a test that fails
			t.Helper()
			link(file, at)
			code, stdout, stderr := runSoon(t, "test", "suite")
			outside := want == "a device" && strings.Contains(stdout, "outside of the checked folders")
			if code != check.ExitFindings || !strings.Contains(stdout, want) && !outside {
				t.Errorf("%s is %s: exit code %d: %s%s", at, file, code, stdout, stderr)
			}
			if err := os.Remove(at); err != nil {
				t.Fatal(err)
			}
		}
		refused("suite/model.onnx")
		link(filepath.Join(dir, "relu.onnx"), "suite/model.onnx")
		refused("suite/test_data_set_0/input_0.pb")
		if err := os.Remove("suite/model.onnx"); err != nil {
			t.Fatal(err)
		}
		for _, f := range []string{"odd.onnx", "odd.pb"} {
			if err := os.Remove(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	for file, want := range map[string]string{"pipe": "a pipe", "dir": "a directory", "socket": "a socket",
		"link": "outside of the checked folders", "/dev/zero": "absolute", "../x": "is not allowed"} {
		saveModelAndProgram(t, "outside", file) // whose elements are said to be there
		expect(want, "compile", "outside.onnx", "-o", "o.prog")
		expect(want, "run", "outside.onnx")
	}
	expect("no space left", "compile", "relu.onnx", "-o", "/dev/full")
	expect("no space left", "asm", "relu.text", "-o", "/dev/full")
	link("/dev/full", "full.npz")
	expect("no space left", "run", "relu.prog", "--input", "x:f32[2]", "-o", "full.npz")
	expect("no space left", "run", "relu.prog", "--input", "x:f32[2]", "--chrome-trace", "/dev/full")
	for _, name := range []string{"shapecheck.toml", "pyproject.toml"} { // that are found
		if err := os.Rename("pipe", name); err != nil {
			t.Fatal(err)
		}
		expect("a pipe", "net.py")
		if err := os.Rename(name, "pipe"); err != nil {
			t.Fatal(err)
		}
	}
	// An entry of the cache, and a module, are as good as none.
	if code, _, stderr := run("net.py", "--arg", "x:f32[2]", "--cache", "--no-config"); code != check.ExitClean {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	entries, err := filepath.Glob(".shapecheck_cache/*.entry")
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	if err := os.Remove(entries[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("pipe", entries[0]); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo("mod.py", 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("imports.py", []byte("import mod\ndef forward(x):\n    return x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"net.py", "imports.py"} {
		if code, stdout, stderr := runSoon(t, file, "--arg", "x:f32[2]", "--cache", "--no-config"); code != check.ExitClean {
			t.Errorf("%s: exit code %d: %s%s", file, code, stdout, stderr)
		}
	}
}

// runSoon runs a command line that must end soon.
func runSoon(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		code, stdout, stderr = run(args...)
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatalf("%q does not end", args)
	}
	return code, stdout, stderr
}

// saveModelAndProgram makes NAME.onnx: Relu of x, or the sum of x and a parameter whose
// elements are in it, or in another file where one is named. Of the first two there are
// NAME.prog, too, and that as NAME.text.
func saveModelAndProgram(t *testing.T, name, external string) {
	t.Helper()
	const n = 1 << 12
	f32 := onnx.TensorOf(onnx.Float, onnx.Dim{Value: n, Known: true})
	g := &onnx.Graph{Name: "g", Inputs: []*onnx.ValueInfo{{Name: "x", Type: f32}}, Outputs: []*onnx.ValueInfo{{Name: "y", Type: f32}}}
	switch {
	case name == "relu":
		g.Inputs[0].Type = onnx.TensorOf(onnx.Float, onnx.Dim{Param: "N"})
		g.Outputs[0].Type = g.Inputs[0].Type
		g.Nodes = []*onnx.Node{{Op: "Relu", Inputs: []string{"x"}, Outputs: []string{"y"}}}
	default:
		g.Nodes = []*onnx.Node{{Op: "Add", Inputs: []string{"x", "w"}, Outputs: []string{"y"}}}
		w := &onnx.Tensor{Name: "w", DType: onnx.Float, Dims: []int64{n}, Raw: make([]byte, 4*n), HasRaw: true}
		if external != "" {
			w.Raw, w.HasRaw, w.IsExternal, w.External = nil, false, true, []onnx.Entry{{Key: "location", Value: external}}
		}
		g.Initializers = []*onnx.Tensor{w}
	}
	data, err := onnx.Marshal(&onnx.Model{IRVersion: 8, Opsets: []onnx.Opset{{Version: 18}}, Graph: g})
	if err == nil {
		err = os.WriteFile(name+".onnx", data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if external != "" {
		return
	}
	runCLI(t, check.ExitClean, "compile", name+".onnx", "-o", name+".prog")
	text, _ := runCLI(t, check.ExitClean, "disasm", name+".prog")
	if err := os.WriteFile(name+".text", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
