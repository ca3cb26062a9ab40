package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOneEntryCostsTheOthersNothing checks a project of which one entry once ended the
// process with a stack overflow.
func TestOneEntryCostsTheOthersNothing(t *testing.T) {
	dir := t.TempDir()
	var conf strings.Builder
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 30 {
		name, text := fmt.Sprintf("net%d.py", i), "def forward(x):\n    return x.t()\n"
		if i == 17 {
			text = "class A:\n    def __bool__(self):\n        return self\ndef forward(x):\n    return bool(A())\n"
		}
		write(name, text)
		fmt.Fprintf(&conf, "[[entries]]\nname = %q\nfile = %q\nargs = [\"x:f32[B,3]\"]\n", name, name)
	}
	write("shapecheck.toml", conf.String())
	t.Chdir(dir)
	var out, errs strings.Builder
	if code := Run([]string{"--output-format", "json"}, nil, &out, &errs); code != 1 {
		t.Errorf("exit code %d\n%s", code, errs.String())
	}
	if n := strings.Count(out.String(), "f32[3,B]"); n < 29 || !json.Valid([]byte(out.String())) {
		t.Errorf("%d results\n%s", n, out.String())
	}
	if strings.Contains(out.String(), "SC999") || strings.Count(out.String(), "__bool__ should return bool") == 0 {
		t.Errorf("%s", out.String())
	}
}

func TestLimitFlags(t *testing.T) {
	for text, want := range map[string]time.Duration{"30": 30 * time.Second, "0": 0, "1.5": 1500 * time.Millisecond, "2m": 2 * time.Minute} {
		var s seconds
		if err := s.Set(text); err != nil || time.Duration(s) != want {
			t.Errorf("%s: %v, %v", text, time.Duration(s), err)
		}
	}
	for text, want := range map[string]int64{"512": 512 << 20, "0": 0, "2GB": 2 << 30, "800mb": 800 << 20, "64 KB": 64 << 10} {
		var m megabytes
		if err := m.Set(text); err != nil || int64(m) != want {
			t.Errorf("%s: %d, %v", text, int64(m), err)
		}
	}
	for _, text := range []string{"", "-1", "x", "NaN", "1e30"} {
		if new(seconds).Set(text) == nil || new(megabytes).Set(text) == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// A configuration's timeout counts where the command line has none.
func TestTimeoutOfAConfiguration(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"net.py":          "def f(x):\n    for i in range(20000):\n        x = x + i\n    return x\n",
		"shapecheck.toml": "timeout = \"1ns\"\n[[entries]]\nfile = \"net.py\"\nentry = \"f\"\nargs = [\"x:f32[B]\"]\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args  []string
		ended bool
	}{{nil, true}, {[]string{"--timeout", "60"}, false}, {[]string{"net.py"}, true},
		{[]string{"--no-config", "net.py", "--entry", "f", "--arg", "x:f32[B]"}, false}} {
		var out, errs strings.Builder
		Run(c.args, nil, &out, &errs)
		if got := strings.Contains(out.String()+errs.String(), "SC904"); got != c.ended {
			t.Errorf("%v: ended %v, want %v\n%s%s", c.args, got, c.ended, out.String(), errs.String())
		}
	}
}
