package infer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/infer/graph"
)

// TestParsingAheadChangesNothing runs a package of many files with and without it.
func TestParsingAheadChangesNothing(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const parts = 20
	var imports, calls strings.Builder
	for i := range parts {
		fmt.Fprintf(&imports, "from . import part%d\n", i)
		fmt.Fprintf(&calls, "    x = part%d.f(x)\n", i)
		write(fmt.Sprintf("pkg/part%d.py", i), fmt.Sprintf("from .sub.helper%d import g\n\n\ndef f(x):\n    return g(x) + %d\n", i, i))
		write(fmt.Sprintf("pkg/sub/helper%d.py", i), strings.Repeat("def h(a):\n    return a\n\n\n", 50)+"def g(x):\n    return h(x).relu()\n")
	}
	write("pkg/never.py", "x = 1\n")
	write("pkg/sub/__init__.py", "try:\n    import missing\n    from .. import never\nexcept ImportError:\n    missing = None\n")
	write("pkg/broken.py", "def (:\n")
	write("pkg/__init__.py", imports.String()+"from . import broken\nfrom .. import beyond\n\n\ndef forward(x):\n"+calls.String()+"    return x\n")
	run := func(ahead bool) (string, int) {
		t.Helper()
		res, err := infer.Run(infer.Config{Module: "pkg", Roots: []string{dir}, Entry: "pkg.forward", Args: []string{"x:f32[B,3]"}, Ahead: ahead})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, d := range res.Diagnostics {
			fmt.Fprintln(&b, d.Code, d.Msg, res.Files.Position(d.At.Start))
		}
		graph.Print(&b, res.Graph, res.Files)
		return b.String(), res.Files.Size()
	}
	want, size := run(false)
	if !strings.Contains(want, "relu") {
		t.Fatalf("the package does not run: %s", want)
	}
	for range 5 {
		got, more := run(true)
		if got != want {
			t.Fatalf("parsed ahead:\n%s\ninstead of\n%s", got, want)
		}
		if more <= size { // never.py is read ahead, and then not needed
			t.Fatalf("files of %d bytes were read, %d without reading ahead", more, size)
		}
	}
}
