package lsp

// This file offers actions that make a decision of what was found: an entry of the configuration, and
// assertions of the contract, annotations. Each action writes into the user's files what the
// checker had to guess, so that it is no guess any more. The edits are computed from the entry of
// the view; a document that has changed since gets none.

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"shapecheck/check"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/project/config"
)

// decisions are the actions for an entry of a document. A notebook gets none, as its cells have no
// place for them.
func (s *Server) decisions(d *document, v *view, e *entry) []codeAction {
	var out []codeAction
	if d.text != v.text || e.target == nil || d.book != nil {
		return nil
	}
	if a, ok := s.configured(d, v, e); ok {
		out = append(out, a)
	}
	if edits := s.asserted(d, e); len(edits) > 0 {
		out = append(out, codeAction{Title: "Assert what the sizes must be", Kind: kindRewrite,
			Edit: &workspaceEdit{Changes: map[string][]textEdit{d.uri: edits}}})
	}
	if edits := s.annotated(d, e); len(edits) > 0 {
		out = append(out, codeAction{Title: "Annotate its tensors with jaxtyping", Kind: kindRewrite,
			Edit: &workspaceEdit{Changes: map[string][]textEdit{d.uri: edits}}})
	}
	return out
}

// maxConfig bounds a configuration in bytes.
const maxConfig = 1 << 20

// configured writes an entry that was discovered into the configuration. Only what was discovered
// can be added. The second result is false where the file cannot be named from the configuration's
// folder, or the editor cannot create one.
func (s *Server) configured(d *document, v *view, e *entry) (codeAction, bool) {
	how := e.target.How
	if how != check.ByTrial && how != check.ByAnnotation && how != check.ByComment {
		return codeAction{}, false
	}
	file := v.config
	if file == "" {
		file = filepath.Join(s.rootOf(d.path), "shapecheck.toml")
	}
	rel, err := filepath.Rel(filepath.Dir(file), d.path)
	if err != nil || !filepath.IsLocal(rel) {
		return codeAction{}, false
	}
	rel = filepath.ToSlash(rel)
	one := config.Entry{Name: rel + " " + e.name, File: rel, Entry: e.target.Run.Entry, Args: e.target.Run.Args, Eval: e.target.Run.Eval}
	if config.WholeType(e.result) {
		one.Expect = e.result
	}
	text := one.Text(config.Table(file), strings.Join(e.assumed, ", "))
	action := codeAction{Title: "Add " + short(e.name, maxLens) + " to " + filepath.Base(file), Kind: kindRewrite}
	uri := uriOf(file)
	before := ""
	// An open configuration goes before the disk, since it may have unsaved changes.
	if o := s.docs[uri]; o != nil {
		before = o.text
	} else if data, err := reads.File(reads.Disk{}, file, maxConfig); err == nil {
		before = string(data)
	} else {
		w := &s.client.Capabilities.Workspace.WorkspaceEdit
		if !w.DocumentChanges || !slices.Contains(w.ResourceOperations, "create") {
			return codeAction{}, false
		}
		made, edit := createFile{Kind: "create", URI: uri}, documentEdit{Edits: []textEdit{{NewText: text}}}
		made.Options.IgnoreIfExists = true
		edit.TextDocument.URI = uri
		action.Edit = &workspaceEdit{DocumentChanges: []any{made, edit}}
		return action, true
	}
	// The entry is added at the end of the file.
	lines := linesOf(before)
	last, col := lines.at(len(before))
	at := position{last, s.encoding.character(lines.line(before, last), col)}
	switch {
	case before == "":
	case !strings.HasSuffix(before, "\n"):
		text = "\n\n" + text
	default:
		text = "\n" + text
	}
	action.Edit = &workspaceEdit{Changes: map[string][]textEdit{uri: {{textRange{at, at}, text}}}}
	return action, true
}

// asserted are assertions of an entry's conditions at the start of its function; those that only its inputs'
// sizes decide. Sizes are read from the types of the arguments; the first argument that has a
// symbol is the one that is asserted.
func (s *Server) asserted(d *document, e *entry) []textEdit {
	sizes := map[string]string{}
	for _, a := range e.target.Run.Args {
		name, typ, ok := strings.Cut(a, ":")
		m := plainType.FindStringSubmatch(typ)
		if !ok || m == nil {
			continue
		}
		for i, dim := range strings.Split(m[1], ",") {
			if symbolName.MatchString(dim) && sizes[dim] == "" {
				sizes[dim] = name + ".shape[" + strconv.Itoa(i) + "]"
			}
		}
	}
	at, indent, ok := bodyOf(d, e.at)
	if !ok {
		return nil
	}
	var b strings.Builder
	for _, c := range e.conditions {
		if text, ok := python(c, sizes); ok {
			b.WriteString(indent + "assert " + text + ", \"" + c + "\"" + d.newline())
		}
	}
	if b.Len() == 0 {
		return nil
	}
	where := position{at, 0}
	return []textEdit{{textRange{where, where}, b.String()}}
}

// A type without expressions, a symbol, a rounded quotient in a condition, and any name in it.
var (
	plainType  = lazyregexp.New(`^\w+\[([\w,]*)\]$`)
	symbolName = lazyregexp.New(`^[A-Za-z]\w*$`)
	quotient   = lazyregexp.New(`(ceil|floor)\(([\w ()*+-]+) / (\d+)\)`)
	nameOfSize = lazyregexp.New(`[A-Za-z_]\w*`)
)

// python is a condition on symbols as an expression of Python on sizes; false where it has
// something else. Quotients become Python's floor division.
func python(cond string, sizes map[string]string) (string, bool) {
	text := quotient.ReplaceAllStringFunc(cond, func(q string) string {
		m := quotient.FindStringSubmatch(q)
		if m[1] == "ceil" {
			return "(-(-(" + m[2] + ") // " + m[3] + "))"
		}
		return "((" + m[2] + ") // " + m[3] + ")"
	})
	ok := !strings.ContainsAny(text, "\"\\")
	text = nameOfSize.ReplaceAllStringFunc(text, func(w string) string {
		if size := sizes[w]; size != "" {
			return size
		}
		ok = ok && slices.Contains([]string{"min", "max", "and", "or", "not"}, w)
		return w
	})
	// A quotient that is not rounded would be a float.
	return text, ok && !strings.Contains(strings.ReplaceAll(text, "//", ""), "/")
}

// bodyOf is the line before which statements at the start of a function's body stand, behind its docstring,
// and their indentation; false where the body stands on the line of the def. def is the byte at
// which the function begins.
func bodyOf(d *document, def int) (line int, indent string, ok bool) {
	f := source.NewFile(d.path, d.text)
	tree, _ := parser.Parse(f)
	if tree == nil {
		return 0, "", false
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		fn, is := n.(*ast.FunctionDef)
		if !is || f.Offset(fn.Span().Start) != def || len(fn.Body) == 0 {
			return true
		}
		body := fn.Body
		// A docstring is passed over, unless it is all there is.
		if e, is := body[0].(*ast.ExprStmt); is && len(body) > 1 {
			if _, is := e.Value.(*ast.Constant); is {
				body = body[1:]
			}
		}
		n1, _ := f.LineCol(body[0].Span().Start)
		text := f.Line(n1)
		before := text[:f.Offset(body[0].Span().Start)-f.Offset(f.LineStart(n1))]
		line, indent, ok = n1-1, before, strings.TrimSpace(before) == ""
		return false
	})
	return line, indent, ok
}
