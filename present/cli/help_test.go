package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Every flag of a check and every command is in exactly one group of the help, and nothing else is.
func TestHelpHasEveryFlagAndCommandOnce(t *testing.T) {
	root, grouped := Command(), []string{}
	for _, g := range flagGroups {
		if !strings.HasPrefix(g.example, "shapecheck ") || !slices.ContainsFunc(g.flags, func(f string) bool {
			return strings.Contains(g.example, "--"+f)
		}) {
			t.Errorf("%s: the example %q has none of its flags", g.title, g.example)
		}
		grouped = append(grouped, g.flags...)
	}
	everywhere := map[string]bool{}
	for _, c := range append(root.Commands(), root) {
		c.Flags().VisitAll(func(f *pflag.Flag) { everywhere[f.Name] = true })
	}
	for i, name := range grouped {
		if slices.Index(grouped, name) != i {
			t.Errorf("--%s is in two groups", name)
		}
		if !everywhere[name] {
			t.Errorf("no command has the flag --%s", name)
		}
	}
	root.Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(grouped, f.Name) && f.Name != "help" && f.Name != "version" {
			t.Errorf("--%s is in no group", f.Name)
		}
	})
	var listed []string
	for _, g := range commandGroups {
		listed = append(listed, g.names...)
	}
	for _, d := range commands() {
		if n := len(slices.DeleteFunc(slices.Clone(listed), func(s string) bool { return s != d.name })); n != 1 {
			t.Errorf("the command %s is in %d groups", d.name, n)
		}
	}
}

func TestHelpIsShortAndLong(t *testing.T) {
	code, short, _ := run("-h")
	if code != 0 || !strings.Contains(short, "\nOutput:\n") || strings.Contains(short, "--max-steps") ||
		!strings.Contains(short, "shapecheck --help") {
		t.Errorf("exit code %d\n%s", code, short)
	}
	code, long, _ := run("--help")
	for _, want := range []string{"\nExamples:\n",
		"\nFixes:\n", "  Example: shapecheck net.py --fix", "--max-steps", "\nCommands: ONNX and programs\n"} {
		if !strings.Contains(long, want) {
			t.Errorf("--help has no %q:\n%s", want, long)
		}
	}
	if code != 0 || len(short) > len(long)*2/3 {
		t.Errorf("exit code %d; -h has %d bytes, --help %d", code, len(short), len(long))
	}
	code, export, _ := run("export", "--help")
	if code != 0 || !strings.Contains(export, "shapecheck export FILE -o MODEL.onnx [options]") ||
		!strings.Contains(export, "\nOptions of export:\n") ||
		!strings.Contains(export, "--opset") || strings.Contains(export, "Commands:") {
		t.Errorf("exit code %d\n%s", code, export)
	}
	for _, text := range []string{short, long, export} {
		for _, line := range strings.Split(text, "\n") {
			if len([]rune(line)) > 140 {
				t.Errorf("a line of %d columns: %s", len([]rune(line)), line)
			}
		}
	}
}
