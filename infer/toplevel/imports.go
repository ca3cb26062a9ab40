package toplevel

import (
	"strings"

	"shapecheck/internal/inorder"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// LazyPart gives the branch for type checkers of a statement that puts another object in
// the module's place; nil for other statements.
func LazyPart(s ast.Stmt) []ast.Stmt {
	branch, ok := s.(*ast.If)
	if !ok || !ForTypeCheckers(branch.Test) {
		return nil
	}
	for _, s := range branch.Else {
		if a, ok := s.(*ast.Assign); ok && len(a.Targets) == 1 && isOwnPlace(a.Targets[0]) {
			return branch.Body
		}
	}
	return nil
}

// ForTypeCheckers reports whether a condition is TYPE_CHECKING, perhaps or something else.
func ForTypeCheckers(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Name:
		return e.ID == "TYPE_CHECKING"
	case *ast.Attribute:
		return e.Attr.Name == "TYPE_CHECKING"
	case *ast.BoolOp:
		return e.Op == ast.Or && ForTypeCheckers(e.Values[0])
	}
	return false
}

// isOwnPlace reports whether an expression is sys.modules[__name__].
func isOwnPlace(e ast.Expr) bool {
	s, ok := e.(*ast.Subscript)
	if !ok {
		return false
	}
	table, ok := s.Value.(*ast.Attribute)
	name, isName := s.Index.(*ast.Name)
	return ok && isName && table.Attr.Name == "modules" && name.ID == "__name__"
}

// Binds reports whether imports in s bind a name that they tell.
func Binds(s ast.Stmt, name string) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		if from, ok := n.(*ast.ImportFrom); ok {
			for _, a := range from.Names {
				found = found || a.AsName.Name == name || a.AsName.Name == "" && a.Name.Name == name
			}
		}
		_, isExpr := n.(ast.Expr)
		return !isExpr && !found
	})
	return found
}

// A StarImport is an import of all names and the statement of a body that holds it.
type StarImport struct {
	From *ast.ImportFrom
	Stmt ast.Stmt
}

// StarImports lists the star imports of a module's top level, also those under conditions.
func StarImports(body []ast.Stmt) []StarImport {
	var out []StarImport
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			if from, ok := n.(*ast.ImportFrom); ok && len(from.Names) == 1 && from.Names[0].Name.Name == "*" {
				out = append(out, StarImport{from, s})
			}
			_, isExpr := n.(ast.Expr)
			return !isExpr
		})
	}
	return out
}

// SortByName puts first the modules with whose names name begins, the longest first:
// LlamaModel is more likely in llama than in albert.
func SortByName(list []StarImport, name string) {
	name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
	likely := func(s StarImport) int {
		key := s.From.Module.Name[strings.LastIndexByte(s.From.Module.Name, '.')+1:]
		if key = strings.ReplaceAll(key, "_", ""); strings.HasPrefix(name, key) {
			return len(key)
		}
		return 0
	}
	inorder.StableBy(list, func(a, b StarImport) int { return likely(b) - likely(a) })
}

// FirstImports are the imports before the first statement that may do something else. Among them stand
// statements that choose between imports, and those that are for type checkers.
func FirstImports(body []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range body {
		switch s := s.(type) {
		case *ast.Import, *ast.ImportFrom:
			out = append(out, s)
			continue
		case *ast.Try:
			if choosesImport(s) {
				out = append(out, s)
				continue
			}
		case *ast.If:
			if ForTypeCheckers(s.Test) && len(s.Else) == 0 {
				out = append(out, s)
				continue
			}
		case *ast.ExprStmt:
			if _, ok := s.Value.(*ast.Constant); ok {
				continue
			}
		}
		break
	}
	return out
}

// choosesImport reports whether a try statement imports one thing or, where that is missing, another, and does no more
// than note which it was.
func choosesImport(s *ast.Try) bool {
	notes := func(list []ast.Stmt) bool {
		for _, s := range list {
			switch s := s.(type) {
			case *ast.Import, *ast.ImportFrom, *ast.Pass:
				continue
			case *ast.Assign:
				_, name := s.Targets[0].(*ast.Name)
				if _, constant := s.Value.(*ast.Constant); name && constant && len(s.Targets) == 1 {
					continue
				}
			}
			return false
		}
		return true
	}
	if s.Star || len(s.Finally) > 0 || !notes(s.Body) || !notes(s.Else) {
		return false
	}
	for _, h := range s.Handlers {
		if _, name := h.Type.(*ast.Name); !name || !notes(h.Body) {
			return false
		}
	}
	return true
}

// ImportsText is the text of the first imports of a file, a line for each.
func ImportsText(file *source.File, body []ast.Stmt) string {
	var b strings.Builder
	text := file.Text()
	for _, s := range FirstImports(body) {
		at := s.Span()
		b.WriteString(text[file.Offset(at.Start):file.Offset(at.End)])
		b.WriteByte('\n')
	}
	return b.String()
}

// RelativeLevel is the largest number of dots of a file's relative imports.
func RelativeLevel(tree *ast.Module) int {
	level := 0
	ast.Inspect(tree, func(n ast.Node) bool {
		if s, ok := n.(*ast.ImportFrom); ok {
			level = max(level, s.Level)
		}
		_, isExpr := n.(ast.Expr)
		return !isExpr
	})
	return level
}

// OnlyBinding is the one statement that Binds a name of a module, where it is simple: NAME = constant,
// or from … import NAME; nil otherwise.
func OnlyBinding(tree *ast.Module, name string) ast.Stmt {
	bindings := 0
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Name:
			if n.ID == name && n.Ctx != ast.Load {
				bindings++
			}
		case *ast.Alias:
			if as := n.AsName.Name; as == name || as == "" && n.Name.Name == name || n.Name.Name == "*" {
				bindings++
			}
		case *ast.FunctionDef:
			if n.Name.Name == name {
				bindings++
			}
		case *ast.ClassDef:
			if n.Name.Name == name {
				bindings++
			}
		}
		return true
	})
	if bindings != 1 {
		return nil
	}
	for _, s := range tree.Body {
		switch s := s.(type) {
		case *ast.Assign:
			if len(s.Targets) != 1 {
				continue
			}
			x, ok := s.Targets[0].(*ast.Name)
			if _, constant := s.Value.(*ast.Constant); ok && constant && x.ID == name {
				return s
			}
		case *ast.ImportFrom:
			for _, a := range s.Names {
				if as := a.AsName.Name; as == name || as == "" && a.Name.Name == name {
					return s
				}
			}
		}
	}
	return nil
}
