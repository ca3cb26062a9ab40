//go:build unix

package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A program is this one as a process of its own.
func program(t *testing.T, dir string, args ...string) (*exec.Cmd, io.Reader, *strings.Builder) {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Dir, c.Env = dir, append(os.Environ(), "SHAPECHECK_AS_PROGRAM=1", "CI=")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	errs := &strings.Builder{}
	c.Stderr = errs
	return c, out, errs
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0
}

const quickFile = "import torch\n\ndef f(x: torch.Tensor):\n    return x @ torch.zeros(4, 5)\n\n# shapecheck: check f x:f32[3,%d]\n"

// quick writes files with an entry each, every third of which has an error, and after them one that does not end.
func quick(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		write(fmt.Sprintf("a%02d.py", i), fmt.Sprintf(quickFile, 4-min(i%3, 1)))
	}
	write("z.py", endless)
	return dir
}

// A signal ends a check, which prints what ended, and how far it was; its other outputs are whole.
func TestASignalKeepsWhatEnded(t *testing.T) {
	const n = 12
	for sig, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		if signal.Ignored(sig) { // as nohup has it, and the program leaves it so
			t.Logf("%v is ignored here", sig)
			continue
		}
		dir := quick(t, n)
		c, out, errs := program(t, dir, ".", "--timeout", "0", "--max-steps", "0", "--budget", "0", "--output-format", "text",
			"--output-format", "json=all.json", "--output-format", "sarif=all.sarif", "--output-format", "junit=all.xml")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		lines, rows := bufio.NewScanner(out), 0
		for rows < n && lines.Scan() { // they come though the last file does not end
			if text.WriteString(lines.Text() + "\n"); strings.HasPrefix(lines.Text(), "a") {
				rows++
			}
		}
		if err := c.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			text.WriteString(lines.Text() + "\n")
		}
		if got := exitCode(t, c.Wait()); got != code {
			t.Errorf("%v: exit code %d, want %d\n%s%s", sig, got, code, text.String(), errs.String())
		}
		if !strings.HasSuffix(text.String(), "\ninterrupted after 12 of 13 files\n") || strings.Count(text.String(), "error[SC101]") != 2*8 {
			t.Errorf("%v:\n%s", sig, text.String())
		}
		data, err := os.ReadFile(filepath.Join(dir, "all.json"))
		if err != nil {
			t.Fatal(err)
		}
		validate(t, "project-schema.json", string(data))
		var doc struct {
			Partial *struct{ Cause string }
			Skipped []string
			Entries []any
		}
		if err := json.Unmarshal(data, &doc); err != nil || doc.Partial == nil || doc.Partial.Cause != "signal" || len(doc.Skipped) != 1 ||
			len(doc.Entries) != n {
			t.Errorf("%v: %+v, %v", sig, doc, err)
		}
		for name, want := range map[string]string{"all.sarif": `"partial": true`, "all.xml": "interrupted after 12 of 13 files"} {
			if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(data), want) {
				t.Errorf("%s: %v\n%s", name, err, data)
			}
		}
	}
}

// What is printed as files end is there when the program is killed, and equals the beginning of what is printed in the end.
func TestAKilledProgramHasPrintedWhatEnded(t *testing.T) {
	for _, format := range []string{"text", "json-lines", "concise"} {
		dir := quick(t, 12)
		c, out, _ := program(t, dir, ".", "--timeout", "0", "--max-steps", "0", "--budget", "0", "--output-format", format)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		lines, text := bufio.NewScanner(out), ""
		for strings.Count(text, "SC101") < 8 && lines.Scan() {
			text += lines.Text() + "\n"
		}
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, out); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // it was killed
		if err := os.Remove(filepath.Join(dir, "z.py")); err != nil {
			t.Fatal(err)
		}
		c, out, _ = program(t, dir, ".", "--output-format", format)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		whole, err := io.ReadAll(out)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // there are findings
		if !strings.HasPrefix(string(whole), text) || text == "" {
			t.Errorf("%s: killed after\n%sthe whole is\n%s", format, text, whole)
		}
	}
}

// A second signal ends the program at once; one that did not write its file leaves none.
func TestASignalEndsOneEntry(t *testing.T) {
	dir := quick(t, 0)
	for _, args := range [][]string{
		{"z.py", "--entry", "f", "--arg", "x:f32[3]", "--output-format", "sarif=out"},
		{"export", "z.py", "--entry", "f", "--arg", "x:f32[3]", "-o", "out"},
		{"compile", "z.py", "--entry", "f", "--arg", "x:f32[3]", "-o", "out"}, {"run", "z.py", "--entry", "f", "--arg", "x:f32[3]"},
	} {
		c, _, errs := program(t, dir, append(args, "--timeout", "0", "--max-steps", "0")...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond) // whether it works already or is about to makes no difference
		if err := c.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if got := exitCode(t, c.Wait()); got != 143 || !strings.Contains(errs.String(), "shapecheck: interrupted by SIGTERM") {
			t.Errorf("%v: exit code %d\n%s", args, got, errs.String())
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
			t.Errorf("%v: left behind: %v, %v", args, list, err)
		}
	}
}

// A FILE whose entries are not known yet says how far the run was, and not what to name in the next one. A second signal while the
// first ends the run gives the same code.
func TestASignalEndsAFileWithoutAnEntry(t *testing.T) {
	dir := quick(t, 0)
	for range 2 {
		c, out, errs := program(t, dir, "z.py", "--timeout", "0", "--max-steps", "0")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
		for range 2 {
			if err := c.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}
		text, err := io.ReadAll(out)
		if err != nil {
			t.Fatal(err)
		}
		if got := exitCode(t, c.Wait()); got != 143 || strings.Contains(errs.String()+string(text), "give one") {
			t.Errorf("exit code %d\n%s%s", got, text, errs.String())
		}
	}
}

// init writes what was discovered before its budget was used up, and says what was left out.
func TestInitHasABudget(t *testing.T) {
	dir := quick(t, 3)
	c, _, errs := program(t, dir, "init", ".", "--budget", "2", "--timeout", "0", "--max-steps", "0")
	if err := c.Run(); err != nil && exitCode(t, err) != 0 {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, "shapecheck.toml"))
	if err != nil || strings.Count(string(text), "[[entries]]") == 0 || !strings.Contains(errs.String(), "1 of 4 files not looked at") {
		t.Errorf("%v\n%s%s", err, text, errs.String())
	}
}

// A run whose budget is used up says so. It ends with 2 where it found nothing.
func TestABudgetCutsARun(t *testing.T) {
	for _, c := range []struct {
		args  []string
		files int
		code  int
	}{
		{[]string{".", "--budget", "100ms"}, 0, 2}, {[]string{".", "--budget", "100ms", "--strict"}, 0, 1},
		{[]string{".", "--budget", "3"}, 3, 1},
	} {
		dir := quick(t, c.files)
		for i := range 3 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("z%d.py", i)), []byte(endless), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		p, out, errs := program(t, dir, append(c.args, "--timeout", "0", "--max-steps", "0", "--output-format", "json", "--output-format",
			"text=out.txt")...)
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(out)
		if err != nil {
			t.Fatal(err)
		}
		if got := exitCode(t, p.Wait()); got != c.code {
			t.Errorf("%v: exit code %d, want %d\n%s", c.args, got, c.code, errs.String())
		}
		validate(t, "project-schema.json", string(data))
		want := fmt.Sprintf("s of processor time are used up: %d of %d files not looked at (--budget 0)\n", 4, 4+c.files)
		text, err := os.ReadFile(filepath.Join(dir, "out.txt"))
		if err != nil || !strings.HasSuffix(string(text), want) || !strings.HasSuffix(errs.String(), want) {
			t.Errorf("%v: %v\n%s%s", c.args, err, text, errs.String())
		}
	}
}
