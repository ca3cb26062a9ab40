package cli

// This file tests the completions, which are made of the commands and flags.

import (
	"strings"
	"testing"

	"shapecheck/check"
)

func TestShellsCanComplete(t *testing.T) {
	for shell, want := range map[string]string{"bash": "complete -o default", "zsh": "#compdef shapecheck", "fish": "complete -c shapecheck"} {
		code, stdout, stderr := run("completion", shell)
		if code != check.ExitClean || stderr != "" || !strings.Contains(stdout, want) {
			t.Errorf("%s: exit code %d: %.200s%s", shell, code, stdout, stderr)
		}
	}
	for _, c := range []struct{ line, want string }{
		{"--summ", "--summary\t"}, {"--shar", "--shard\t"}, {"mer", "merge\t"}, {"merge --exit", "--exit-zero\t"},
	} {
		code, stdout, _ := run(append([]string{"__complete"}, strings.Fields(c.line)...)...)
		if code != check.ExitClean || !strings.Contains(stdout, c.want) {
			t.Errorf("%s: exit code %d: %s", c.line, code, stdout)
		}
	}
}
