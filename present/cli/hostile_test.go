package cli

// This file tests that nothing of unknown origin reaches a terminal or the log of
// a CI system as it is: every printer and every command, with names, messages,
// lines, files, arguments and configurations that hold what they must not print.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"shapecheck/check"
	"shapecheck/onnx"
	"shapecheck/runtime/tensor"
)

// hostile is text with everything that is not printed: controls of a terminal, both
// as escapes and as single characters, commands of CI systems where a line begins,
// and characters that change the order of what is shown. Q stands before an escape
// sequence, and never before one of our colours.
const hostile = "Q\x1b]0;title\x07Q\x1b[31mQ\x1b[2J\u009b1m\u007f\u202ertl\u2066\r\n::error file=a,line=1::forged\n::stop-commands::t\n ##vso[task]x\n##[error]x"

// python is hostile as a Python literal.
func python(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		fmt.Fprintf(&b, "\\U%08x", c)
	}
	b.WriteByte('"')
	return b.String()
}

// hostileName is what of it the name of a file can have.
var hostileName = func() string {
	if runtime.GOOS == "windows" {
		return ""
	}
	return "Q\x1b[31m\x07\n::error::forged \u202e\xff"
}()

var colorCode = regexp.MustCompile("\x1b\\[[0-9;]*m")

// checkSafe reports what a terminal or a log must not get.
func checkSafe(t *testing.T, what, text string, commands bool) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s: no UTF-8: %q", what, text)
	}
	if strings.Contains(text, "Q\x1b") {
		t.Errorf("%s: an escape sequence is printed: %q", what, text)
	}
	plain := colorCode.ReplaceAllString(text, "")
	for _, c := range plain {
		if c < 0x20 && c != '\n' || c >= 0x7f && c <= 0x9f || c == 0x61c || c == 0x200e || c == 0x200f || c >= 0x2028 && c <= 0x202e ||
			c >= 0x2066 && c <= 0x2069 {
			t.Errorf("%s: %U is printed: %q", what, c, text)
			return
		}
	}
	for _, line := range strings.Split(plain, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "##") || strings.Contains(line, "##vso[") || strings.Contains(line, "##[") ||
			strings.HasPrefix(line, "::") &&
				!(commands && regexp.MustCompile(`^::(error|warning|notice) .*title=(SC|shapecheck::)`).MatchString(line)) {
			t.Errorf("%s: the line %q is a command", what, line)
		}
	}
}

// hostileProject makes a folder of files that have hostile text everywhere, and goes
// there. It returns the name of a file that is hostile itself.
func hostileProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	lit := python(hostile)
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("message.py", "import torch\ndef forward(x):\n    assert x.shape[0] == 3, "+lit+"\n    return x\n")
	write("raises.py", "import torch\nclass E(Exception): pass\nE.__name__ = E.__qualname__ = "+lit+"\ndef forward(x):\n    raise E("+lit+")\n")
	write("line.py", "import torch\ndef forward(x):\n    s = \"Q\x1b]0;t\x07Q\x1b[31m\u009b\u202e ##vso[x]\"; y = x.view(7, 5) # Q\x1b[2J ##[error]\n    return y\n")
	write("keys.py", "import torch\ndef forward(x):\n    d = {"+lit+": x, 'n': "+lit+"}\n    e = d['n']\n    return d\n")
	write("unknown.py", "import torch\nm = __import__("+lit+")\ndef forward(x):\n    y = x + getattr(torch, "+lit+")(x)\n"+
		"    return {"+lit+": m.f(x), 'k': x}["+lit+"]\n")
	write("attr.py", "import torch\ndef forward(x):\n    return getattr(x, "+lit+")\n")
	write("net.py", "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.add_module("+lit+", torch.nn.Linear(3, 4))\n"+
		"        self.register_buffer("+lit+" + 'b', torch.zeros(2, dtype=torch.complex64))\n"+
		"    def forward(self, x):\n        return getattr(self, "+lit+")(x).view(-1) + x.new_zeros(4).sum()\nNet.__name__ = Net.__qualname__ = "+lit+"\n")
	write("lower.py", "import torch\ndef forward(x):\n    return torch.linalg.eig(x)[0], {"+lit+": x}\n")
	write("syntax.py", "def f(:\n    \"Q\x1b[31m\u202e ##vso[x]\"\n")
	write("fixed.py", "import torch\ndef forward(x):\n    \"Q\u202e ##vso[x]\"\n    y = x + 1\n    return y.veiw(-1)  # Q\x1b[31m ##vso[x]\n")
	name := "hostile" + hostileName + ".py"
	write(name, "import torch\ndef forward(x):\n    return x.view(7, 5)\n")

	quoted := tomlString(hostile)
	entries := ""
	for i, f := range []string{"message.py", "line.py", "keys.py", "unknown.py", "missing" + hostile + ".py"} {
		entries += fmt.Sprintf("[[entries]]\nname = %s\nfile = %s\nargs = [\"x:f32[2,3]\"]\nexpect = %s\n", tomlString(fmt.Sprint(i, hostile)),
			tomlString(f), quoted)
	}
	write("project.toml", entries)
	write("badkey.toml", quoted+" = 1\n")
	write("badvalue.toml", "paths = "+quoted+"\n")
	write("badcode.toml", "select = ["+quoted+"]\n")
	write("badentry.toml", "[[entries]]\n"+quoted+" = 1\n")
	write("twice.toml", strings.Repeat("[[entries]]\nname = "+quoted+"\nfile = \"a.py\"\n", 2))
	write("syntax.toml", "Q\x1b[31m\u202e = = 1")
	write("base.json", `{"version": "`+"Q\u202e"+`"}`)

	bad := &onnx.Model{IRVersion: 8, Graph: &onnx.Graph{Name: hostile}}
	f32 := onnx.TensorOf(onnx.Float, onnx.Dim{Param: hostile})
	bad.Graph.Inputs = []*onnx.ValueInfo{{Name: hostile, Type: f32}}
	bad.Graph.Nodes = []*onnx.Node{{Name: hostile, Op: hostile, Domain: hostile, Inputs: []string{hostile}, Outputs: []string{hostile + "y"}}}
	bad.Graph.Outputs = []*onnx.ValueInfo{{Name: hostile + "y", Type: f32}}
	bad.Opsets = []onnx.Opset{{Domain: "", Version: 18}, {Domain: hostile, Version: 1}}
	data, err := onnx.Marshal(bad)
	if err != nil {
		t.Fatal(err)
	}
	write("op.onnx", string(data))
	bad.Graph.Nodes[0].Op, bad.Graph.Nodes[0].Domain = "MatMul", ""
	if data, err = onnx.Marshal(bad); err != nil {
		t.Fatal(err)
	}
	write("arity.onnx", string(data))
	bad.Graph.Nodes[0].Op = "Relu"
	if data, err = onnx.Marshal(bad); err != nil {
		t.Fatal(err)
	}
	write("relu.onnx", string(data))
	set := filepath.Join("suite"+hostileName, "test_data_set_0")
	if err := os.MkdirAll(set, 0o777); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join("suite"+hostileName, "model.onnx"), string(data))
	for file, value := range map[string]float32{"input_0.pb": 1, "output_0.pb": 2} {
		if err := tensor.WriteFile(filepath.Join(set, file), hostile, tensor.Of([]float32{value}, 1)); err != nil {
			t.Fatal(err)
		}
	}
	write("exceptions.txt", "suite"+strings.ReplaceAll(hostileName, "\n", "")+"\trefused\tQ\x1b[31m ##vso[x]\n")
	write("badlist.txt", "Q\x1b[31m ##vso[x]\n")
	write("bad.text", "program \"Q\x1b[31m ##vso[x]\" format 1.0\nQ\x1b[31m\u202e ##vso[x]\n")
	header, err := json.Marshal(map[string]any{hostile: map[string]any{"dtype": "F32", "shape": []int{1}, "data_offsets": []int{0, 4}}})
	if err != nil {
		t.Fatal(err)
	}
	n := len(header)
	write("w.safetensors", string([]byte{byte(n), byte(n >> 8), 0, 0, 0, 0, 0, 0})+string(header)+"\x00\x00\x00\x00")
	return name
}

// tomlString writes a string of TOML.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		fmt.Fprintf(&b, "\\U%08x", c)
	}
	b.WriteByte('"')
	return b.String()
}

func TestNothingHostileIsPrinted(t *testing.T) {
	odd := hostileProject(t)
	arg := []string{"--arg", "x:f32[2,3]"}
	type line struct {
		args []string
		loud bool // it prints some of the hostile text; where none did, the test would prove nothing
	}
	var lines []line
	add := func(loud bool, args ...string) { lines = append(lines, line{args, loud}) }
	for _, f := range []string{"message.py", "raises.py", "line.py", "keys.py", "unknown.py", "attr.py", "net.py", "lower.py", "fixed.py",
		odd} {
		base := slices.Clip(append([]string{f}, arg...))
		for _, format := range formatNames() {
			add(format == "text" && f != "net.py" || format == "json" && f != "line.py" && f != "fixed.py",
				append(base, "--output-format", format)...)
		}
		add(f != "net.py", append(base, "--all", "--strict")...)
		add(false, append(base, "--cache")...)
		add(f != "net.py", append(base, "--cache")...)
		for _, format := range contractFormats {
			add(false, append(base, "--contract="+format)...)
		}
		add(f == "net.py", append(base, "--summary")...)
		add(f == "net.py", append(base, "--summary=json")...)
		add(false, append(base, "--weights", "w.safetensors")...)
		add(false, append(base, "--fix", "--fix-comments=insert", "--output-format", "concise")...)
		add(false, append([]string{"graph"}, base...)...)
		add(f == "raises.py" || f == odd, append([]string{"export", "-o", "out.onnx"}, base...)...)
		add(false, append([]string{"export", "-o", "out.onnx", "--functions=inline", "--check"}, base...)...)
	}
	for _, format := range formatNames() {
		add(true, "--config", "project.toml", "--output-format", format)
	}
	add(true, "--config", "project.toml", "--cache")
	add(true, "--config", "project.toml", "--cache")
	add(true, "--config", "project.toml", "--output-format", "json=part.json")
	for _, format := range formatNames() {
		add(true, "merge", "part.json", "--output-format", format)
	}
	for _, c := range []string{"badkey", "badcode", "badentry", "twice"} {
		add(true, "--config", c+".toml")
	}
	add(false, "--config", "badvalue.toml")
	add(false, "--config", "syntax.toml")
	for _, cmd := range [][]string{{"ast", "syntax.py"}, {"syntax.py"}, {"check", "syntax.py", "--script"}, {"ast", odd},
		{"graph", "syntax.py"}} {
		add(false, cmd...)
	}
	for _, m := range []string{"op.onnx", "arity.onnx", "relu.onnx"} {
		add(true, "infer", m)
		add(m == "arity.onnx", "infer", "--check", m)
		add(false, "infer", m, "-o", "typed.onnx")
	}
	for _, m := range []string{"op.onnx", "arity.onnx"} {
		add(true, "compile", m, "-o", "none.prog")
		add(true, "run", m)
	}
	add(false, "compile", "relu.onnx", "-o", "relu.prog", "--report", "--verify", "--dump-after", "canon")
	add(true, "disasm", "relu.prog")
	add(true, "run", "relu.prog")
	add(true, "run", "relu.prog", "--input", "w.safetensors", "--trace", "2", "--profile", "--memory", "--bench", "1", "-o", "out",
		"--dump-outputs-dir", "dump", "--chrome-trace", "chrome.json")
	add(true, "run", "relu.onnx", "--input", "w.safetensors", "--check-against-ref", "-o", "out.npz")
	add(false, "run", "relu.onnx", "--input", "w.safetensors", "--max-bytes", "1")
	add(false, "asm", "bad.text", "-o", "none.prog")
	for _, f := range []string{"message.py", "raises.py", "keys.py", odd} {
		add(false, append([]string{"compare", f, "net.py"}, arg...)...)
		add(false, append([]string{"compare", "net.py", f, "--output-format", "json"}, arg...)...)
	}
	add(true, "test", "suite"+hostileName, "-v")
	add(true, "test", ".", "-v", "--exceptions", "exceptions.txt")
	add(false, "test", ".", "--exceptions", "badlist.txt")
	for _, f := range []string{"message.py", "raises.py", "keys.py", "net.py", odd} {
		add(f != "net.py" && f != "message.py", append([]string{"compile", f, "-o", "none.prog"}, arg...)...)
		add(f != "message.py", append([]string{"run", f, "--trace", "2", "--init", "1"}, arg...)...)
	}
	h := strings.ReplaceAll(hostile, "\x00", "")
	for _, args := range [][]string{
		{h}, {"-m", h}, {"net.py", "--entry", h}, {"net.py", "--arg", h}, {"net.py", "--arg", "x:" + h}, {"net.py", "--set", h + "=1"},
		{"net.py", "--call", h},
		{"net.py", "--path", h}, {"net.py", "--select", h}, {"net.py", "--ignore", h}, {"net.py", "--baseline", h},
		{"net.py", "--baseline", "base.json"},
		{"net.py", "--output-format", h}, {"net.py", "--output-format", "json=" + h + "/x"}, {"net.py", "--contract=" + h},
		{"net.py", "--summary=" + h},
		{"net.py", "--summary", "--at", h}, {"net.py", "--assume", h}, {"net.py", "--torch-version", h}, {"net.py", "--device", h},
		{"net.py", "--weights", h}, {"net.py", "--weights", "w.safetensors", "--weights-key", h},
		{"--config", h}, {"--" + h}, {"net.py", h}, {"--shard", h, "--config", "project.toml"}, {"net.py", "--cache=" + h + "/" + h},
		{"-", "--stdin-filename", h},
		{"rule", h}, {"ast", h}, {"ast", "net.py", "--format", h}, {"infer", h}, {"merge", h}, {"merge", "net.py"}, {"graph", h},
		{"export", "net.py", "-o", h + "/x"},
		{"export", "net.py", "-o", "o", "--functions", h}, {"export", "net.py", "-o", "o", "--dialect", h},
		{"export", "net.py", "-o", "o", "--unroll", h}, {"export", "net.py", "-o", "o", "--init", h},
		{"compile", h, "-o", "none.prog"}, {"compile", "relu.onnx", "-o", h + "/x"}, {"compile", "relu.onnx", "-o", "none.prog", "--opt", h},
		{"compile", "relu.onnx", "-o", "none.prog", "--disable", h},
		{"compile", "relu.onnx", "-o", "none.prog", "--bind", h}, {"compile", "relu.onnx", "-o", "none.prog", "--keep", h},
		{"compile", "relu.onnx", "-o", "none.prog", "--dump-after", h},
		{"compile", "relu.onnx", "-o", "none.prog", "--stop-after", h}, {"run", h}, {"run", "relu.prog", "--input", h},
		{"run", "relu.prog", "--input", h + ":f32[1]"}, {"run", "relu.prog", "--input", h + "=" + h},
		{"run", "relu.prog", "--engine", h}, {"run", "relu.prog", "--tier", h},
		{"run", "relu.prog", "--input", "w.safetensors", "-o", h + "/x.npz"}, {"run", "relu.prog", "--chrome-trace", h + "/x"},
		{"disasm", h}, {"disasm", "net.py"}, {"asm", h, "-o", "none.prog"}, {"asm", "bad.text", "-o", h + "/x"},
		{"asm", "bad.text", "-o", "none.prog", "--segments", h},
		{"test", h}, {"test", ".", "--only", h}, {"test", ".", "--exceptions", h},
		{"compare", h, "net.py"}, {"compare", "net.py:" + h, "net.py", arg[0], arg[1]},
		{"compare", "net.py", "net.py", "--map", h, arg[0], arg[1]},
		{"compare", "net.py", "net.py", "--map", h + "=" + h, arg[0], arg[1]}, {"compare", "net.py", "net.py", "--output-format", h},
		{"compare", "net.py", "net.py", "--arg-first", h},
		{"net.py", "--fix-comments", h}, {"net.py", "--script", h}, {"keys.py", "--set", "d=" + python(hostile), "--entry", "d",
			"--write-baseline", h + "/b"},
	} {
		add(false, args...)
	}
	for _, colors := range []string{"", "1"} {
		t.Setenv("FORCE_COLOR", colors)
		for _, l := range lines {
			what := fmt.Sprintf("%q", l.args)
			code, stdout, stderr := run(l.args...)
			if code < check.ExitClean || code > check.ExitUsage {
				t.Errorf("%s: exit code %d: %s", what, code, stderr)
			}
			github := strings.Contains(what, `"github"`)
			checkSafe(t, what+" stdout", stdout, github)
			checkSafe(t, what+" stderr", stderr, false)
			if l.loud && !regexp.MustCompile(`\\u001b|\\u202e|\\x1b`).MatchString(stdout+stderr) {
				t.Errorf("%s prints nothing of it: %.300q", what, stdout+stderr)
			}
		}
	}
}

// closedOutput is an output that cannot be written to, as on a full disk.
type closedOutput struct{}

func (closedOutput) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAFailedWriteIsReported(t *testing.T) {
	hostileProject(t)
	arg := []string{"--arg", "x:f32[2,3]"}
	if code, _, stderr := run("compile", "relu.onnx", "-o", "relu.prog"); code != check.ExitClean {
		t.Fatal(stderr)
	}
	lines := [][]string{{"disasm", "relu.prog"}, {"run", "relu.prog", "--input", "w.safetensors"},
		{"run", "relu.prog", "--input", "w.safetensors", "--bench", "1", "--profile"},
		{"test", "suite" + hostileName}, {"compile", "--print-passes"}, {"rule"}, {"rule", "SC101"}, {"rule", "--all"}, {"infer", "relu.onnx"},
		{"infer", "--check", "relu.onnx"}, {"ast", "message.py"}, {"fixed.py", "--diff", "--fix-comments=insert", arg[0], "x:f32[2,3]"}}
	for _, cmd := range [][]string{{"graph", "keys.py"}, {"keys.py"}, {"net.py", "--summary"}, {"net.py", "--summary=json"}} {
		lines = append(lines, append(cmd, arg...))
	}
	for _, format := range formatNames() {
		lines = append(lines, append([]string{"message.py", "--output-format", format}, arg...),
			[]string{"--config", "project.toml", "--output-format", format})
	}
	for _, format := range contractFormats {
		lines = append(lines, append([]string{"message.py", "--contract=" + format}, arg...))
	}
	for _, args := range lines {
		var stderr strings.Builder
		if code := Run(args, strings.NewReader(""), closedOutput{}, &stderr); code != check.ExitUsage ||
			!strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%q: exit code %d: %s", args, code, stderr.String())
		}
	}
}

// A program with hostile names is its text and that text assembled, byte for byte.
func TestHostileNamesComeBackFromText(t *testing.T) {
	hostileProject(t)
	runCLI(t, check.ExitClean, "compile", "relu.onnx", "-o", "relu.prog")
	text, _ := runCLI(t, check.ExitClean, "disasm", "relu.prog")
	if err := os.WriteFile("relu.text", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	runCLI(t, check.ExitClean, "asm", "relu.text", "-o", "again.prog")
	was, err1 := os.ReadFile("relu.prog")
	again, err2 := os.ReadFile("again.prog")
	if err := errors.Join(err1, err2); err != nil || !bytes.Equal(was, again) {
		t.Errorf("%v: %q became %q", err, was, again)
	}
}

// TestNothingIsWrittenOutside checks that names in models lead to no file outside of the
// folders that were named.
func TestNothingIsWrittenOutside(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	for _, dir := range []string{"in", "in/out", "in/dump"} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"../a", "/tmp/b", "..", ".", "a/../../c", "output_6", hostile, strings.Repeat("n", 4000), ""}
	m := &onnx.Model{IRVersion: 8, Opsets: []onnx.Opset{{Version: 18}}, Graph: &onnx.Graph{Name: "g"}}
	f32 := onnx.TensorOf(onnx.Float, onnx.Dim{Value: 1, Known: true})
	m.Graph.Inputs = []*onnx.ValueInfo{{Name: "x", Type: f32}}
	for _, n := range names[:len(names)-1] {
		m.Graph.Nodes = append(m.Graph.Nodes, &onnx.Node{Name: n, Op: "Abs", Inputs: []string{"x"}, Outputs: []string{n}})
		m.Graph.Outputs = append(m.Graph.Outputs, &onnx.ValueInfo{Name: n, Type: f32})
	}
	data, err := onnx.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("in/m.onnx", data, 0o666); err != nil {
		t.Fatal(err)
	}
	runCLI(t, check.ExitClean, "run", "in/m.onnx", "-o", "in/out", "--dump-outputs-dir", "in/dump", "--opt", "none")
	for dir, want := range map[string]int{".": 1, "in": 3, "in/out": len(names) - 1} {
		if list, err := os.ReadDir(dir); err != nil || len(list) != want {
			t.Errorf("%s has %v (%v), not %d files", dir, list, err, want)
		}
	}
	if _, err := os.Stat("/tmp/b.npy"); err == nil {
		t.Error("/tmp/b.npy")
	}
}
