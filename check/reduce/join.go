package reduce

// This file puts a program of several modules into one file. Each module is written once, below
// those that it imports, so that its names exist when it runs. Imports of these modules go: what
// they bind is called by its name in the file.

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// A Module is a file of a program. Paths have slashes, and are all absolute or all relative to one
// folder. The path tells which imports mean it.
type Module struct {
	Path, Text string
}

// Join is the text of main with those of the modules that it imports, directly or not, in the order in which their last line runs.
// Of modules that are not among list the imports stay as they are. What an import of the others gives is called by its name in the
// file; a name that two modules define gets a number in the later one. Where a module is used as an object, one with its names
// takes its place.
//
// It returns an error where a text has a syntax error.
func Join(main Module, list []Module) (string, error) {
	j := &joining{list: list, done: map[string]bool{}, taken: map[string]string{}, names: map[string]map[string]string{}}
	if err := j.add(main, true); err != nil {
		return "", err
	}
	return j.future + j.out.String(), nil
}

// A joining is the state of Join.
type joining struct {
	list   []Module
	done   map[string]bool              // paths of modules that were begun
	taken  map[string]string            // names of the file, and the statement that defines each
	names  map[string]map[string]string // by path of a module: its names, and what the file calls them
	future string                       // imports from __future__, which stand first
	out    strings.Builder
}

// A naming says what the names of a module are in the file.
type naming struct {
	names   map[string]string            // of the top level
	modules map[string]map[string]string // names, also dotted ones, that stand for modules, with the names of those
}

// add writes the statements of a module below those of the modules that it imports.
func (j *joining) add(m Module, main bool) error {
	j.done[m.Path] = true
	tree, diags := parse(m.Text)
	if len(diags) > 0 {
		return fmt.Errorf("%s: %s", m.Path, diags[0])
	}
	here := &naming{names: map[string]string{}, modules: map[string]map[string]string{}}
	j.names[m.Path] = here.names
	imports := map[ast.Node][]string{} // of the list, with what they import of other modules
	var err error
	ast.Inspect(tree, func(n ast.Node) bool {
		if err == nil {
			var kept []string
			var found bool
			if kept, found, err = j.imported(m.Path, n, here); found {
				imports[n] = kept
			}
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	own := map[string]bool{}
	for _, s := range tree.Body {
		for _, name := range boundNames(s) {
			text := strings.TrimSpace(tree.File.Slice(s.Span()))
			if !own[name] { // else it is bound again, under the name that it has
				final := name
				for n := 2; j.taken[final] != "" && j.taken[final] != text; n++ {
					final = fmt.Sprintf("%s_%d", name, n)
				}
				own[name], here.names[name], j.taken[final] = true, final, text
			}
		}
	}
	edits, objects := here.renames(tree)
	for s, kept := range imports {
		text := strings.Join(kept, "; ")
		if text == "" {
			text = "pass"
		}
		edits = append(edits, edit{tree.File.Offset(s.Span().Start), tree.File.Offset(s.Span().End), text})
	}
	for _, name := range objects {
		j.out.WriteString(namespace(name, here.modules[name]) + "\n")
	}
	// The top level is written statement by statement, those on one line together, with the edits that lie in them.
	for i := 0; i < len(tree.Body); i++ {
		s := tree.Body[i]
		from, to := lines(tree.File, s)
		first := i
		for ; i+1 < len(tree.Body) && tree.File.Offset(tree.Body[i+1].Span().Start) < to; i++ {
			_, to = lines(tree.File, tree.Body[i+1])
		}
		text := edited(tree.File, edits, from, to)
		if i > first {
			j.out.WriteString(text)
			continue
		}
		switch x := s.(type) {
		case *ast.ImportFrom:
			if x.Module.Name == "__future__" {
				if !strings.Contains(j.future, text) {
					j.future += text
				}
				continue
			}
		case *ast.If:
			if !main && isMainTest(x.Test) {
				continue
			}
		}
		if slices.Contains(boundNames(s), "__all__") || strings.TrimSpace(text) == "pass" {
			continue
		}
		j.out.WriteString(text)
	}
	return nil
}

// renames are the edits that give the names of a module those of the file, and the names of modules that it uses as objects. A
// parameter hides a name in its function.
func (x *naming) renames(tree *ast.Module) (edits []edit, objects []string) {
	replace := func(s source.Span, by string) {
		if f := tree.File; f.Slice(s) != by {
			edits = append(edits, edit{f.Offset(s.Start), f.Offset(s.End), by})
		}
	}
	var visit func(n ast.Node, hidden []string)
	visit = func(n ast.Node, hidden []string) {
		switch n := n.(type) {
		case *ast.Name:
			if by := x.names[n.ID]; by != "" && !slices.Contains(hidden, n.ID) {
				replace(n.Span(), by)
			}
			if x.modules[n.ID] != nil && !slices.Contains(hidden, n.ID) && !slices.Contains(objects, n.ID) {
				objects = append(objects, n.ID)
			}
			return
		case *ast.Attribute:
			if by := x.modules[dotted(n.Value)][n.Attr.Name]; by != "" {
				replace(n.Span(), by)
				return
			}
			if name := dotted(n); x.modules[name] != nil {
				if !slices.Contains(objects, name) {
					objects = append(objects, name)
				}
				return
			}
		case *ast.FunctionDef:
			hidden = append(hidden[:len(hidden):len(hidden)], parameters(n.Params)...)
		case *ast.Lambda:
			hidden = append(hidden[:len(hidden):len(hidden)], parameters(n.Params)...)
		}
		ast.Children(n, func(c ast.Node) { visit(c, hidden) })
	}
	for _, s := range tree.Body {
		switch s := s.(type) {
		case *ast.FunctionDef:
			if by := x.names[s.Name.Name]; by != "" {
				replace(s.Name.Span(), by)
			}
		case *ast.ClassDef:
			if by := x.names[s.Name.Name]; by != "" {
				replace(s.Name.Span(), by)
			}
		}
		visit(s, nil)
	}
	slices.Sort(objects)
	return edits, objects
}

func parameters(p *ast.Params) []string {
	var out []string
	for _, x := range slices.Concat(p.PosOnly, p.Args, p.KwOnly, []*ast.Param{p.VarArg, p.KwArg}) {
		if x != nil {
			out = append(out, x.Name)
		}
	}
	return out
}

// dotted is the text of a name with attributes, as in a.b.c; empty for other expressions.
func dotted(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Name:
		return e.ID
	case *ast.Attribute:
		if in := dotted(e.Value); in != "" {
			return in + "." + e.Attr.Name
		}
	}
	return ""
}

// edited are the bytes of a file from start to end, with edits that lie in them. A text that ends
// without a line end gets one.
func edited(f *source.File, edits []edit, start, end int) string {
	var own []edit
	for _, e := range edits {
		if e.start >= start && e.end <= end {
			own = append(own, edit{e.start - start, e.end - start, e.text})
		}
	}
	text := apply(f.Text()[start:end], own)
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// isMainTest reports whether e is __name__ == "__main__". Only the left side is looked at.
func isMainTest(e ast.Expr) bool {
	c, ok := e.(*ast.Compare)
	if !ok {
		return false
	}
	n, ok := c.Left.(*ast.Name)
	return ok && n.ID == "__name__"
}

// boundNames are the names that a statement of the top level binds, those of imports apart: those
// may stand twice. Names of with, for and other statements are left out.
func boundNames(s ast.Stmt) []string {
	switch s := s.(type) {
	case *ast.FunctionDef:
		return []string{s.Name.Name}
	case *ast.ClassDef:
		return []string{s.Name.Name}
	case *ast.AnnAssign:
		return targets(s.Target)
	case *ast.Assign:
		var out []string
		for _, t := range s.Targets {
			out = append(out, targets(t)...)
		}
		return out
	}
	return nil
}

// Attributes and elements bind no names.
func targets(e ast.Expr) []string {
	switch e := e.(type) {
	case *ast.Name:
		return []string{e.ID}
	case *ast.Tuple:
		var out []string
		for _, x := range e.Elts {
			out = append(out, targets(x)...)
		}
		return out
	}
	return nil
}

// namespace is a statement that makes the dotted name of a module an object with its names.
func namespace(name string, names map[string]string) string {
	var fields []string
	for n, final := range names {
		fields = append(fields, fmt.Sprintf("%s=%s", n, final))
	}
	slices.Sort(fields)
	value := "__import__('types').SimpleNamespace(" + strings.Join(fields, ", ") + ")"
	parts := strings.Split(name, ".")
	for i := len(parts) - 1; i > 0; i-- {
		value = fmt.Sprintf("__import__('types').SimpleNamespace(%s=%s)", parts[i], value)
	}
	return parts[0] + " = " + value
}

// imported adds the modules of the list that a statement imports, and notes what it binds. found reports whether there are any,
// and kept are its imports of other modules.
func (j *joining) imported(from string, n ast.Node, here *naming) (kept []string, found bool, err error) {
	need := func(m *Module) (map[string]string, error) {
		found = true
		if !j.done[m.Path] {
			if err := j.add(*m, false); err != nil {
				return nil, err
			}
		}
		return j.names[m.Path], nil
	}
	switch s := n.(type) {
	case *ast.Import:
		for _, a := range s.Names {
			m := j.find(from, 0, a.Name.Name)
			if m == nil {
				word := "import " + a.Name.Name
				if a.AsName.Name != "" {
					word += " as " + a.AsName.Name
				}
				kept = append(kept, word)
				continue
			}
			names, err := need(m)
			if err != nil {
				return kept, found, err
			}
			here.modules[cmp.Or(a.AsName.Name, a.Name.Name)] = names
		}
	case *ast.ImportFrom:
		for _, a := range s.Names {
			name := cmp.Or(a.AsName.Name, a.Name.Name)
			inner := a.Name.Name
			if s.Module.Name != "" {
				inner = s.Module.Name + "." + inner
			}
			if m := j.find(from, s.Level, inner); m != nil && a.Name.Name != "*" {
				names, err := need(m)
				if err != nil {
					return kept, found, err
				}
				here.modules[name] = names
				continue
			}
			m := j.find(from, s.Level, s.Module.Name)
			if m == nil {
				continue
			}
			names, err := need(m)
			if err != nil {
				return kept, found, err
			}
			if a.Name.Name == "*" {
				maps.Copy(here.names, names)
			} else if names[a.Name.Name] != "" {
				here.names[name] = names[a.Name.Name]
			}
		}
	}
	return kept, found, nil
}

// find is the module of the list that a name means in the file at a path: below its folder for names with dots in front, else the one
// whose path ends with the name and has the longest part in common with the file's. Of several
// modules the one nearest to the importing file is meant. nil for modules outside of the list.
func (j *joining) find(from string, level int, dotted string) *Module {
	file := strings.ReplaceAll(dotted, ".", "/")
	ends := []string{file + ".py", file + "/__init__.py"}
	if level > 0 {
		dir := path.Dir(from)
		for range level - 1 {
			dir = path.Dir(dir)
		}
		if dotted == "" {
			ends = []string{"__init__.py"}
		}
		for i := range j.list {
			for _, e := range ends {
				if j.list[i].Path == path.Join(dir, e) {
					return &j.list[i]
				}
			}
		}
		return nil
	}
	var best *Module
	common := -1
	for i := range j.list {
		m := &j.list[i]
		for _, e := range ends {
			if dotted == "" || m.Path != e && !strings.HasSuffix(m.Path, "/"+e) {
				continue
			}
			if n := commonPrefix(m.Path, from); n > common {
				best, common = m, n
			}
		}
	}
	return best
}

// commonPrefix is the number of bytes at the start of both. Paths are compared byte by byte.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
