package cli

import (
	"os"
	"strings"
	"testing"

	"shapecheck/check"
)

const unmodelled = "import csv\n\n\ndef forward(x):\n    return x.view(csv.field_size_limit(), -1)\n"

func TestStrictPrintsWhatItCounts(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("net.py", []byte(unmodelled), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, format := range formatNames() {
		t.Run(format, func(t *testing.T) {
			args := []string{"net.py", "--arg", "x:f32[B,10]", "--no-config", "--output-format", format}
			if code, stdout, stderr := run(args...); code != check.ExitClean {
				t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
			}
			code, stdout, stderr := run(append(args, "--strict")...)
			if code != check.ExitFindings || !strings.Contains(stdout, "SC906") ||
				!strings.Contains(stdout, "not known: the contents of module csv are not modelled") {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
			if strings.Contains(stdout, "no errors, no values") {
				t.Errorf("it reads as if nothing was found:\n%s", stdout)
			}
		})
	}
	if err := os.WriteFile("net.py", []byte(strings.Replace(unmodelled, "-1)", "-1)  # shapecheck: ignore[SC906]", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := run("net.py", "--arg", "x:f32[B,10]", "--no-config", "--strict"); code != check.ExitClean {
		t.Errorf("hidden: exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestStrictPartsAreMergedStrictly(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"net.py":          unmodelled,
		"shapecheck.toml": "[[entries]]\nname = \"net\"\nfile = \"net.py\"\nargs = [\"x:f32[B,10]\"]\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if code, stdout, stderr := run("--output-format", "json=part.json"); code != check.ExitClean {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	code, stdout, stderr := run("merge", "part.json", "--strict", "--output-format", "concise")
	if want := "net.py:5:1: warning[SC906] not known: the contents of module csv are not modelled\n"; code != check.ExitFindings ||
		stdout != want {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	for _, cache := range []string{"cold", "warm"} {
		code, stdout, stderr = run("--strict", "--cache", "--output-format", "concise")
		if want := "net.py:5:19: warning[SC906] not known: the contents of module csv are not modelled\n"; code != check.ExitFindings ||
			stdout != want {
			t.Errorf("%s: exit code %d\n%s%s", cache, code, stdout, stderr)
		}
	}
}

func TestOneFaultIsOneFindingBesideAnExpectation(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"net.py":          "def forward(x):\n    return x @ x\n\n\ndef good(x):\n    return x\n",
		"shapecheck.toml": "[[entries]]\nname = \"net\"\nfile = \"net.py\"\nentry = \"forward\"\nargs = [\"x:f32[2,3]\"]\nexpect = \"f32[2,2]\"\ncontract = []\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	code, stdout, stderr := run("--output-format", "concise")
	if code != check.ExitFindings || strings.Count(stdout, "\n") != 1 || !strings.Contains(stdout, "SC101") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	conf, err := os.ReadFile("shapecheck.toml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("shapecheck.toml", []byte(strings.Replace(string(conf), "\"forward\"", "\"good\"", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr = run("--output-format", "concise"); code != check.ExitFindings || !strings.Contains(stdout, "SC691") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}
