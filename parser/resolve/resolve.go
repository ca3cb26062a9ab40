// Package resolve finds out which variable each name of a file means.
//
// The rules are those of CPython's symbol table. A function's variables are
// numbered; the numbers, in Scope and Binding, let an interpreter keep them in
// slices. Errors that CPython reports after parsing (such as "return" outside a
// function) are reported here, not by package parser.
//
// One simplification: the type parameters of PEP 695 are variables of the scope
// around the def, class or type statement. CPython gives them a scope of their own.
//
// resolve.go has the results, symbols.go the algorithm, stmt.go and expr.go the walk, unbound.go names that nothing binds.
package resolve

// This file defines the results.

import (
	"slices"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
)

// A Kind says how a name is looked up.
type Kind uint8

const (
	// Builtin is a name that this file never binds at module level: a built-in,
	// or a name that a star import or another module provides.
	Builtin Kind = iota
	// Global is a variable of the module.
	Global
	// Local is a variable of the function, in Slot.
	Local
	// Cell is a Local that inner functions use, too.
	Cell
	// Free is a variable of an enclosing function: Slot counts Scope.Free.
	Free
	// Class is a name in a class body: first a key of the class's namespace; then,
	// if Slot is not negative, the free variable Slot; else a global or built-in.
	Class
)

func (k Kind) String() string {
	return [...]string{"builtin", "global", "local", "cell", "free", "class"}[k]
}

// A Binding is what a name means in one scope.
type Binding struct {
	Kind Kind
	Slot int32
}

// A ScopeKind is what a scope belongs to.
type ScopeKind uint8

const (
	ModuleScope ScopeKind = iota
	FunctionScope
	LambdaScope
	ClassScope
	ComprehensionScope
)

func (k ScopeKind) String() string {
	return [...]string{"module", "function", "lambda", "class", "comprehension"}[k]
}

// A Scope is the variables of one module, function, lambda, class or
// comprehension. The scope of a comprehension is entered with the value of its
// first iterable, which is evaluated in the scope around it.
type Scope struct {
	Kind   ScopeKind
	Parent int32 // index of the scope around it; -1 for the module
	Node   ast.Node
	// Name is the name of the function or class.
	Name string
	// ClassName is the name of the innermost class around the code, or "": see Mangle.
	ClassName string
	// Locals are the names of the slots: parameters first, in the order
	// positional-only, positional, keyword-only, *args, **kwargs. A class has the
	// slot "__class__" if a method needs it, and no other.
	Locals    []string
	NumParams int
	// Free are the variables of enclosing functions.
	Free []Capture

	IsGenerator bool // yield, or a generator expression
	IsCoroutine bool // async def, or a comprehension with async parts
	HasStar     bool // a star import
	// UsesClass is set for functions that use super or __class__.
	UsesClass bool

	cells   []bool // by slot; nil when there are none
	symbols []int32
	index   map[string]int32 // of the symbols by their names; nil where they are few
}

// IsCell reports whether inner functions use the local variable in slot.
func (s *Scope) IsCell(slot int) bool { return s.cells != nil && s.cells[slot] }

// A Capture says where a free variable comes from when the function is made: the
// cell in a slot of the scope around it, or one of that scope's free variables.
type Capture struct {
	Name     string
	FromCell bool
	Index    int32
}

// Info is the result for one file.
type Info struct {
	// Names has the binding of each Name node, by Name.Index.
	Names []Binding
	// Scopes are indexed by the Scope fields of the tree; 0 is the module.
	Scopes []Scope

	symbols []symbol
	texts   []string // of the name numbers
}

// Bind returns what name means in a scope. It serves names that are no Name
// nodes: of functions, classes, imports and global statements.
func (in *Info) Bind(scope int32, name string) Binding {
	s := &in.Scopes[scope]
	if s.ClassName != "" {
		name = Mangle(s.ClassName, name)
	}
	if s.index != nil {
		if i, ok := s.index[name]; ok {
			return in.symbols[i].binding
		}
		return Binding{Kind: Builtin}
	}
	for _, i := range s.symbols {
		if in.texts[in.symbols[i].name] == name {
			return in.symbols[i].binding
		}
	}
	return Binding{Kind: Builtin}
}

// manySymbols is the number of symbols from which a scope has an index.
const manySymbols = 256

// indexScopes makes the indices of scopes with many symbols, each of which Bind may be asked for.
func (in *Info) indexScopes() {
	for k := range in.Scopes {
		s := &in.Scopes[k]
		if len(s.symbols) < manySymbols {
			continue
		}
		s.index = make(map[string]int32, len(s.symbols))
		for _, i := range slices.Backward(s.symbols) { // the first counts
			s.index[in.texts[in.symbols[i].name]] = i
		}
	}
}

// Mangle returns the private form of __name in a class: _Class__name.
func Mangle(class, name string) string {
	if len(name) < 3 || name[0] != '_' || name[1] != '_' || strings.HasSuffix(name, "__") || strings.IndexByte(name, '.') >= 0 {
		return name
	}
	class = strings.TrimLeft(class, "_")
	if class == "" {
		return name
	}
	return "_" + class + name
}

// Resolve resolves all names of m. The result is complete even after errors.
func Resolve(m *ast.Module) (*Info, []*diag.Diagnostic) {
	r := newResolver(m)
	r.enter(0, ModuleScope, m, "")
	r.stmts(m.Body)
	r.exit()
	r.assign()
	r.done()
	r.info.indexScopes()
	diag.Sort(r.diags)
	return r.info, r.diags
}
