package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestMCPIsServed(t *testing.T) {
	var out, errs bytes.Buffer
	in := strings.NewReader(`{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}` + "\n")
	code := Run([]string{"mcp"}, in, &out, &errs)
	var answer struct {
		Result struct {
			Tools []struct{ Name string }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil || code != 0 || len(answer.Result.Tools) != 4 {
		t.Errorf("exit code %d, %v\n%s%s", code, err, out.String(), errs.String())
	}
}

// The hook's command gives back what is found in the file that its input names, and nothing else.
func TestTheHookOfAgents(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	folder, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Hooks map[string][]struct {
			Hooks []struct{ Type, Command string }
		}
	}
	data, err := os.ReadFile(filepath.Join(folder, "agents/hooks.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &config); err != nil {
		t.Fatal(err)
	}
	command := config.Hooks["PostToolUse"][0].Hooks[0].Command
	dir := t.TempDir()
	t.Chdir(dir)
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := "#!/bin/sh\nSHAPECHECK_AS_PROGRAM=1 exec '" + own + "' \"$@\"\n"
	wrong := "# shapecheck: check f x:f32[B,4]\nimport torch\n\n\ndef f(x):\n    return x @ torch.zeros(5, 3)\n"
	for name, text := range map[string]string{
		"bin/shapecheck": program, "wrong.py": wrong, "right.py": strings.Replace(wrong, "5, 3", "4, 3", 1), "none.py": "x = 1\n", "a.txt": wrong,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(dir, "agents"), os.DirFS(filepath.Join(folder, "agents"))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		input string
		code  int
		says  string
	}{
		{`{"tool_name": "Edit", "tool_input": {"file_path": "` + filepath.ToSlash(dir) + `/wrong.py", "old_string": "x"}}`, 2, "SC101 "},
		{"{\n \"tool_input\": {\n  \"file_path\" : \"wrong.py\"\n }\n}", 2, "SC101 wrong.py:6 "},
		{`{"tool_input": {"file_path": "right.py"}}`, 0, ""},
		{`{"tool_input": {"file_path": "none.py"}}`, 0, ""},
		{`{"tool_input": {"file_path": "missing.py"}}`, 0, ""},
		{`{"tool_input": {"file_path": "a.txt"}}`, 0, ""},
		{`{"tool_input": {"command": "ls"}}`, 0, ""},
	} {
		hook := exec.Command(sh, "-c", command)
		hook.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
		hook.Stdin = strings.NewReader(c.input)
		var out bytes.Buffer
		hook.Stdout, hook.Stderr = &out, &out
		err := hook.Run()
		if code := hook.ProcessState.ExitCode(); code != c.code || !strings.Contains(out.String(), c.says) || c.says == "" && out.Len() > 0 {
			t.Errorf("%s: exit code %d, %v\n%s", c.input, code, err, out.String())
		}
	}
}
