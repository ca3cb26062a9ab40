package layering

// This file holds what the text of the code promises: lines that fit a screen,
// comments and documents that point to files that exist, and package comments that
// name every file.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const root = "../.."

// tracked are the names of the files of the repository, from its root.
func tracked(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "-c", "core.quotePath=false", "ls-files", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("git: %v", err)
	}
	var list []string
	for _, name := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if _, err := os.Stat(filepath.Join(root, name)); err == nil {
			list = append(list, name)
		}
	}
	return list
}

// written are the Go files that people write, parsed.
func written(t *testing.T, visit func(name string, fset *token.FileSet, f *ast.File, text string)) {
	t.Helper()
	n := 0
	for _, name := range tracked(t) {
		if !strings.HasSuffix(name, ".go") || strings.Contains(name, "/testdata/") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, data, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if ast.IsGenerated(f) {
			continue
		}
		n++
		visit(name, fset, f, string(data))
	}
	if n < 300 {
		t.Fatalf("only %d files were read", n)
	}
}

// maxColumns is the length of the longest line outside of tables.
const maxColumns = 160

func TestLinesFitAScreen(t *testing.T) {
	written(t, func(name string, fset *token.FileSet, f *ast.File, text string) {
		table := map[int]bool{} // lines of composite literals, texts and lists of calls' arguments in tests
		mark := func(n ast.Node) {
			for l := fset.Position(n.Pos()).Line; l <= fset.Position(n.End()).Line; l++ {
				table[l] = true
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				mark(n)
			case *ast.BasicLit:
				if n.Kind == token.STRING && (n.Value[0] == '`' || len(n.Value) > maxColumns/2) {
					mark(n)
				}
			}
			return true
		})
		for i, line := range strings.Split(text, "\n") {
			if utf8.RuneCountInString(line) > maxColumns && !table[i+1] {
				t.Errorf("%s:%d: %d columns", name, i+1, utf8.RuneCountInString(line))
			}
		}
	})
}

// pointer is the name of a Go file in a comment, with folders or without.
var pointer = regexp.MustCompile(`[\w/.…<*-]*\w\.go\b`)

func TestCommentsPointToFilesThatExist(t *testing.T) {
	known := map[string]bool{} // paths and all their ends
	for _, name := range tracked(t) {
		for known[name] = true; strings.Contains(name, "/"); {
			_, name, _ = strings.Cut(name, "/")
			known[name] = true
		}
	}
	pointers := 0
	written(t, func(name string, fset *token.FileSet, f *ast.File, _ string) {
		for _, group := range f.Comments {
			for _, p := range pointer.FindAllString(group.Text(), -1) {
				if strings.ContainsAny(p, "*<…") || strings.HasPrefix(p, "/") {
					continue // a pattern
				}
				pointers++
				near := path.Join(path.Dir(name), p)
				if !known[near] && !known[strings.TrimPrefix(p, "./")] {
					t.Errorf("%s: the comment names %s, which does not exist", fset.Position(group.Pos()), p)
				}
			}
		}
	})
	if pointers < 100 {
		t.Errorf("only %d pointers were found", pointers)
	}
}

// smallPackage is the number of files that a reader looks through without a list.
const smallPackage = 4

// listed is the name of a file in a package comment, or a pattern of names such as
// mod_*.go. A path names a file of another package.
var listed = regexp.MustCompile(`[\w/.*-]+\.go\b`)

// A package comment is the list of the package's files: in its sentences, or in an
// indented table whose rows are "conv.go  what it holds" or "windows  conv.go pool.go".
func TestPackageCommentsListEveryFile(t *testing.T) {
	type room struct {
		doc   strings.Builder
		files []string // generated files and tests are not among them
	}
	rooms := map[string]*room{}
	var dirs []string
	written(t, func(name string, _ *token.FileSet, f *ast.File, _ string) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		dir, base := path.Split(name)
		r := rooms[dir]
		if r == nil {
			r = &room{}
			rooms[dir] = r
			dirs = append(dirs, dir)
		}
		r.doc.WriteString(f.Doc.Text())
		if f.Doc == nil || len(f.Decls) > 0 { // a file that holds the comment alone needs no name in it
			r.files = append(r.files, base)
		}
	})
	large := 0
	for _, dir := range dirs {
		r := rooms[dir]
		if len(r.files) > smallPackage {
			large++
		}
		missing, nowhere := unlisted(r.doc.String(), r.files, func(base string) bool {
			_, err := os.Stat(filepath.Join(root, dir, base))
			return err == nil
		})
		for _, base := range missing {
			if len(r.files) > smallPackage {
				t.Errorf("%s%s: the package comment does not name it", dir, base)
			}
		}
		for _, base := range nowhere {
			t.Errorf("%s: the package comment names %s, which it does not have", dir, base)
		}
	}
	if large < 30 {
		t.Errorf("only %d packages have more than %d files", large, smallPackage)
	}
}

// unlisted compares a package comment with the package's files: those that it does not
// name, and names and patterns in it for which there is no file.
func unlisted(doc string, files []string, exists func(base string) bool) (missing, nowhere []string) {
	named := map[string]bool{}
	for _, p := range listed.FindAllString(doc, -1) {
		switch {
		case strings.Contains(p, "/"):
		case !strings.Contains(p, "*"):
			if named[p] = true; !exists(p) {
				nowhere = append(nowhere, p)
			}
		default:
			some := false
			for _, base := range files {
				if ok, _ := path.Match(p, base); ok && p[0] != '*' { // a pattern says what its files have in common
					named[base], some = true, true
				}
			}
			if !some {
				nowhere = append(nowhere, p)
			}
		}
	}
	for _, base := range files {
		if !named[base] {
			missing = append(missing, base)
		}
	}
	return missing, nowhere
}

func TestUnlistedFilesAreFound(t *testing.T) {
	files := []string{"conv.go", "mod_os.go", "mod_re.go", "pool.go"}
	exists := func(base string) bool { return base == "gen.go" || slices.Contains(files, base) }
	for _, c := range []struct{ doc, missing, nowhere string }{
		{"Package p (conv.go).\n\n\tmod_*.go  modules\n\twindows   pool.go", "", ""},
		{"Package p.\n\n\tconv.go  windows    mod_*.go modules; gen.go is written", "pool.go", ""},
		{"conv.go, pool.go, mod_os.go, mod_re.go, a/b.go", "", ""},
		{"conv.go, pool.go, mod_*.go, norm.go, type_*.go", "", "norm.go type_*.go"},
		{"*.go", "conv.go mod_os.go mod_re.go pool.go", "*.go"},
		{"depool.go, conv.goes, mod_os.go, mod_re.go", "conv.go pool.go", "depool.go"},
	} {
		missing, nowhere := unlisted(c.doc, files, exists)
		if strings.Join(missing, " ") != c.missing || strings.Join(nowhere, " ") != c.nowhere {
			t.Errorf("%q: missing %v, nowhere %v", c.doc, missing, nowhere)
		}
	}
}

// quoted is a piece of code in a document.
var quoted = regexp.MustCompile("`([^`\n]+)`")

func TestTheTourNamesWhatExists(t *testing.T) {
	names := tracked(t)
	known := func(p string) bool {
		for _, n := range names {
			if n == p || strings.HasPrefix(n, p+"/") {
				return true
			}
			if ok, _ := path.Match(p, n); ok {
				return true
			}
			if ok, _ := path.Match(p, path.Dir(n)); ok {
				return true
			}
		}
		return false
	}
	data, err := os.ReadFile(filepath.Join(root, "docs/ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	where := false // in the table "Where a change goes"
	rows := 0
	for i, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "## ") {
			where = line == "## Where a change goes"
		}
		if !where || !strings.HasPrefix(line, "| ") {
			continue
		}
		rows++
		for _, m := range quoted.FindAllStringSubmatch(line, -1) {
			p := strings.ReplaceAll(m[1], "<family>", "*")
			if strings.ContainsAny(p, " #(") || !strings.Contains(p, "/") { // a command, a name in code
				continue
			}
			if p = strings.TrimSuffix(p, "/"); !known(p) {
				t.Errorf("docs/ARCHITECTURE.md:%d: there is no %s", i+1, m[1])
			}
		}
	}
	if rows < 30 {
		t.Errorf("the table has %d rows", rows)
	}
}

// TestEveryPageIsLinked: docs/README.md leads to every page and schema in docs, directly.
func TestEveryPageIsLinked(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "docs/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	linked := map[string]bool{"README.md": true}
	for _, m := range regexp.MustCompile(`\]\(([^)#]+)`).FindAllStringSubmatch(string(data), -1) {
		linked[m[1]] = true
	}
	for _, name := range tracked(t) {
		dir, base := path.Split(name)
		if ext := path.Ext(base); dir == "docs/" && (ext == ".md" || ext == ".json") && !linked[base] {
			t.Errorf("docs/README.md does not link %s", base)
		}
	}
}
