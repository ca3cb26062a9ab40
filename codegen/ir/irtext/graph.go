package irtext

// This file reads the graphs and nodes of the text form.
//
// A graph is a line with its parameters, a line for each node, and a line that returns its
// results:
//
//	graph(%0 "x": f32[N,4]) {
//	%1: f32[N,4] = Relu(%0)  # "net.py":3 | "relu"
//	return %1 "y"
//	}
//
// Bodies of a node follow its line as graphs of their own.

import (
	"fmt"
	"strconv"
	"strings"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// graph reads a graph whose first line is s. depth counts graphs within graphs. For the main
// graph the parameters are inputs as well. Errors say what was expected; the caller adds the
// line.
func (p *parser) graph(g *ir.Graph, s string, main bool, depth int) error {
	if depth > maxNest {
		return fmt.Errorf("graphs nest deeper than %d", maxNest)
	}
	inner, ok := strings.CutPrefix(s, "graph(")
	inner, end := strings.CutSuffix(inner, ") {")
	if !ok || !end {
		return fmt.Errorf("a graph begins with: graph(%%0: f32[N]) {")
	}
	for _, param := range splitTop(inner) {
		d, err := p.definition(param)
		if err != nil {
			return err
		}
		v := p.m.AddParam(g, d.name, d.typ)
		if main {
			p.m.Ins = append(p.m.Ins, ir.Port{Name: d.name, Type: d.typ, State: d.state})
		}
		if err := p.define(v, d); err != nil {
			return err
		}
	}
	for {
		s, ok := p.next()
		if !ok {
			return fmt.Errorf("the text ends within a graph")
		}
		if s == "}" {
			return fmt.Errorf("a graph ends without return")
		}
		if rest, ok := strings.CutPrefix(s, "return"); ok {
			if err := p.results(g, strings.TrimSpace(rest), main); err != nil {
				return err
			}
			if s, _ := p.next(); s != "}" {
				return fmt.Errorf("%q follows return", s)
			}
			return nil
		}
		if err := p.node(g, s, depth); err != nil {
			return err
		}
	}
}

// Names in quotes are those of output ports.
func (p *parser) results(g *ir.Graph, s string, main bool) error {
	for _, r := range splitTop(s) {
		name := ""
		if at, rest, ok := strings.Cut(r, " "); ok {
			var err error
			if name, _, err = quoted(rest); err != nil {
				return err
			}
			r = at
		}
		v, err := p.use(r)
		if err != nil {
			return err
		}
		if v == nil {
			return fmt.Errorf("a result is absent")
		}
		g.AddResult(v)
		if main {
			p.m.Outs = append(p.m.Outs, ir.Port{Name: name, Type: v.Type})
		}
	}
	return nil
}

// A definition is what the text says of a value: %1 "name" state 2: f32[N]{3,?} elems are known
// elements, nil in the list for an unknown one; state is 1 + the output, or 0.
type definition struct {
	id    int32
	name  string
	state int
	typ   inference.Type
	elems []*symshape.Expr
}

// id is the number behind %.
func (p *parser) definition(s string) (d definition, err error) {
	at := strings.IndexAny(s, " :")
	if at < 0 {
		return d, fmt.Errorf("%q has no type", s)
	}
	if d.id, err = ident(s[:at], '%'); err != nil {
		return d, err
	}
	s = strings.TrimSpace(s[at:])
	if strings.HasPrefix(s, `"`) {
		if d.name, s, err = quoted(s); err != nil {
			return d, err
		}
		s = strings.TrimSpace(s)
	}
	if rest, ok := strings.CutPrefix(s, "state "); ok {
		n, after, _ := strings.Cut(rest, ":")
		if d.state, err = strconv.Atoi(strings.TrimSpace(n)); err != nil {
			return d, err
		}
		s = ":" + after
	}
	s, ok := strings.CutPrefix(s, ":")
	if !ok {
		return d, fmt.Errorf("%%%d has no type", d.id)
	}
	s = strings.TrimSpace(s)
	return d, p.typed(&d, s)
}

// typed reads a type and, in braces behind it, known elements, of which ? is one that is not
// known.
func (p *parser) typed(d *definition, s string) (err error) {
	if i := strings.IndexByte(s, '{'); i >= 0 {
		inner, ok := strings.CutSuffix(s[i+1:], "}")
		if !ok {
			return fmt.Errorf("the elements of %%%d do not end", d.id)
		}
		d.elems = []*symshape.Expr{}
		for _, e := range splitTop(inner) {
			var x *symshape.Expr
			if e != "?" {
				if x, err = p.expr(e); err != nil {
					return err
				}
			}
			d.elems = append(d.elems, x)
		}
		s = s[:i]
	}
	d.typ, err = p.typ(s)
	return err
}

// Numbers are kept as they are written, so that a text can be compared with another one line by
// line.
func (p *parser) define(v *ir.Value, d definition) error {
	if p.values[d.id] != nil {
		return fmt.Errorf("%%%d is defined twice", d.id)
	}
	v.ID, v.Name, v.Elems = d.id, d.name, d.elems
	p.m.Values = max(p.m.Values, d.id+1)
	p.values[d.id] = v
	return nil
}

// use finds the value of an operand; ~ is nil. A value must have been defined in an earlier line,
// which is also what makes the order of nodes topological.
func (p *parser) use(s string) (*ir.Value, error) {
	if s == "~" {
		return nil, nil
	}
	if strings.HasPrefix(s, "@") {
		id, err := ident(s, '@')
		if err != nil {
			return nil, err
		}
		if v := p.consts[id]; v != nil {
			return v, nil
		}
		return nil, fmt.Errorf("%s is not defined", s)
	}
	id, err := ident(s, '%')
	if err != nil {
		return nil, err
	}
	v := p.values[id]
	if v == nil {
		return nil, fmt.Errorf("%s is not defined before it is used", s)
	}
	return v, nil
}

// node reads: %1: f32[N], ~ = Op(%0, @1) {a=1 b="x"} captured 1 binds u0 order 3 # origin An
// absent result is written ~ and has no number.
func (p *parser) node(g *ir.Graph, s string, depth int) error {
	outs, call := "", s
	if i := topLevel(s, " = "); i >= 0 {
		outs, call = s[:i], s[i+3:]
	}
	var defs []definition
	spec := ir.Spec{}
	for _, o := range splitTop(outs) {
		d := definition{id: -1}
		if o != "~" {
			var err error
			if d, err = p.definition(o); err != nil {
				return err
			}
		}
		defs = append(defs, d)
		spec.Types = append(spec.Types, d.typ)
		spec.Want = append(spec.Want, d.id >= 0)
	}
	open := strings.IndexByte(call, '(')
	if open < 0 {
		return fmt.Errorf("%q is no node", s)
	}
	domain, name := "", strings.TrimSpace(call[:open])
	if i := strings.LastIndex(name, "::"); i >= 0 {
		domain, name = name[:i], name[i+2:]
	}
	if spec.Op = p.lookup(domain, name); spec.Op == nil {
		return fmt.Errorf("there is no operator %q", name)
	}
	end := strings.IndexByte(call, ')')
	if end < open {
		return fmt.Errorf("the operands of %s do not end", name)
	}
	for _, in := range splitTop(call[open+1 : end]) {
		v, err := p.use(in)
		if err != nil {
			return err
		}
		spec.Ins = append(spec.Ins, v)
	}
	tail, err := p.tail(&spec, strings.TrimSpace(call[end+1:]))
	if err != nil {
		return err
	}
	for p.at < len(p.lines) && strings.HasPrefix(strings.TrimSpace(p.lines[p.at]), "graph(") {
		first, _ := p.next()
		sub := p.m.NewGraph()
		if err := p.graph(sub, first, false, depth+1); err != nil {
			return err
		}
		spec.Graphs = append(spec.Graphs, sub)
	}
	n := p.m.AddNode(g, nil, spec)
	n.Order, n.Reuse = tail.order, tail.reuse
	for i, d := range defs {
		if d.id >= 0 {
			if err := p.define(n.Outs[i], d); err != nil {
				return err
			}
		}
	}
	for _, b := range tail.binds {
		if p.binds[b] != nil {
			return fmt.Errorf("%s is bound twice", b)
		}
		p.binds[b] = n
	}
	return nil
}

// topLevel finds a separator outside of brackets and quotes. It gives -1 when there is none; an
// escaped character within quotes is skipped.
func topLevel(s, sep string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case depth == 0 && strings.HasPrefix(s[i:], sep):
			return i
		}
	}
	return -1
}

// A nodeTail is what a line says of a node beside its Spec. reuse is 1 + the operand whose memory
// the result takes, 0 for none.
type nodeTail struct {
	binds []string
	order int32
	reuse int
}

// tail reads what follows a node's operands. Words come in pairs of a name and a value, in any
// order.
func (p *parser) tail(spec *ir.Spec, s string) (out nodeTail, err error) {
	attrs := ""
	if strings.HasPrefix(s, "{") {
		end := closing(s)
		if end < 0 {
			return out, fmt.Errorf("the attributes do not end")
		}
		attrs, s = s[1:end], strings.TrimSpace(s[end+1:])
	}
	if err := p.attrs(spec, attrs); err != nil {
		return out, err
	}
	if i := topLevel(s, "# "); i >= 0 {
		if spec.From, err = p.origin(s[i+2:]); err != nil {
			return out, err
		}
		s = strings.TrimSpace(s[:i])
	}
	words := strings.Fields(s)
	if len(words)%2 != 0 {
		return out, fmt.Errorf("%q follows the operands", s)
	}
	for i := 0; i < len(words); i += 2 {
		switch words[i] {
		case "captured":
			if spec.Captured, err = strconv.Atoi(words[i+1]); err == nil && (spec.Captured < 0 || spec.Captured > len(spec.Ins)) {
				err = fmt.Errorf("%d operands are captured; there are %d", spec.Captured, len(spec.Ins))
			}
		case "order":
			var n int64
			n, err = strconv.ParseInt(words[i+1], 10, 32)
			out.order = int32(n)
		case "reuse":
			if out.reuse, err = strconv.Atoi(words[i+1]); err == nil && (out.reuse < 0 || out.reuse >= len(spec.Ins)) {
				err = fmt.Errorf("the memory of operand %d is reused; there are %d", out.reuse, len(spec.Ins))
			}
			out.reuse++
		case "binds":
			out.binds = strings.Split(words[i+1], ",")
		default:
			err = fmt.Errorf("%q follows the operands", words[i])
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// closing finds the bracket that closes the one that s begins with. It gives -1 when the bracket
// is not closed.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			if depth--; depth == 0 {
				return i
			}
		case '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1
}

// attrs reads NAME=VALUE with blanks in between. Values are separated outside of brackets and
// quotes; the schema says how to read each, and checks them together.
func (p *parser) attrs(spec *ir.Spec, s string) error {
	n := &onnx.Node{Op: spec.Op.Name}
	for s != "" {
		name, rest, ok := strings.Cut(s, "=")
		if !ok {
			return fmt.Errorf("%q is no attribute", s)
		}
		def := spec.Op.Schema.Attr(name)
		if def == nil {
			return fmt.Errorf("%s has no attribute %q", spec.Op.Name, name)
		}
		text := rest
		if i := topLevel(rest, " "); i >= 0 {
			text, s = rest[:i], rest[i+1:]
		} else {
			s = ""
		}
		a, err := p.attr(def, text)
		if err != nil {
			return err
		}
		n.Attrs = append(n.Attrs, a)
	}
	var err error
	spec.Attr, err = spec.Op.Schema.DecodeClosed(n)
	return err
}

// origin reads: "net.py":12 "conv1", "net.py":13 | "node" | pass; - is none The parts are places
// in the source, names of the model's nodes, and perhaps the pass that made the node.
func (p *parser) origin(s string) (o ir.Origin, err error) {
	var parts []string
	for {
		i := topLevel(s, " | ")
		if i < 0 {
			parts = append(parts, strings.TrimSpace(s))
			break
		}
		parts = append(parts, strings.TrimSpace(s[:i]))
		s = s[i+3:]
	}
	if len(parts) < 2 || len(parts) > 3 {
		return o, fmt.Errorf("%q is no origin", s)
	}
	for _, text := range splitTop(parts[0]) {
		if text == "-" {
			continue
		}
		var at ir.Place
		var rest string
		if at.File, rest, err = quoted(text); err != nil {
			return o, err
		}
		line, module, _ := strings.Cut(strings.TrimPrefix(rest, ":"), " ")
		if at.Line, err = strconv.Atoi(line); err != nil {
			return o, err
		}
		if module != "" {
			if at.Module, _, err = quoted(module); err != nil {
				return o, err
			}
		}
		o.Places = append(o.Places, p.m.Places.Add(at))
	}
	for _, text := range splitTop(parts[1]) {
		if text == "-" {
			continue
		}
		name, _, err := quoted(text)
		if err != nil {
			return o, err
		}
		o.Nodes = append(o.Nodes, name)
	}
	if len(parts) == 3 {
		o.Pass = parts[2]
	}
	return o, nil
}
