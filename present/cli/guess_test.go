package cli

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"shapecheck/check"
)

// Two models and a loss of two inputs.
const guessedFile = `import torch
from torch import nn


class Conv(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3)

    def forward(self, x):
        return self.conv(x).relu()


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 4)
        self.b = nn.Linear(6, 4)

    def forward(self, left, right):
        return self.a(left) + self.b(right)
`

// A command that needs an entry, or arguments that are not given, guesses them, says what in one line, and does what it is for.
func TestCommandsGuessWhatIsNotSaid(t *testing.T) {
	one := strings.Split(guessedFile, "\n\nclass Pair")[0] + "\n"
	pathsProject(t, map[string]string{"one.py": one, "two.py": guessedFile})
	const conv = "guessed: --entry 'Conv(width=64)' --arg 'x:f32[B,3,H,W]'"
	for _, c := range []struct {
		line, out, said string
	}{
		{"one.py --types", "f32[B,64,H-2,W-2]", conv + "\n"},
		{"one.py --summary", "Conv2d", conv + "\n"},
		{"one.py --contract", "H, W >= 3", conv + "\n"},
		{"two.py --contract=jaxtyping", "B 3 H W", conv + "   (1 more model)\n"},
		{"graph one.py", "conv2d", conv + "\n"},
		{"export one.py --init=0 -o one.onnx", "", conv + "\n"},
		{"compile one.py --init=0 -o one.prog", "", conv + "\n"},
		{"run one.py --input x:f32[1,3,8,8]", "f32[1,64,6,6]", conv + "\n"},
		{"trace one.py --for torch.export", "", conv + "\n"},
		{"compare one.py two.py", "", conv + "\n"},
		{"two.py --entry Pair()", "f32[", "guessed: --entry 'Pair()' --arg 'left:f32["},
		{"two.py --entry Pair() --arg left:f32[7,8]", ",7,4]", "--arg 'left:f32[7,8]' --arg 'right:f32["},
		{"two.py --entry Conv(8)", "f32[B,8,", "guessed: --entry 'Conv(8)' --arg 'x:f32[B,3,H,W]'\n"},
	} {
		stdout, stderr := runCLI(t, check.ExitClean, strings.Fields(c.line)...)
		if !strings.Contains(stdout, c.out) || !strings.Contains(stderr, c.said) {
			t.Errorf("%s: want %q and %q:\n%s\n%s", c.line, c.out, c.said, stdout, stderr)
		}
	}
	_, said := runCLI(t, check.ExitUsage, "one.py", "--types", "--no-guess")
	if want := "shapecheck one.py --types --entry 'Conv(width=64)' --arg 'x:f32[B,3,H,W]'\n"; !strings.HasSuffix(said, want) {
		t.Errorf("it ends with %q, not %q", said, want)
	}
}

// Where one of several models must be named, each command that is printed runs as it stands.
func TestCommandsThatAreSuggestedRun(t *testing.T) {
	pathsProject(t, map[string]string{"two.py": guessedFile})
	_, said := runCLI(t, check.ExitUsage, "export", "two.py", "-o", "two.onnx")
	n := 0
	for line := range strings.Lines(said) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "shapecheck ")
		if !ok || !strings.HasPrefix(command, "export ") {
			continue
		}
		words, err := exec.Command("sh", "-c", "printf '%s\\n' "+command).Output() // as a shell takes it
		if err != nil {
			t.Fatal(err)
		}
		n++
		runCLI(t, check.ExitClean, strings.Split(strings.TrimSpace(string(words)), "\n")...)
		if err := os.Remove("two.onnx"); err != nil {
			t.Error(err)
		}
	}
	if n != 2 {
		t.Errorf("%d commands:\n%s", n, said)
	}
}

// What the end of a check suggests works as printed: the comment for an entry of which nothing is known is a line that is taken, and the
// command after "next:" runs.
func TestWhatTheEndOfACheckSuggestsWorks(t *testing.T) {
	const picky = "from torch import nn\n\n\nclass Picky(nn.Module):\n    def __init__(self, layers, ratios):\n        super().__init__()\n" +
		"        assert len(layers) == len(ratios) + 3\n        self.fc = nn.Linear(8, 8)\n\n    def forward(self, x):\n        return self.fc(x)\n"
	const compiled = "import torch\n\n\n@torch.compile\ndef f(x: torch.Tensor):\n    return x * 2\n\n\nfor n in range(2, 9):\n    f(torch.rand(n))\n"
	t.Setenv("COLUMNS", "80")
	pathsProject(t, map[string]string{"a_folder_of_models/picky.py": picky, "compiled.py": compiled})
	_, stdout, stderr := run(".", "--no-config", "--python", "none")
	comment, file := "", ""
	for line := range strings.Lines(stdout) {
		line = strings.TrimSpace(line)
		if before, after, ok := strings.Cut(line, " say so in "); ok && before != "" {
			file, _, _ = strings.Cut(after, ":")
		}
		if _, after, ok := strings.Cut(line, "# shapecheck: check "); ok {
			comment = "# shapecheck: check " + after
		}
		if after, ok := strings.CutPrefix(line, "next: shapecheck "); ok {
			words, err := exec.Command("sh", "-c", "printf '%s\\n' "+after).Output()
			if err != nil {
				t.Fatal(err)
			}
			if code, out, err := run(strings.Fields(string(words))...); code == check.ExitUsage {
				t.Errorf("%s: %s%s", after, out, err)
			}
		}
	}
	if comment == "" || file == "" {
		t.Fatalf("no comment is suggested:\n%s%s", stdout, stderr)
	}
	writeFile(t, file, comment+"\n"+readFile(t, file))
	code, stdout, stderr := run(file, "--no-config", "--python", "none", "--output-format", "json")
	if code == check.ExitUsage && stdout == "" || !strings.Contains(stdout, `"basis": "given"`) {
		t.Errorf("%s: exit code %d\n%s%s", comment, code, stdout, stderr)
	}
}
