package cli

// This file tests the marks beside the lines of a traced program: shapecheck trace --types.

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Each case has a line of arguments, a program, and what is printed before the report, which stays as it is.
func TestListingsOfTraces(t *testing.T) {
	const file = "../../testdata/retrace/listing.txtar"
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("COLUMNS", "")
	t.Chdir(t.TempDir())
	var name string
	var args []string
	n := 0
	for _, f := range ar.Files {
		switch f.Name {
		case "net.py":
			if err := os.WriteFile(f.Name, f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		case "want":
			n++
			out := stdoutOf(args)
			plain := stdoutOf(slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "--types" }))
			if want := string(f.Data) + "\n" + plain; out != want || plain == "" {
				t.Errorf("%s: shows\n%s\nwant\n%s", name, out, want)
			}
		default:
			name, args = f.Name, strings.Fields(string(f.Data))
		}
	}
	if n < 6 {
		t.Errorf("%d cases in %s", n, file)
	}
}

// stdoutOf is what a command line prints, however it ends.
func stdoutOf(args []string) string {
	var out bytes.Buffer
	Run(args, strings.NewReader(""), &out, &bytes.Buffer{})
	return out.String()
}
