package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
	"time"

	"shapecheck/check"
	"shapecheck/present/lsp"
)

const net = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, hidden=8):
        super().__init__()
        self.a = nn.Linear(4, hidden)
        self.b = nn.Linear(8, 3)

    def forward(self, x):
        return self.b(self.a(x))


# shapecheck: check Net() x:f32[B,4]
`

// ask sends requests to a server for a folder with net.py and gives the answers.
func ask(t *testing.T, requests ...string) []map[string]any {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "in"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"in/net.py": net, "outside.py": net} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_ = os.Symlink(filepath.Join(dir, "outside.py"), filepath.Join(dir, "in", "link.py")) // where there are links
	t.Chdir(filepath.Join(dir, "in"))
	var out bytes.Buffer
	s := &Server{Options: lsp.Options{Limits: check.Limits{Timeout: 20 * time.Second}}}
	if err := s.Serve(context.Background(), strings.NewReader(strings.Join(requests, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile("net.py"); err != nil || string(text) != net {
		t.Errorf("the file was changed: %v", err)
	}
	var answers []map[string]any
	for line := range strings.Lines(out.String()) {
		var a map[string]any
		if err := json.Unmarshal([]byte(line), &a); err != nil || a["jsonrpc"] != "2.0" {
			t.Fatalf("%v: %s", err, line)
		}
		answers = append(answers, a)
	}
	return answers
}

func request(id int, method string, params any) string {
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		panic(err)
	}
	return string(data)
}

func TestTheProtocol(t *testing.T) {
	answers := ask(t,
		request(1, "initialize", map[string]any{"protocolVersion": "2025-03-26", "capabilities": map[string]any{}}),
		`{"jsonrpc": "2.0", "method": "notifications/initialized"}`, "",
		request(2, "tools/list", nil), request(3, "ping", nil), request(4, "resources/list", nil), "no json", `{"jsonrpc": "2.0", "id": 5}`,
		request(6, "tools/call", map[string]any{"name": "write", "arguments": map[string]any{}}),
		request(7, "initialize", map[string]any{"protocolVersion": "1999-01-01"}))
	if len(answers) != 8 {
		t.Fatalf("%d answers: %v", len(answers), answers)
	}
	first := answers[0]["result"].(map[string]any)
	if first["protocolVersion"] != "2025-03-26" || answers[7]["result"].(map[string]any)["protocolVersion"] != protocols[0] {
		t.Errorf("versions: %v, %v", first, answers[7])
	}
	tools := answers[1]["result"].(map[string]any)["tools"].([]any)
	for _, x := range tools {
		x := x.(map[string]any)
		if s, ok := x["inputSchema"].(map[string]any); !ok || s["type"] != "object" || x["description"] == "" {
			t.Errorf("tool %v", x)
		}
	}
	if len(tools) != 4 || answers[2]["result"] == nil {
		t.Errorf("%d tools, ping %v", len(tools), answers[2])
	}
	for i, code := range map[int]float64{3: jsonrpc2.CodeMethodNotFound, 4: jsonrpc2.CodeInvalidRequest, 5: jsonrpc2.CodeInvalidRequest,
		6: jsonrpc2.CodeInvalidParams} {
		if e, ok := answers[i]["error"].(map[string]any); !ok || e["code"] != code {
			t.Errorf("answer %d: %v", i, answers[i])
		}
	}
}

func TestTheTools(t *testing.T) {
	edit := func(old, changed string) map[string]any {
		return map[string]any{"path": "net.py", "old": old, "new": changed}
	}
	const diff = "--- a/net.py\n+++ b/net.py\n@@ -7,3 +7,3 @@\n         super().__init__()\n-        self.a = nn.Linear(4, hidden)\n" +
		"+        self.a = nn.Linear(5, hidden)\n         self.b = nn.Linear(8, 3)\n"
	cases := []struct {
		tool   string
		args   map[string]any
		failed bool
		says   []string
	}{
		{"check_edit", edit("(8, 3)", "(9, 3)"), false, []string{"1 findings added, 0 removed, 0 kept", "added: SC101 net.py:12 ", "before → f32[B,3]",
			"after  → ?"}},
		{"check_edit", edit("(8, 3)", "(8, 5)"), false, []string{"0 findings added, 0 removed, 0 kept", "before → f32[B,3]", "after  → f32[B,5]"}},
		{"check_edit", edit("hidden=8", "hidden=8, other=3"), false, []string{"0 findings added, 0 removed, 0 kept\n"}},
		{"check_edit", map[string]any{"diff": diff}, false, []string{"1 findings added", "added: SC101"}},
		{"check_edit", map[string]any{"diff": strings.Replace(diff, "@@ -7,3", "@@ -1,3", 1)}, false, []string{"1 findings added"}},
		{"check_edit", map[string]any{"diff": strings.Replace(diff, "Linear(4", "Linear(7", 1)}, true, []string{"are not in the file"}},
		{"check_edit", edit("nn.Linear", "x"), true, []string{"2 times"}},
		{"check_edit", edit("", "x"), true, []string{"old is empty"}},
		{"check_edit", map[string]any{"path": "../outside.py", "old": "a", "new": "b"}, true, []string{"not below the folder"}},
		{"explain", map[string]any{"path": "net.py", "line": 12}, false, []string{"net.py:12  return", "type       return: f32[B,3]  (Net())"}},
		{"explain", map[string]any{"path": "net.py", "line": 1200}, true, []string{"no line 1200"}},
		{"explain", map[string]any{"path": "/etc/passwd", "line": 1}, true, []string{"not below the folder"}},
		{"explain", map[string]any{"path": "link.py", "line": 1}, true, nil},
		{"contract", map[string]any{"path": "net.py"}, false, []string{"Net() x:f32[B,4] → f32[B,3]\n"}},
		{"contract", map[string]any{"path": "net.py", "entry": "Net(9)", "args": []string{"x:f32[B,4]"}}, false, []string{"→ ?", "SC101 net.py:12"}},
		{"contract", map[string]any{"path": "net.py", "entry": "Nett()", "args": []string{"x:f32[B,4]"}}, true, []string{"Nett"}},
		{"solve", map[string]any{"path": "net.py", "entry": "Net(hidden=?)", "args": []string{"x:f32[B,?]"}}, false,
			[]string{"hidden = 8\n", "x_size = 4\n"}},
		{"solve", map[string]any{"path": "net.py", "entry": "Net()", "args": []string{"x:f32[B,4]"}}, true, []string{"needs a mark"}},
	}
	var requests []string
	for i, c := range cases {
		requests = append(requests, request(i, "tools/call", map[string]any{"name": c.tool, "arguments": c.args}))
	}
	answers := ask(t, requests...)
	if len(answers) != len(cases) {
		t.Fatalf("%d answers", len(answers))
	}
	for i, c := range cases {
		r, ok := answers[i]["result"].(map[string]any)
		if !ok {
			t.Errorf("%s %v: %v", c.tool, c.args, answers[i])
			continue
		}
		text := r["content"].([]any)[0].(map[string]any)["text"].(string)
		if r["isError"] != c.failed || len([]rune(text)) > maxAnswer {
			t.Errorf("%s %v: error %v, %d characters\n%s", c.tool, c.args, r["isError"], len(text), text)
		}
		for _, want := range c.says {
			if !strings.Contains(text, want) {
				t.Errorf("%s %v does not say %q:\n%s", c.tool, c.args, want, text)
			}
		}
	}
}

// An answer has its bound also where much is found.
func TestAnswersAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("import torch\n\n\n# shapecheck: check f x:f32[4]\ndef f(x):\n")
	for i := range 60 {
		fmt.Fprintf(&b, "    y = x @ torch.zeros(%d, 3)\n", i+5)
	}
	params := map[string]any{"name": "check_edit", "arguments": map[string]any{"path": "net.py", "old": net, "new": b.String()}}
	text := ask(t, request(1, "tools/call", params))[0]["result"].(map[string]any)["content"].([]any)[0].(map[string]any)["text"].(string)
	if n := len([]rune(text)); n > maxAnswer || !strings.Contains(text, "added: SC1") {
		t.Errorf("%d characters\n%s", n, text)
	}
}
