package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/internal/safetext"
)

// Places of findings are links where the terminal knows them, and nothing of a program can be one.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a net;.py")
	text := "import torch\n\n\ndef forward(x):\n    raise ValueError('\\x1b]8;;file:///etc\\x1b\\\\y')\n"
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for force, want := range map[string]bool{"1": true, "0": false} {
		t.Setenv("FORCE_HYPERLINK", force)
		var out, errs strings.Builder
		Run([]string{name, "--arg", "x:f32[B,3]"}, strings.NewReader(""), &out, &errs)
		link := "\x1b]8;;file://" + filepath.ToSlash(dir) + "/a%20net;.py#5\x1b\\"
		if got := strings.Contains(out.String(), link); got != want {
			t.Errorf("FORCE_HYPERLINK=%s: link %v: %q %s", force, got, out.String(), errs.String())
		}
		if n := strings.Count(out.String(), "\x1b"); (n > 0) != want || n%4 != 0 || strings.Contains(out.String(), "\x1b]8;;file:///etc") {
			t.Errorf("FORCE_HYPERLINK=%s: %d escapes: %q", force, n, out.String())
		}
	}
}

// Progress is shown to who looks at a terminal and wants it.
func TestWhoIsShownProgress(t *testing.T) {
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a character device, as terminals are
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	if !isTerminal(device) {
		t.Skip("the null device is no character device here")
	}
	for _, c := range []struct {
		term, ci string
		off      bool
		want     bool
	}{{"xterm", "", false, true}, {"xterm", "", true, false}, {"dumb", "", false, false}, {"xterm", "true", false, false}} {
		t.Setenv("TERM", c.term)
		t.Setenv("CI", c.ci)
		a := &app{err: safetext.NewWriter(device), noProgress: c.off}
		if got := a.showsProgress(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if a := (&app{err: safetext.NewWriter(&strings.Builder{})}); a.showsProgress() {
		t.Error("what is no terminal is shown progress")
	}
}

func TestTerminalsThatKnowLinks(t *testing.T) {
	for _, c := range []struct {
		env  string
		want bool
	}{{"", false}, {"TERM_PROGRAM=vscode", true}, {"TERM_PROGRAM=Apple_Terminal", false}, {"VTE_VERSION=7006", true},
		{"VTE_VERSION=4000", false}, {"WT_SESSION=x", true}, {"KITTY_WINDOW_ID=1", true}} {
		name, value, _ := strings.Cut(c.env, "=")
		if got := knowsLinks(func(v string) string {
			if v == name {
				return value
			}
			return ""
		}); got != c.want {
			t.Errorf("%s: %v", c.env, got)
		}
	}
}

// While a check goes on, a terminal shows where it is: the line, the function and what is typed.
func TestProgressOfOneFile(t *testing.T) {
	for _, c := range []struct {
		now  *infer.Standing
		want string
	}{
		{nil, "checking train.py 3 s"},
		{&infer.Standing{File: "train.py", Line: 214, Function: "Trainer.fit", Typed: 1204},
			"checking train.py:214 (Trainer.fit) 3 s, 1,204 values typed"},
		{&infer.Standing{File: "net\x1b.py", Line: 1, Typed: 1}, `checking net\u001b.py:1 3 s, 1 value typed`},
	} {
		if got := standing("train.py", c.now, 3400*time.Millisecond); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "train.py")
	text := "import torch\n\n\nclass Trainer:\n    def fit(self):\n        x = torch.zeros(2, 3)\n        n = 0\n        while n < 200000:\n            n += 1\n\n\nTrainer().fit()\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s := &check.Session{Stage: &infer.Stage{Every: 1}}
	if _, err := s.Check(t.Context(), &check.Target{Run: infer.Config{File: path, Script: []string{}, MaxSteps: 400_000}}); err != nil {
		t.Fatal(err)
	}
	now := s.Stage.Now()
	if now == nil || filepath.Base(now.File) != "train.py" || now.Line < 8 || now.Line > 9 || now.Function != "Trainer.fit" || now.Typed != 1 {
		t.Errorf("the run stood at %+v", now)
	}
}

// Who gets an answer soon sees no progress; else it is there after half a second, whatever ends until then.
func TestProgressOfManyWaits(t *testing.T) {
	var out strings.Builder
	a := &app{err: safetext.NewWriter(&out)}
	p := &progress{w: a.err, total: 40, unit: "entries", begin: time.Now()}
	p.Begin("net.py")
	p.End()
	if got := out.String(); got != "" {
		t.Errorf("at once it shows %q", got)
	}
	p.begin = p.begin.Add(-patience)
	p.Begin("vit.py")
	if got := out.String(); got != eraseLine+"1/40 entries  vit.py" {
		t.Errorf("it shows %q", got)
	}
	p.clear()
	if got := out.String(); !strings.HasSuffix(got, eraseLine) {
		t.Errorf("the line stays: %q", got)
	}
}
