package trace

// This file follows what the results of branches are used for. A trace that took one way of a
// branch is only wrong where something depends on the way: where no operation uses what the branch
// gave, another outcome changes nothing. Names are followed through the syntax of each function
// without running it, tensors through the operations that were recorded. What is marked may be too
// much, but for the limits that influenced names.

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

// influenced are the operations of a call that use what its places gave: a name that one of the ways binds, the value of a conditional
// expression, or a tensor that such an operation or one in a way made. A name is followed in its function, a tensor everywhere.
// Attributes are not followed, nor is what comes after an early return.
func influenced(r *infer.Result, c *infer.TracedCall, places []*infer.Decision) []operation {
	// For each file the places in it, and which way each if statement took, where that is known.
	files := map[*source.File]*influence{}
	for _, x := range places {
		f := r.Files.Position(x.At.Start).File
		if files[f] == nil {
			files[f] = &influence{ways: map[source.Pos][]int{}, places: map[source.Span]bool{}}
		}
		files[f].places[x.At] = true
	}
	var uses, within []source.Span
	for f, i := range files {
		for _, x := range c.Decisions {
			if x.Kind == infer.DecisionIf && known(x) && r.Files.Position(x.At.Start).File == f {
				i.ways[x.At.Start] = x.Ways
			}
		}
		tree, _ := parser.Parse(f)
		i.block(tree.Body, names{})
		uses = slices.AppendSeq(uses, maps.Keys(i.uses))
	}
	// The lines of the ways that were taken.
	for _, x := range places {
		for way, span := range []source.Span{x.Else, x.Then} {
			if span.End > span.Start && slices.Contains(x.Ways, way) {
				within = append(within, span)
			}
		}
	}
	var out []operation
	made := map[*graph.Value]bool{} // whether what made a value did so in a way, or used what one gave
	// In the order of the calls, so that what an operation made is known to later ones.
	for _, o := range c.Ops {
		contains := func(s source.Span) bool { return o.At.Start <= s.Start && s.End <= o.At.End }
		named := func(k value.Kw) bool { return anyTensor(made, k.Value) }
		// It reads a marked name, or takes a marked tensor.
		uses := slices.ContainsFunc(uses, contains) || anyTensor(made, o.In...) || slices.ContainsFunc(o.Kw, named)
		if x, computes := operationOf(o); uses && computes {
			out = append(out, x)
		}
		in := slices.ContainsFunc(within, func(s source.Span) bool { return s.Start <= o.At.Start && o.At.End <= s.End })
		// The results of marked operations are marked.
		for k, v := range append(slices.Clone(o.In), o.Out) {
			for t := range tensorsIn(v) {
				if _, known := made[t.V]; !known {
					made[t.V] = (uses || in) && k == len(o.In)
				}
			}
		}
	}
	return out
}

// anyTensor reports whether one of the tensors of values is in a set.
func anyTensor(set map[*graph.Value]bool, list ...value.Value) bool {
	for _, v := range list {
		for t := range tensorsIn(v) {
			if set[t.V] {
				return true
			}
		}
	}
	return false
}

// tensorsIn are the tensors of a value and of the containers in it.
func tensorsIn(v value.Value) iter.Seq[*value.Tensor] {
	return func(yield func(*value.Tensor) bool) {
		if v == nil {
			return
		}
		for x := range value.Walk(v, depthOfOperands, value.Sequences|value.DictValues|value.Sides) {
			if t, ok := x.(*value.Tensor); ok && t.V != nil && !yield(t) {
				return
			}
		}
	}
}

// depthOfOperands is how deep the tensors of operations lie in containers.
const depthOfOperands = 4

// names are variables of a function that hold what a branch gave.
type names map[string]bool

// An influence follows the variables of a file.
type influence struct {
	steps  int                  // statements so far: those of nested loops are passed several times
	places map[source.Span]bool // those whose results are followed
	ways   map[source.Pos][]int // that if statements went, where it is known
	uses   map[source.Span]bool // the reads of such variables, and conditional expressions
}

// block follows statements: held are the names before them, and after them.
func (i *influence) block(body []ast.Stmt, held names) {
	for _, s := range body {
		if i.steps++; i.steps > maxSteps {
			return
		}
		i.statement(s, held)
	}
}

// maxSteps bounds the work for a file: what comes later has no marks.
const maxSteps = 1e6

// statement follows through a statement the variables that hold what a branch gave: held are those before it, and after
// it. The alternatives of a statement are followed apart and united.
func (i *influence) statement(s ast.Stmt, held names) {
	switch s := s.(type) {
	case *ast.FunctionDef:
		i.block(s.Body, names{})
	case *ast.ClassDef:
		i.block(s.Body, names{})
	case *ast.If:
		i.expression(s.Test, held)
		// A place whose result is followed: all that either side binds is marked.
		i.either(held, i.taken(s)...)
		if i.places[s.Span()] {
			bind(held, s.Body...)
			bind(held, s.Else...)
		}
	case *ast.For:
		used := i.expression(s.Iter, held)
		i.loop(held, func(held names) {
			i.assign(s.Target, used, held)
			i.block(s.Body, held)
		})
		i.block(s.Else, held)
	case *ast.While:
		i.loop(held, func(held names) {
			i.expression(s.Test, held)
			i.block(s.Body, held)
		})
		i.block(s.Else, held)
	case *ast.With:
		for _, x := range s.Items {
			if used := i.expression(x.Context, held); x.Target != nil {
				i.assign(x.Target, used, held)
			}
		}
		i.block(s.Body, held)
	case *ast.Match:
		i.expression(s.Subject, held)
		var cases [][]ast.Stmt
		for _, c := range s.Cases {
			cases = append(cases, c.Body)
		}
		// No case may fit, so that nothing runs.
		i.either(held, append(cases, nil)...)
	case *ast.Try:
		ways := [][]ast.Stmt{slices.Concat(s.Body, s.Else)}
		for _, h := range s.Handlers {
			ways = append(ways, h.Body)
		}
		i.either(held, ways...)
		i.block(s.Finally, held)
	case *ast.Assign:
		used := i.expression(s.Value, held)
		for _, t := range s.Targets {
			i.assign(t, used, held)
		}
	case *ast.AnnAssign:
		if s.Value != nil {
			i.assign(s.Target, i.expression(s.Value, held), held)
		}
	case *ast.AugAssign:
		// x += y uses x, too.
		used := i.expression(s.Value, held)
		if n, ok := s.Target.(*ast.Name); ok && held[n.ID] {
			i.use(n)
			used = true
		}
		i.assign(s.Target, used, held)
	// Expressions anywhere in other statements; a call may change the object of a variable.
	default:
		ast.Children(s, func(n ast.Node) {
			if e, ok := n.(ast.Expr); ok && i.expression(e, held) {
				if x := changed(s); x != "" {
					held[x] = true
				}
			}
		})
	}
}

// taken are the sides of an if statement that ran, both where that is not known.
func (i *influence) taken(s *ast.If) [][]ast.Stmt {
	ways, ok := i.ways[s.Span().Start]
	var out [][]ast.Stmt
	for way, side := range [][]ast.Stmt{s.Else, s.Body} {
		if !ok || slices.Contains(ways, way) {
			out = append(out, side)
		}
	}
	return out
}

// either follows blocks of which one runs: the names after it are those after any of them.
func (i *influence) either(held names, blocks ...[]ast.Stmt) {
	if len(blocks) == 0 {
		return
	}
	before := maps.Clone(held)
	clear(held)
	for _, b := range blocks {
		after := maps.Clone(before)
		i.block(b, after)
		maps.Copy(held, after)
	}
}

// loop follows a body that runs any number of times, until no name is added.
func (i *influence) loop(held names, body func(names)) {
	for n := -1; n < len(held); {
		n = len(held)
		after := maps.Clone(held)
		body(after)
		maps.Copy(held, after)
	}
}

// expression notes what an expression reads and reports whether that is the result of a branch.
func (i *influence) expression(e ast.Expr, held names) bool {
	used := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.Name:
			if x.Ctx == ast.Load && held[x.ID] {
				i.use(x)
				used = true
			}
		case *ast.IfExp, *ast.BoolOp:
			if i.places[n.Span()] {
				i.use(n)
				used = true
			}
		case *ast.NamedExpr:
			i.assign(x.Target, i.expression(x.Value, held), held)
		}
		return true
	})
	return used
}

// use marks a read.
func (i *influence) use(n ast.Node) {
	if i.uses == nil {
		i.uses = map[source.Span]bool{}
	}
	i.uses[n.Span()] = true
}

// assign binds a target: a variable has what is assigned, an object has it besides what it had.
// used says whether it is marked.
func (i *influence) assign(target ast.Expr, used bool, held names) {
	if n, ok := target.(*ast.Name); ok && !used {
		delete(held, n.ID)
		return
	}
	if used {
		for _, name := range targets(target) {
			held[name] = true
		}
		return
	}
	switch t := target.(type) {
	case *ast.Tuple:
		for _, e := range t.Elts {
			i.assign(e, used, held)
		}
	case *ast.List:
		for _, e := range t.Elts {
			i.assign(e, used, held)
		}
	}
}

// targets are the variables that an assignment to a target binds, or changes an element of.
func targets(e ast.Expr) []string {
	switch e := e.(type) {
	case *ast.Name:
		return []string{e.ID}
	case *ast.Subscript:
		return targets(e.Value)
	case *ast.Starred:
		return targets(e.Value)
	case *ast.Tuple:
		return targetsOf(e.Elts)
	case *ast.List:
		return targetsOf(e.Elts)
	}
	return nil // an attribute
}

// targetsOf are those of several targets.
func targetsOf(list []ast.Expr) []string {
	var out []string
	for _, e := range list {
		out = append(out, targets(e)...)
	}
	return out
}

// bind adds the variables that statements bind or change, but for those of functions and classes
// inside.
func bind(held names, body ...ast.Stmt) {
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			var list []string
			switch x := n.(type) {
			case *ast.FunctionDef, *ast.ClassDef, *ast.Lambda:
				return false
			case *ast.Name:
				if x.Ctx == ast.Store {
					list = []string{x.ID}
				}
			case *ast.Subscript:
				if x.Ctx == ast.Store {
					list = targets(x)
				}
			case *ast.ExprStmt:
				list = []string{changed(x)}
			}
			for _, name := range list {
				held[name] = true
			}
			return true
		})
	}
	delete(held, "")
}

// changers are methods of containers that put in what they are given.
var changers = []string{"append", "appendleft", "extend", "insert", "add", "update", "setdefault"}

// changed is the variable whose object a statement that is a call changes: a container, or a tensor in place; empty: none.
func changed(s ast.Stmt) string {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return ""
	}
	call, ok := x.Value.(*ast.Call)
	if !ok {
		return ""
	}
	method, ok := call.Func.(*ast.Attribute)
	if !ok || !slices.Contains(changers, method.Attr.Name) && !inPlace(method.Attr.Name) {
		return ""
	}
	return strings.Join(targets(method.Value), "")
}

// inPlace reports whether a method is one of a tensor that changes it.
func inPlace(name string) bool { return strings.HasSuffix(name, "_") && !strings.HasSuffix(name, "__") }
