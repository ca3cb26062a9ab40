package trace

// This file makes edits of what findings of scripts suggest: declarations of Dims as torch.export
// asks for, tf.print for print. An edit is proposed only where it is certain to be right; where
// several places could be meant the finding stays without one, and advise adds a sentence instead.

import (
	"cmp"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/trace/export"
	"shapecheck/trace/retrace"
)

// addDimFixes adds to a finding of an export the edits that declare its Dims as torch.export asks, where each is made at one place
// of the file. The declarations are those of PyTorch's own message (Fixes), and those that follow
// from them (Further). A Dim that is made at several places, or is shared with another export that
// works, is not changed.
func addDimFixes(r *infer.Result, d *diag.Diagnostic) {
	if d.Code != diag.RestrictedDim || len(d.Fixes) > 0 || !d.At.IsValid() {
		return
	}
	e := reportedBy(r, d)
	if e == nil {
		return
	}
	p := placed(r, d)
	// A later declaration of a name replaces an earlier one.
	decls, order := map[string]export.Declaration{}, []string{}
	for _, decl := range slices.Concat(e.Fixes, e.Further) {
		if _, met := decls[decl.Name]; !met {
			order = append(order, decl.Name)
		}
		decls[decl.Name] = decl
	}
	var edits []diag.Edit
	for _, name := range order {
		at := p.dimCalls(name)
		switch {
		// PyTorch's message declares helper Dims (_x) from which others are derived; they have no
		// place in the file.
		case len(at) == 0 && strings.HasPrefix(name, "_"):
			continue // of which another one is made
		case len(at) != 1 || p.sharedDim(at[0], name, d.At):
			return
		}
		dim, decl := p.file.Slice(at[0].Func.Span()), decls[name] // the name that the file has for Dim
		text := decl.Python(dim)
		if inner, ok := decls["_"+name]; ok {
			// A derived Dim of a negative offset would reach below zero.
			if decl.Of.Offset < 0 && inner.Min == 0 { // from 0 on, the least size would be negative
				inner.Min = 2
			}
			text = strings.Replace(text, inner.Name, inner.Python(dim), 1)
		} else if decl.Kind == export.Derived {
			of := p.dimCalls(decl.Of.Dim)
			switch {
			case decl.Of.Plain && len(of) == 1:
				text = p.file.Slice(of[0].Span())
			case decl.Of.Offset > 0 || strings.Contains(decl.Of.Dim, "_"):
				return // made of a Dim that has no single place
			}
		}
		edits = append(edits, diag.Edit{At: at[0].Span(), NewText: text})
	}
	if len(edits) > 0 {
		d.Fixes = append(d.Fixes, diag.Fix{Title: "declare the Dims as torch.export asks", Edits: edits})
	}
}

// reportedBy is the error of an export that a finding reports; nil: it reports none. The link is
// the finding itself, which the error has as Reported.
func reportedBy(r *infer.Result, d *diag.Diagnostic) *export.Error {
	for _, c := range r.Retraces {
		if len(c.Exports) > 0 && c.Exports[0] != nil && c.Exports[0].Error != nil && c.Exports[0].Error.Reported == d {
			return c.Exports[0].Error
		}
	}
	return nil
}

// placed works on the file of a finding.
func placed(r *infer.Result, d *diag.Diagnostic) *proposer {
	return &proposer{r: r, file: r.Files.Position(d.At.Start).File}
}

// sharedDim reports whether a Dim that is declared apart from the exports is one of another export
// that succeeds. Changing it would change what the other export accepts.
func (p *proposer) sharedDim(dim *ast.Call, name string, export source.Span) bool {
	if liesWithin(dim, export) {
		return false
	}
	names := []string{name}
	// The Dim is a variable or attribute of some name, by which the other exports would mention it.
	if block, i := p.statement(dim.Start); block != nil {
		if bound := boundNames(block[i]); len(bound) > 0 {
			names = bound
		}
	}
	for _, c := range p.r.Retraces {
		exported := len(c.Exports) > 0 && c.Exports[0] != nil && c.Exports[0].Error == nil
		if c.At != export && exported && p.file.Contains(c.At.Start) && p.names(c.At, names) {
			return true
		}
	}
	return false
}

// liesWithin reports whether a node lies in a place.
func liesWithin(n ast.Node, at source.Span) bool {
	return at.Start <= n.Span().Start && n.Span().End <= at.End
}

// boundNames are the variables and attributes that a statement gives a value. It includes the
// targets of loops and of nested statements.
func boundNames(s ast.Stmt) []string {
	var names []string
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Name:
			if n.Ctx == ast.Store {
				names = append(names, n.ID)
			}
		case *ast.Attribute:
			if n.Ctx == ast.Store {
				names = append(names, n.Attr.Name)
			}
		}
		return true
	})
	return names
}

// names reports whether a place of the file has a variable or an attribute of one of some names.
// The last part of an attribute counts, so that self.batch has the name batch.
func (p *proposer) names(at source.Span, names []string) bool {
	found := false
	ast.Inspect(p.module(), func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && liesWithin(n, at) {
			found = found || slices.Contains(names, lastName(e))
		}
		return !found
	})
	return found
}

// dimCalls are the places at which the file makes a Dim of a name. The name is the text that Dim
// gets, not the variable.
func (p *proposer) dimCalls(name string) []*ast.Call {
	var out []*ast.Call
	ast.Inspect(p.module(), func(n ast.Node) bool {
		if c, ok := n.(*ast.Call); ok && lastName(c.Func) == "Dim" && len(c.Args) > 0 {
			if text, ok := c.Args[0].(*ast.Constant); ok && text.Kind == ast.StrConst && text.Str == name {
				out = append(out, c)
			}
		}
		return true
	})
	return out
}

// callAt is the call that a place is; nil: it is none. Calls have different places, so that at most
// one is found.
func (p *proposer) callAt(at source.Span) *ast.Call {
	var found *ast.Call
	ast.Inspect(p.module(), func(n ast.Node) bool {
		if c, ok := n.(*ast.Call); ok && c.Span() == at {
			found = c
		}
		return found == nil
	})
	return found
}

// importName is the name under which the file imports a module; empty: it does not. Imports of the
// top level alone.
func (p *proposer) importName(module string) string {
	for _, s := range p.module().Body {
		if s, ok := s.(*ast.Import); ok {
			for _, a := range s.Names {
				if a.Name.Name == module {
					return cmp.Or(a.AsName.Name, module)
				}
			}
		}
	}
	return ""
}

// plainPrint reports whether a print has values as they are, not a text that Python makes of them, and no shape, which tf.print refuses
// where a size
// is open. tf.print shows tensors as they are, but a text that Python formats has been made while
// tracing.
func plainPrint(c *ast.Call) bool {
	f, ok := c.Func.(*ast.Name)
	return ok && f.ID == "print" && len(c.Keywords) == 0 && !slices.ContainsFunc(c.Args, func(e ast.Expr) bool {
		for a, ok := e.(*ast.Attribute); ok; a, ok = e.(*ast.Attribute) {
			if e = a.Value; a.Attr.Name == "shape" {
				return true
			}
		}
		switch e := e.(type) {
		case *ast.Name:
			return false
		case *ast.Constant:
			return e.Kind == ast.BytesConst || e.Kind == ast.StrConst && strings.ContainsAny(e.Str, "%{")
		}
		return true
	})
}

// addPrintFix adds to a finding of a print while tracing the edit that prints at each call, where
// TensorFlow traces. The edit replaces the name of the function, and the arguments stay.
func addPrintFix(r *infer.Result, d *diag.Diagnostic) {
	if d.Code != diag.PrintedOnce || len(d.Fixes) > 0 || !printedBy(r, "tf", d.At) {
		return
	}
	p := placed(r, d)
	tf, call := p.importName("tensorflow"), p.callAt(d.At)
	if tf == "" || call == nil || !plainPrint(call) || madeOnce(r, d.At) {
		return
	}
	d.Fixes = append(d.Fixes, replace("print at each call", call.Func.Span(), tf+".print"))
}

// printedBy reports whether a call of a framework's traced function printed at a place. Prints of a
// call are the places at which it printed.
func printedBy(r *infer.Result, framework string, at source.Span) bool {
	return slices.ContainsFunc(r.Retraces, func(c *retrace.Call) bool { return c.Framework == framework && slices.Contains(c.Prints, at) })
}

// madeOnce reports whether a print may be in the first trace alone of a call that makes variables, as in a layer's build: that graph is
// dropped. Such a print is lost in later traces, so that it cannot be repeated at each call.
func madeOnce(r *infer.Result, at source.Span) bool {
	made, again := false, false
	for _, c := range r.Retraces {
		if slices.Contains(c.Prints, at) {
			made, again = made || c.MadeVariables, again || !c.MadeVariables
		}
	}
	return made && !again
}

// exceptionAdvice is what helps against the exceptions of JAX and TensorFlow where a tensor without
// a value is used as one. By the name of the exception's class.
var exceptionAdvice = map[string]string{
	"TracerBoolConversionError":      "jax.lax.cond keeps both ways, jnp.where chooses elements; an argument that is a number of Python can be static (static_argnames)",
	"TracerIntegerConversionError":   "jax.lax.fori_loop and scan repeat in the graph; an argument that is a number of Python can be static (static_argnames)",
	"OperatorNotAllowedInGraphError": "tf.cond and tf.where keep both ways, tf.debugging.Assert checks at each call",
}

// asks reports whether a place is where a statement asks for a truth value. The place is in the
// test of the statement, not in its body.
func (p *proposer) asks(at source.Pos) bool {
	block, i := p.statement(at)
	if block == nil {
		return false
	}
	var test ast.Expr
	switch s := block[i].(type) {
	case *ast.If:
		test = s.Test
	case *ast.While:
		test = s.Test
	case *ast.Assert:
		test = s.Test
	}
	return test != nil && at < test.Span().End
}

// advise adds to a finding what helps where no edit does by itself. It looks only at findings with
// a place in a file.
func advise(r *infer.Result, d *diag.Diagnostic) {
	if !d.At.IsValid() || r.Files.Position(d.At.Start).File == nil {
		return
	}
	advice := ""
	switch d.Code {
	case diag.TraceFails:
		for _, c := range r.Retraces {
			if c.Error != nil && c.Error.Diag == d {
				advice = exceptionAdvice[c.Error.Value.Class.Name]
			}
		}
	case diag.GraphBreak:
		p := placed(r, d)
		call := p.callAt(d.At)
		switch {
		case p.asks(d.At.Start):
			advice = "torch.cond keeps both ways in one graph, torch.where chooses elements"
		case call != nil && lastName(call.Func) == "item":
			advice = "torch._dynamo.config.capture_scalar_outputs = True keeps the number in the graph"
		}
	case diag.DataBranch:
		advice = "torch.where keeps both ways for elements; torch.export keeps them by torch.cond"
	case diag.KeptState:
		advice = "what changes belongs in a buffer (register_buffer), or is an argument"
	}
	if advice != "" {
		d.Notes = append(d.Notes, advice)
	}
}
