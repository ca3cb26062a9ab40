package cli

// This file tests export --unroll.

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/onnx"
)

// loopsOf counts the Loop nodes of a graph, also inside of others.
func loopsOf(g *onnx.Graph) int {
	count := 0
	for _, n := range g.Nodes {
		if n.Op == "Loop" {
			count++
		}
		n.Subgraphs(func(_ string, sub *onnx.Graph) { count += loopsOf(sub) })
	}
	return count
}

func TestUnroll(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, body string
		args       []string
		loops      int    // with --unroll=never
		note       string // of the line that is unrolled
	}{
		{"all alike", "for i in range(6):\n        x = torch.relu(x @ w)\n    return x", []string{"x:f32[N,3]", "w:f32[3,3]"}, 1, ""},
		{"by the number", "for i in range(1, 6, 2):\n        w = w + x[:, i]\n    return w, torch.zeros(i)", []string{"x:f32[N,6]", "w:f32[N]"},
			1, ""},
		{"a list grows", "out = []\n    for i in range(5):\n        w = torch.tanh(x[:, i] + w)\n        out.append(w)\n    return torch.stack(out)", []string{"x:f32[N,5]", "w:f32[N]"}, 1, ""},
		{"nested", "for i in range(3):\n        for j in range(2):\n            x = x @ w + j\n    return x",
			[]string{"x:f32[N,3]", "w:f32[3,3]"}, 2, ""},
		{"sizes grow", "for i in range(3):\n        x = torch.cat([x, w])\n    return x", []string{"x:f32[N,3]", "w:f32[2,3]"}, 1, ""},
		{"sizes double", "for i in range(3):\n        x = torch.cat([x, x])\n    return x + w", []string{"x:f32[N,3]", "w:f32[3]"}, 0,
			"net.py:5: the loop is unrolled"},
		{"a list that holds itself", "a = [x]\n    a.append(a)\n    for i in range(4):\n        a[1] = a\n        x = x + w\n    return x",
			[]string{"x:f32[N,3]", "w:f32[3]"}, 1, ""},
		{"lists that share lists", "a = [x]\n" + strings.Repeat("    a = [a, a]\n", 40) +
			"    b = [a]\n    for i in range(4):\n        b[0] = a\n        x = x + w\n    return x",
			[]string{"x:f32[N,3]", "w:f32[3]"}, 1, ""},
		{"a number that is read later", "k = 0\n    for i in range(4):\n        k += i\n    return x.reshape(-1, k), w",
			[]string{"x:f32[N,6]", "w:f32[2]"}, 0, "net.py:6: the loop is unrolled"},
	} {
		net := filepath.Join(dir, "net.py")
		if err := os.WriteFile(net, []byte("import torch\n\n\ndef forward(x, w):\n    "+c.body+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, mode := range []string{"auto", "never", "always"} {
			path := filepath.Join(dir, "m.onnx")
			args := []string{"export", net, "--check", "-o", path, "--unroll", mode}
			for _, a := range c.args {
				args = append(args, "--arg", a)
			}
			var out, errs bytes.Buffer
			if code := Run(args, strings.NewReader(""), &out, &errs); code != check.ExitClean {
				t.Errorf("%s, %s: code %d\n%s", c.name, mode, code, errs.String())
				continue
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			m, err := onnx.Unmarshal(b)
			if err != nil {
				t.Fatal(err)
			}
			want, note := 0, ""
			if mode == "never" {
				want, note = c.loops, c.note
			}
			if got := loopsOf(m.Graph); got != want || !strings.Contains(errs.String(), note) ||
				strings.Count(errs.String(), "note:") != strings.Count(note, "unrolled") {
				t.Errorf("%s, %s: %d loops, want %d; %s", c.name, mode, got, want, errs.String())
			}
		}
	}
}

func TestUnrollAlwaysNeedsTheCount(t *testing.T) {
	dir := t.TempDir()
	net := filepath.Join(dir, "net.py")
	if err := os.WriteFile(
		net, []byte("import torch\n\n\ndef forward(x):\n    for i in range(x.shape[0]):\n        x = x * 2\n    return x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mode, want string
		code       int
	}{
		{"always", "net.py:6:13", check.ExitFindings},
		{"sometimes", "expected auto, never or always", check.ExitUsage},
	} {
		var out, errs bytes.Buffer
		code := Run([]string{"export", net, "--arg", "x:f32[N]", "-o", filepath.Join(dir, "m.onnx"), "--unroll", c.mode}, strings.NewReader(""),
			&out, &errs)
		if code != c.code || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: code %d\n%s", c.mode, code, errs.String())
		}
	}
}
