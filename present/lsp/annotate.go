package lsp

// This file writes the sizes of an entry's arguments as annotations of jaxtyping. It is a code
// action of an entry: def forward(self, x) becomes x: Float[Tensor, "B 3 H W"], by the contract
// that the check found.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

// annotated are edits that annotate the parameters of an entry's function and import what the annotations name. Parameters
// that have an annotation other than that they are tensors, and those that may be None, are left alone; without any other
// there are none, nor where a file means something else by the names. Edits are in the positions of
// the client's encoding.
func (s *Server) annotated(d *document, e *entry) []textEdit {
	f := source.NewFile(d.path, d.text)
	tree, _ := parser.Parse(f)
	if tree == nil {
		return nil
	}
	// The entry's function is found by where its definition begins.
	var fn *ast.FunctionDef
	ast.Inspect(tree, func(n ast.Node) bool {
		if x, ok := n.(*ast.FunctionDef); ok && f.Offset(x.Span().Start) == e.at {
			fn = x
		}
		return fn == nil
	})
	if fn == nil || fn.Params == nil {
		return nil
	}
	at := func(offset int) position {
		line, col := d.lines.at(offset)
		return position{line, s.encoding.character(d.lines.line(d.text, line), col)}
	}
	var out []textEdit
	var kinds []string
	for _, p := range slices.Concat(fn.Params.PosOnly, fn.Params.Args, fn.Params.KwOnly) {
		i := slices.IndexFunc(e.annotations, func(a annotation) bool { return a.name == p.Name })
		// A parameter with a default may be given as None or left out.
		if i < 0 || p.Default != nil {
			continue
		}
		a := e.annotations[i]
		start := f.Offset(p.Span().Start) + len(p.Name)
		end := f.Offset(p.Span().End)
		// Only an annotation that says no more than Tensor is replaced.
		if was := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(d.text[start:end]), ":")); was != "" && was != "Tensor" &&
			was != "torch.Tensor" {
			continue
		}
		out = append(out, textEdit{textRange{at(start), at(end)}, ": " + a.text})
		// kinds are the names to import, each once.
		if !slices.Contains(kinds, a.kind) {
			kinds = append(kinds, a.kind)
		}
	}
	if len(out) == 0 {
		return nil
	}
	slices.Sort(kinds)
	imports, line, ok := importsOf(f, tree, kinds)
	if !ok {
		return nil
	}
	// The import comes first in the list; edits of one document do not overlap, so that their order
	// does not matter.
	if imports != "" {
		where := position{line, 0}
		out = append([]textEdit{{textRange{where, where}, strings.ReplaceAll(imports, "\n", d.newline())}}, out...)
	}
	return out
}

// importsOf are the imports of jaxtyping's kinds and of Tensor that a module lacks, and the line before which they stand,
// behind its other imports; false where it means something else by one of the names. Definitions of
// the module count: a class named Float is another Float.
func importsOf(f *source.File, tree *ast.Module, kinds []string) (text string, line int, ok bool) {
	from := map[string]string{} // the modules of imported names
	for i, x := range tree.Body {
		switch x := x.(type) {
		case *ast.ImportFrom:
			for _, a := range x.Names {
				name := a.AsName.Name
				if name == "" {
					name = a.Name.Name
				}
				from[name] = x.Module.Name
				if a.Name.Name != name {
					from[name] += "." + a.Name.Name
				}
			}
		case *ast.Import:
		case *ast.ClassDef:
			from[x.Name.Name] = "."
			continue
		// The doc string is passed by, at the beginning alone.
		case *ast.ExprStmt:
			if _, doc := x.Value.(*ast.Constant); !doc || i > 0 {
				continue
			}
		default:
			continue
		}
		// The last import, or the doc string, decides the line.
		n, _ := f.LineCol(x.Span().End)
		line = n
	}
	// A name that is imported from jaxtyping is there; one from elsewhere is a conflict.
	var missing []string
	for _, k := range kinds {
		switch from[k] {
		case "":
			missing = append(missing, k)
		case "jaxtyping":
		default:
			return "", 0, false
		}
	}
	if len(missing) > 0 {
		text = fmt.Sprintf("from jaxtyping import %s\n", strings.Join(missing, ", "))
	}
	switch from["Tensor"] {
	case "":
		text += "from torch import Tensor\n"
	case "torch":
	default:
		return "", 0, false
	}
	return text, line, true
}
