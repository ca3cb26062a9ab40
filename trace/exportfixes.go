package trace

// This file proposes what lets torch.export keep what a program relies on, and the state that its
// calls change. A program that torch.export makes has neither asserts nor the branches that raise;
// torch._check stays in it as a guard. Tensors that are attributes are constants of the program
// unless they are buffers.

import (
	"slices"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/inorder"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/trace/retrace"
)

// opposites are the comparisons that hold where others do not. A test such as x is y has no
// opposite here.
var opposites = map[ast.CmpOperator]ast.CmpOperator{ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq,
	ast.NotEq: ast.Eq}

// checked states by torch._check what a program relies on: the condition of an assert, the opposite
// of what raises, else the condition. Its findings are about an assert, about an if that raises, or
// about another if, for whose condition the promise is made that it always holds. The last is
// marked as a promise, since the program then refuses other values.
func (p *proposer) checked(x *diag.Diagnostic) []diag.Fix {
	block, i := p.statement(x.At.Start)
	if block == nil || !p.startsLine(block[i]) {
		return nil
	}
	switch s := block[i].(type) {
	case *ast.Assert:
		// Only single comparisons are stated, as torch._check needs a condition on sizes that
		// export understands.
		if s.Test.Span() == x.At && p.negated(s.Test) != "" {
			return []diag.Fix{replace("state it by torch._check, which is kept", s.Span(), "torch._check("+p.file.Slice(x.At)+")")}
		}
	case *ast.If:
		not := p.negated(s.Test)
		if s.Test.Span() != x.At || not == "" {
			return nil
		}
		if _, raises := s.Body[0].(*ast.Raise); raises && len(s.Else) == 0 {
			return []diag.Fix{replace("state by torch._check what the program needs, which is kept", s.Span(), "torch._check("+not+")")}
		}
		return []diag.Fix{p.before("promise that this holds: the program is then for such values alone", s,
			"torch._check("+p.file.Slice(x.At)+")\n"+p.indent(s))}
	}
	return nil
}

// negated is the text of what holds where a comparison does not; empty: it is no single one. The
// operator is replaced in the text between the operands, so that their form, and parentheses, stay.
func (p *proposer) negated(test ast.Expr) string {
	c, ok := test.(*ast.Compare)
	if !ok || len(c.Ops) != 1 {
		return ""
	}
	opposite, ok := opposites[c.Ops[0]]
	if !ok {
		return ""
	}
	operator := source.Span{Start: c.Left.Span().End, End: c.Comparators[0].Span().Start}
	return p.file.Slice(source.Span{Start: c.Start, End: operator.Start}) +
		strings.Replace(p.file.Slice(operator), c.Ops[0].String(), opposite.String(), 1) +
		p.file.Slice(source.Span{Start: operator.End, End: c.End})
}

// buffers registers the tensors of a module that its methods write, where torch.export keeps them.
// It is proposed only if the finding is of an export. All classes of the file are looked at, since
// the finding does not say whose attribute changes.
func (p *proposer) buffers(x *diag.Diagnostic) []diag.Fix {
	if !slices.ContainsFunc(p.r.Retraces, func(c *retrace.Call) bool { return c.Framework == "export" && c.At == x.At }) {
		return nil
	}
	var edits []diag.Edit
	ast.Inspect(p.module(), func(n ast.Node) bool {
		if c, ok := n.(*ast.ClassDef); ok {
			edits = append(edits, p.buffersOf(c)...)
		}
		return true
	})
	if len(edits) == 0 {
		return nil
	}
	return []diag.Fix{{Title: "keep in buffers what calls change", Edits: edits}}
}

// buffersOf are the edits of a class for the attributes that get a tensor made by torch once, and
// are written elsewhere. A write is an assignment, an augmented one, one to an element, or a method
// whose name ends in "_", as add_. An attribute that is written once is the one that is made, which
// needs no buffer.
func (p *proposer) buffersOf(class *ast.ClassDef) []diag.Edit {
	made := map[string]*ast.Assign{}
	writes := map[string]int{}
	wrote := func(e ast.Expr) string {
		if s, ok := e.(*ast.Subscript); ok {
			e = s.Value
		}
		if a, ok := e.(*ast.Attribute); ok && lastName(a.Value) == "self" {
			writes[a.Attr.Name]++
			return a.Attr.Name
		}
		return ""
	}
	ast.Inspect(class, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Assign:
			for _, t := range n.Targets {
				name := wrote(t)
				// Only what torch makes in a single assignment is surely a tensor.
				if call, ok := n.Value.(*ast.Call); ok && name != "" && len(n.Targets) == 1 &&
					strings.HasPrefix(p.file.Slice(call.Func.Span()), "torch.") {
					made[name] = n
				}
			}
		case *ast.AugAssign:
			wrote(n.Target)
		case *ast.Call:
			if f, ok := n.Func.(*ast.Attribute); ok && strings.HasSuffix(f.Attr.Name, "_") && !strings.HasSuffix(f.Attr.Name, "__") {
				wrote(f.Value)
			}
		}
		return true
	})
	var edits []diag.Edit
	// Maps have no order, edits need one.
	for name, s := range made {
		if writes[name] > 1 {
			edits = append(edits, diag.Edit{At: s.Span(), NewText: `self.register_buffer("` + name + `", ` + p.file.Slice(s.Value.Span()) + ")"})
		}
	}
	inorder.By(edits, func(a, b diag.Edit) int { return int(a.At.Start) - int(b.At.Start) })
	return edits
}
