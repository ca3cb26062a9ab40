package text

// This file finds programs that have a framework trace their functions.

import (
	"slices"
	"strings"

	"shapecheck/parser/ast"
)

// tracers are the functions that trace what they are given, by their full names.
var tracers = []string{"torch.compile", "jax.jit", "tensorflow.function"}

// Traces reports whether the file names a function that traces what it is given, also as a decorator.
func (f *File) Traces() bool {
	means := map[string]string{} // names by what they are bound to
	ast.Inspect(f.tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Import:
			for _, a := range n.Names {
				name, full := a.AsName.Name, a.Name.Name
				if name == "" {
					name, _, _ = strings.Cut(full, ".")
					full = name
				}
				means[name] = full
			}
		case *ast.ImportFrom:
			for _, a := range n.Names {
				name := a.Name.Name
				if a.AsName.Name != "" {
					name = a.AsName.Name
				}
				if n.Level == 0 {
					means[name] = n.Module.Name + "." + a.Name.Name
				}
			}
		}
		return true
	})
	found := false
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && !found {
			name := dottedName(e)
			head, rest, _ := strings.Cut(name, ".")
			full := means[head]
			if rest != "" {
				full += "." + rest
			}
			found = means[head] != "" && slices.Contains(tracers, full)
		}
		return !found
	})
	return found
}
