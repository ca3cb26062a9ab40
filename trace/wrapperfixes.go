package trace

// This file proposes what the wrapper of a function, such as tf.function or jax.jit, is told of the arguments, and sizes to mark for
// torch.compile. A fix is an edit of the source that is proposed when calls trace again and again.
// Whether it helps is for the reader to see: the texts of the recorded calls say only what varies.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
	"shapecheck/trace/retrace"
)

// tfDtypes are TensorFlow's names of dtypes, by those of recorded calls.
var tfDtypes = map[string]string{"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "i8": "int8", "i16": "int16",
	"i32": "int32", "i64": "int64",
	"u8": "uint8", "bool": "bool", "string": "string", "str": "string", "c64": "complex64", "c128": "complex128"}

// relaxed lets tf.function keep open what varies: by reduce_retracing, or by a signature of what
// all calls have in common.
func (p *proposer) relaxed(calls []*retrace.Call, bySize bool) []diag.Fix {
	w := p.wrapping(calls[0].Function, "function")
	// which may raise another exception then
	if w == nil || slices.ContainsFunc(calls, func(c *retrace.Call) bool { return c.Error != nil }) {
		return nil
	}
	var out []diag.Fix
	if bySize {
		out = append(out, p.argument("let the traces keep open the sizes that vary", w, "reduce_retracing=True"))
	}
	if specs := signature(calls, strings.TrimSuffix(p.file.Slice(w.ref.Span()), "function")); specs != "" {
		out = append(out, p.argument("give the signature of all calls", w, "input_signature=["+specs+"]"))
	}
	return out
}

// signature are the specs that all calls fit; empty: there are none. A size that varies is None,
// and so is the shape where the rank does.
func signature(calls []*retrace.Call, prefix string) string {
	var specs []string
	for i := range calls[0].Args {
		dtype, sized, dims := "", false, []string(nil)
		open := false // the rank varies
		for _, c := range calls {
			if len(c.Args) != len(calls[0].Args) {
				return ""
			}
			// The dtype and sizes of this call's argument.
			d, size := "", []string{}
			switch m := tensorText.FindStringSubmatch(c.Args[i]); {
			case m != nil:
				if d = tfDtypes[m[1]]; m[2] != "" {
					size = strings.Split(m[2], ",")
				}
			case intText.MatchString(c.Args[i]):
				d = "int32"
			case floatText.MatchString(c.Args[i]):
				d = "float32"
			}
			switch {
			case d == "" || dtype != "" && d != dtype:
				return ""
			case !sized:
				dtype, dims, sized = d, size, true
			case len(size) != len(dims):
				open = true
			default:
				for k := range dims {
					if dims[k] != size[k] {
						dims[k] = "None"
					}
				}
			}
		}
		shape := "[" + strings.Join(dims, ", ") + "]"
		if open {
			shape = "None"
		}
		specs = append(specs, prefix+"TensorSpec("+shape+", "+prefix+dtype+")")
	}
	return strings.Join(specs, ", ")
}

// static makes arguments of a function under jax.jit static whose values Python asks for: one of
// them, or all that can be. Each proposal costs a trace for each value.
func (p *proposer) static(x *diag.Diagnostic) []diag.Fix {
	i := slices.IndexFunc(p.r.Retraces, func(c *retrace.Call) bool { return c.Framework == "jax" && c.Error != nil && c.Error.Diag == x })
	if i < 0 {
		return nil
	}
	c := p.r.Retraces[i]
	w := p.wrapping(c.Function, "jit")
	if w == nil {
		return nil
	}
	// The names of the parameters that are given by place.
	var params []string
	if def := p.definition(c.Function); def != nil {
		for _, a := range slices.Concat(def.Params.PosOnly, def.Params.Args) {
			if a.Name != "self" {
				params = append(params, a.Name)
			}
		}
	}
	var names []string
	for i, a := range c.Args {
		name, text, keyword := strings.Cut(a, "=")
		if !keyword {
			if i >= len(params) {
				break
			}
			name, text = params[i], a
		}
		if staticText.MatchString(text) {
			names = append(names, `"`+name+`"`)
		}
	}
	var out []diag.Fix
	// One name at a time first, since fewer static arguments make fewer traces.
	propose := func(list string) {
		out = append(out, p.argument("make static what Python asks for: a trace for each value", w, "static_argnames=("+list+")"))
	}
	for _, n := range names {
		propose(n + ",")
	}
	if len(names) > 1 {
		propose(strings.Join(names, ", "))
	}
	return out
}

// dynamic marks the sizes that vary between the calls of a compiled function, before the first of them.
func (p *proposer) dynamic(calls []*retrace.Call) []diag.Fix {
	first := calls[0]
	block, at := p.statement(first.At.Start)
	if block == nil || !p.startsLine(block[at]) {
		return nil
	}
	args := namedArguments(block[at], len(first.Args))
	indent := p.indent(block[at])
	var b strings.Builder
	for i, name := range args {
		if name == "" {
			continue
		}
		var sizes []string
		varies := map[int]bool{}
		for _, c := range calls {
			if i >= len(c.Args) {
				// Sizes that differ from those of the first call.
				return nil
			}
			x := tensorText.FindStringSubmatch(c.Args[i])
			if x == nil {
				sizes = nil
				break
			}
			s := strings.Split(x[2], ",")
			if sizes == nil {
				sizes = s
			}
			if len(s) != len(sizes) {
				return nil
			}
			for k := range s {
				varies[k] = varies[k] || s[k] != sizes[k]
			}
		}
		for k := range sizes {
			if varies[k] {
				fmt.Fprintf(&b, "torch._dynamo.mark_dynamic(%s, %d)\n%s", name, k, indent)
			}
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return []diag.Fix{p.before("mark the sizes that vary", block[at], b.String())}
}

// namedArguments are the arguments of the one call with n of them in a statement, empty where one is no name; nil: there is no such call
// with a
// name, or more than one.
func namedArguments(s ast.Stmt, n int) []string {
	var out []string
	found := 0
	ast.Inspect(s, func(x ast.Node) bool {
		c, ok := x.(*ast.Call)
		if !ok || len(c.Args) != n || len(c.Keywords) > 0 {
			return true
		}
		names, named := make([]string, n), false
		for i, a := range c.Args {
			if a, ok := a.(*ast.Name); ok {
				names[i], named = a.ID, true
			}
		}
		if named {
			out = names
			found++
		}
		return true
	})
	if found != 1 {
		return nil
	}
	return out
}
