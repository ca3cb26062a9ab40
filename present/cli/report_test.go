package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const reportedProject = `
-- pkg/__init__.py --
from .net import Net
-- pkg/blocks.py --
import torch
from torch import nn

SECRET = "not part of it"
WIDTH = 64


class Block(nn.Module):
    def __init__(self, c, drop=0.1):
        super().__init__()
        self.conv = nn.Conv2d(c, WIDTH, 3, padding=1)
        self.norm = nn.BatchNorm2d(WIDTH)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        # comment
        x = self.norm(self.conv(x))
        if self.training:
            x = self.drop(x)
        return x.relu()
-- pkg/net.py --
from torch import nn
from .blocks import Block as B


class Net(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.a = B(3)
        self.b = B(64)
        self.head = nn.Linear(63, classes)

    def forward(self, x):
        y = self.b(self.a(x))
        z = y.mean((2, 3))
        return self.head(z)
-- want --
from torch import nn
WIDTH = 64


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.conv = nn.Conv2d(c, WIDTH, 3)

    def forward(self, x):
        x = self.conv(x)
        return x


class Net(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.a = Block(3)
        self.head = nn.Linear(63, classes)

    def forward(self, x):
        y = self.a(x)
        z = y.mean((2, 3))
        return self.head(z)
`

// The program in the report has the finding, and nothing else of the project; its command finds it again.
func TestReportMakesASmallProgram(t *testing.T) {
	t.Chdir(t.TempDir())
	want := ""
	for _, f := range txtar.Parse([]byte(reportedProject)).Files {
		if f.Name == "want" {
			want = string(f.Data)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, given := range [][]string{nil, {"--in", "pkg"}, {"--entry", "Net()", "--arg", "x:f32[B,3,H,W]"}} {
		code, out, stderr := run(append([]string{"report", "pkg/net.py:15", "--python", "none", "-o", "case.py"}, given...)...)
		head, body, _ := strings.Cut(out, "\n\n")
		if code != 0 || body != want {
			t.Fatalf("exit code %d, %s\n%s", code, stderr, out)
		}
		for _, says := range []string{" reports SC101 at the line `return self.head(z)`:\n#     linear: input has 64 features", "# Right would be:"} {
			if !strings.Contains(head, says) {
				t.Errorf("%q is missing in\n%s", says, head)
			}
		}
		if text, err := os.ReadFile("case.py"); err != nil || string(text) != out {
			t.Errorf("case.py: %v\n%s", err, text)
		}
		_, command, _ := strings.Cut(head, "# Command: shapecheck ")
		command, _, _ = strings.Cut(command, "\n")
		var words []string
		for _, w := range strings.Fields(command) {
			words = append(words, strings.Trim(w, "'"))
		}
		if code, out, _ := run(append(words, "--output-format", "concise")...); code != 1 || !strings.Contains(out, "SC101") {
			t.Errorf("%s: exit code %d\n%s", command, code, out)
		}
	}
	for _, c := range []struct{ at, want string }{
		{"pkg/net.py:13", "pkg/net.py:13: nothing is found at this line; --in names"},
		{"pkg/none.py:1", "pkg/none.py"},
		{"pkg/net.py", "give FILE:LINE"},
	} {
		if code, _, stderr := run("report", c.at, "--python", "none"); code != 2 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit code %d\n%s", c.at, code, stderr)
		}
	}
}
