package cli

// This file follows pages of docs: it writes the files that a page shows, runs its commands in
// their order and compares what they print. With -update-guide the pages are rewritten.

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var updateGuide = flag.Bool("update-guide", false, "rewrite the outputs in the pages of docs that show commands")

// took are times and memory, which differ.
var took = regexp.MustCompile(`\b\d+(\.\d+)? (m?s|MB)\b`)

func TestTheFirstFiveMinutes(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing")
	}
	followPage(t, "../../docs/start.md", 8)
}

func TestPagesShowWhatCommandsPrint(t *testing.T) {
	for _, p := range []struct {
		name     string
		commands int
	}{{"contracts.md", 7}, {"unsettled.md", 3}, {"notation.md", 2}} {
		t.Run(p.name, func(t *testing.T) { followPage(t, "../../docs/"+p.name, p.commands) })
	}
}

// followPage runs the commands of a page, which has at least so many.
func followPage(t *testing.T, page string, least int) {
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	full, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("COLUMNS", "100")
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("CONDA_PREFIX", "")
	for _, name := range []string{"GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"} {
		t.Setenv(name, "n")
	}
	for _, name := range []string{"GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"} {
		t.Setenv(name, "e@example.org")
	}
	t.Chdir(t.TempDir())
	text := string(data)
	var out strings.Builder
	commands := 0
	for text != "" {
		before, rest, found := strings.Cut(text, "\n```")
		out.WriteString(before)
		if !found {
			break
		}
		language, rest, _ := strings.Cut(rest, "\n")
		block, rest, _ := strings.Cut(rest, "\n```\n")
		text = rest
		switch language {
		case "python": // the first line names the file
			name, ok := strings.CutPrefix(strings.SplitN(block, "\n", 2)[0], "# ")
			if !ok {
				t.Fatalf("no name of a file in\n%s", block)
			}
			if err := os.WriteFile(name, []byte(block+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		case "console":
			var lines []string
			for line := range strings.SplitSeq(block, "\n") {
				if command, ok := strings.CutPrefix(line, "$ "); ok {
					commands++
					lines = append(append(lines, line), printedBy(t, command)...)
				}
			}
			block = strings.Join(lines, "\n")
		}
		out.WriteString("\n```" + language + "\n" + block + "\n```\n")
	}
	if commands < least {
		t.Errorf("only %d commands", commands)
	}
	got := out.String()
	if *updateGuide {
		t.Chdir(full)
		if err := os.WriteFile(page, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(took.ReplaceAllString(string(data), "T"), took.ReplaceAllString(got, "T")); diff != "" {
		t.Errorf("-page +real:\n%s", diff)
	}
}

// printedBy are the lines that a command prints; shapecheck is run in this process.
func printedBy(t *testing.T, command string) []string {
	t.Helper()
	var all bytes.Buffer
	words := shellWords(command)
	if words[0] == "shapecheck" {
		Run(words[1:], strings.NewReader(""), &all, &all)
	} else {
		c := exec.Command(words[0], words[1:]...)
		c.Stdout, c.Stderr = &all, &all
		if err := c.Run(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, all.String())
		}
	}
	if all.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(all.String(), "\n"), "\n")
}

// shellWords takes a command apart; single quotes keep words together.
func shellWords(s string) []string {
	var words []string
	for i, part := range strings.Split(s, "'") {
		if i%2 == 1 {
			words[len(words)-1] += part
			continue
		}
		fields := strings.Fields(part)
		if i > 0 && !strings.HasPrefix(part, " ") && len(fields) > 0 {
			words[len(words)-1] += fields[0]
			fields = fields[1:]
		}
		words = append(words, fields...)
		if strings.HasSuffix(part, " ") {
			words = append(words, "")
		}
	}
	return words
}
