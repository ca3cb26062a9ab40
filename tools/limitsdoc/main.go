// Command limitsdoc writes docs/limits.md from the constants of the source that bound what a check does: those named max… in the rooms
// below. Run it from the root of the repository: go run ./tools/limitsdoc.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// document is the path from the root of the repository.
const document = "docs/limits.md"

// rooms are the folders whose limits are listed.
var rooms = []struct{ folder, title string }{
	{"infer", "What a run of a program interprets"},
	{"trace", "What is told of traces"},
	{"discover", "What is read and tried of a file to find entries and arguments"},
	{"check", "What is checked and kept of entries"},
	{"internal/cache", "What is kept in a folder"},
}

func main() {
	limits, err := find(".")
	if err == nil {
		err = os.WriteFile(document, generate(limits), 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "limitsdoc:", err)
		os.Exit(1)
	}
}

// A limit is a constant that bounds something.
type limit struct {
	room              int
	file, name, value string
	bounds            string // what the comment says
}

var limitName = regexp.MustCompile(`^[mM]ax([A-Z]\w*)?$`)

// find reads the limits of the source under a folder; it returns an error where a file cannot be read or parsed.
func find(root string) ([]limit, error) {
	var out []limit
	for i, r := range rooms {
		err := filepath.WalkDir(filepath.Join(root, r.folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "testdata" {
				if err == nil {
					err = fs.SkipDir
				}
				return err
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			for _, l := range limitsOf(file) {
				l.room, l.file = i, filepath.ToSlash(name)
				out = append(out, l)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// limitsOf are the constants of a file that are numbers and named max….
func limitsOf(file *ast.File) []limit {
	var out []limit
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			s := s.(*ast.ValueSpec)
			for i, n := range s.Names {
				if !limitName.MatchString(n.Name) || i >= len(s.Values) || isText(s.Values[i]) {
					continue
				}
				comment := firstText(s.Comment, s.Doc, g.Doc)
				out = append(out, limit{name: n.Name, value: types.ExprString(s.Values[i]), bounds: comment})
			}
		}
	}
	return out
}

// isText reports whether an expression has a text in it.
func isText(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		l, ok := n.(*ast.BasicLit)
		found = found || ok && l.Kind == token.STRING
		return !found
	})
	return found
}

// firstText is the text of the first comment that there is, in one line.
func firstText(comments ...*ast.CommentGroup) string {
	for _, c := range comments {
		if text := strings.Join(strings.Fields(c.Text()), " "); text != "" {
			return text
		}
	}
	return ""
}

func generate(limits []limit) []byte {
	var b bytes.Buffer
	b.WriteString("# Limits\n\n<!-- Written by go run ./tools/limitsdoc. -->\n\n" +
		"What bounds the work and the memory of a check, besides the limits of [safety](safety.md) that options set. " +
		"Where one is reached, what lies beyond it is unknown or is not tried; the code says which of the two.\n")
	for i, r := range rooms {
		fmt.Fprintf(&b, "\n## %s\n\n| Limit | Value | |\n|---|---|---|\n", r.title)
		for _, l := range limits {
			if l.room == i {
				b.WriteString(rowOf(l))
			}
		}
	}
	return b.Bytes()
}

// rowOf is the line of a limit in the document.
func rowOf(l limit) string {
	return fmt.Sprintf("| `%s`, %s | %s | %s |\n", l.name, l.file, l.value, strings.ReplaceAll(shorten(l), "|", "\\|"))
}

// shorten is what a comment says without the name in front: "maxTries bounds how many …" is "how many …".
func shorten(l limit) string {
	rest := strings.TrimPrefix(l.bounds, l.name+" ")
	for _, verb := range []string{"bounds ", "is ", "limits "} {
		rest = strings.TrimPrefix(rest, verb)
	}
	if i := strings.Index(rest, ". "); i >= 0 {
		rest = rest[:i]
	}
	return strings.TrimSuffix(strings.TrimSuffix(rest, "."), ",")
}

// unexplained are the limits without a comment of their own: none, or one that begins with the name of another.
func unexplained(limits []limit) []string {
	var out []string
	for _, l := range limits {
		subject, _, _ := strings.Cut(l.bounds, " ")
		if l.bounds == "" || limitName.MatchString(subject) && subject != l.name {
			out = append(out, l.file+": "+l.name)
		}
	}
	slices.Sort(out)
	return out
}
