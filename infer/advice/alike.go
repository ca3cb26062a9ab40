package advice

// This file finds calls that are written alike: of three layers of one wrong width each is made by its own call, and all have
// one cause.

import (
	"cmp"
	"slices"
	"sort"

	"shapecheck/internal/inorder"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// Alike knows the calls of the statements that it was asked for, so that many findings of a long file take time in proportion to both.
// It is made by NewAlike.
type Alike struct {
	h     Host
	calls map[ast.Stmt]map[source.Span]source.Span
}

// NewAlike looks into no file yet.
func NewAlike(h Host) *Alike { return &Alike{h, map[ast.Stmt]map[source.Span]source.Span{}} }

// Born gives the places where sizes were made with the first call of a function for all of its calls that are written alike; nil where
// less than two are left.
func (a *Alike) Born(places []source.Span) []source.Span {
	var out []source.Span
	for _, at := range places {
		if at = a.first(at); !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	if len(out) < 2 {
		return nil
	}
	inorder.By(out, func(a, b source.Span) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	return out
}

// first is the first call in the function around the call at a place that has the same text.
func (a *Alike) first(at source.Span) source.Span {
	file := a.h.Files().File(at.Start)
	if file == nil || file.Prelude {
		return at
	}
	tree := a.h.Tree(file)
	if tree == nil {
		return at
	}
	i := sort.Search(len(tree.Body), func(i int) bool { return tree.Body[i].Span().End >= at.End })
	if i == len(tree.Body) {
		return at
	}
	s := tree.Body[i]
	if a.calls[s] == nil {
		a.calls[s] = a.callsIn(file, s)
	}
	if first, ok := a.calls[s][at]; ok {
		return first
	}
	return at
}

// maxAlike bounds the texts of calls that are compared, in bytes: the calls of a chain hold each other.
const maxAlike = 4096

// callsIn gives for each call of a statement of the top level the first one in its function that has the same text. Calls outside of
// functions are left out.
func (a *Alike) callsIn(file *source.File, s ast.Stmt) map[source.Span]source.Span {
	out := map[source.Span]source.Span{}
	// The calls inside of a function count for it, and so do those of its decorators; around are the functions, innermost last.
	type function struct {
		span  source.Span
		first map[string]source.Span
	}
	var around []function
	type found struct {
		at  source.Span
		def *function
	}
	var calls []found
	var walk func(n ast.Node)
	walk = func(n ast.Node) {
		if def, ok := n.(*ast.FunctionDef); ok {
			n = a.h.Whole(def)
			around = append(around, function{def.Span(), map[string]source.Span{}})
			defer func() { around = around[:len(around)-1] }()
		}
		if c, ok := n.(*ast.Call); ok && c.Span().End-c.Span().Start <= maxAlike {
			at := c.Span()
			words := file.Slice(at)
			var innermost *function
			for i := range around {
				f := around[i]
				if first, ok := f.first[words]; !ok || at.Start < first.Start {
					f.first[words] = at
				}
				if f.span.Contains(at) {
					innermost = &f
				}
			}
			if innermost != nil {
				calls = append(calls, found{at, innermost})
			}
		}
		ast.Children(n, walk)
	}
	walk(s)
	for _, c := range calls {
		out[c.at] = c.def.first[file.Slice(c.at)]
	}
	return out
}
