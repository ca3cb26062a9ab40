package ir

// This file writes modules as text, which package irtext reads back:
//
//	module "net"
//	sym N 1..                     ; port 0 axis 0
//	require H % 32 == 0           ; "net.py:41: because ..."
//	const @0 i64[2] base64 AQAAAAAAAAACAAAAAAAAAA==
//	graph(%0 "x": f32[N,3,H,W]) {
//	  %1: f32[N,64,H,W] = Conv(%0, @0, ~) {group=1 pads=1,1,1,1}  # "net.py":12 "conv1" | "node_1" | merge
//	  %2: i64[2]{N,3*H} = ...     the known elements of a small integer tensor
//	  %5: f32[] = If(%4, %1) captured 1
//	    graph(%6: f32[N,64,H,W]) {
//	      return %6
//	    }
//	  %7: i64[2,u0] = NonZero(%1) binds u0
//	  return %1 "y"
//	}
//
// ~ is an absent operand, and a result that nobody wants. Large constants are told by
// their hash, and read back from a store.

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"shapecheck/onnx"
	"shapecheck/symshape"
)

// maxInline is the size in bytes of the largest constant whose elements are printed.
const maxInline = 4096

// String is the text form.
func (m *Module) String() string {
	p := &printer{m: m, binds: map[*Node][]string{}}
	p.module()
	return p.b.String()
}

type printer struct {
	m     *Module
	b     strings.Builder
	binds map[*Node][]string // the symbols that nodes bind
}

func (p *printer) linef(depth int, format string, args ...any) {
	p.b.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(&p.b, format, args...)
	p.b.WriteByte('\n')
}

// module writes a module: symbols with their bounds and what binds them, the contract, metadata, constants
// (the small ones in full, others by their SHA-256) and the main graph.
func (p *printer) module() {
	m := p.m
	p.linef(0, "module %s", strconv.Quote(m.Name))
	for _, s := range m.Syms {
		lo, hi := s.Expr.Bounds()
		to := ""
		if hi != symshape.PosInf {
			to = strconv.FormatInt(hi, 10)
		}
		how := fmt.Sprintf("port %d axis %d", s.Port, s.Axis)
		switch {
		case s.Node != nil:
			how = "node"
			p.binds[s.Node] = append(p.binds[s.Node], s.Expr.String())
		case s.Param != nil && s.Element:
			how = fmt.Sprintf("param %%%d element %d", s.Param.ID, s.Axis)
		case s.Param != nil:
			how = fmt.Sprintf("param %%%d axis %d", s.Param.ID, s.Axis)
		}
		if s.Upper != nil {
			how += " upper " + s.Upper.Compact()
		}
		p.linef(0, "sym %s %d..%s ; %s", s.Expr, lo, to, how)
	}
	for _, c := range m.Contract {
		quoted := make([]string, len(c.Because))
		for i, b := range c.Because {
			quoted[i] = strconv.Quote(b)
		}
		p.linef(0, "require %s ; %s", c.Cond, strings.Join(quoted, ", "))
	}
	for _, e := range m.Metadata {
		p.linef(0, "meta %s %s", strconv.Quote(e.Key), strconv.Quote(e.Value))
	}
	for _, c := range m.Consts.List {
		t := m.ConstType(c)
		if c.Bytes <= maxInline {
			p.linef(0, "const @%d %s base64 %s", c.ID, &t, base64.StdEncoding.EncodeToString(c.Tensor.Raw))
		} else {
			sum := c.Sum()
			p.linef(0, "const @%d %s sha256 %s", c.ID, &t, hex.EncodeToString(sum[:]))
		}
	}
	p.graph(m.Main, 0, m.Ins, m.Outs)
}

// graph writes a graph with its nodes. ins and outs are the ports of the main graph, whose names
// stand with parameters and results; nil for a body.
func (p *printer) graph(g *Graph, depth int, ins, outs []Port) {
	params := make([]string, len(g.Params))
	for i, v := range g.Params {
		params[i] = fmt.Sprintf("%%%d", v.ID)
		switch {
		case ins != nil:
			params[i] += " " + strconv.Quote(ins[i].Name)
			if ins[i].State != 0 {
				params[i] += fmt.Sprintf(" state %d", ins[i].State)
			}
		case v.Name != "":
			params[i] += " " + strconv.Quote(v.Name)
		}
		params[i] += ": " + typeText(v)
	}
	p.linef(depth, "graph(%s) {", strings.Join(params, ", "))
	for _, n := range g.Nodes {
		p.node(n, depth+1)
	}
	results := make([]string, len(g.Results))
	for i, v := range g.Results {
		results[i] = ref(v)
		if outs != nil {
			results[i] += " " + strconv.Quote(outs[i].Name)
		}
	}
	p.linef(depth+1, "return %s", strings.Join(results, ", "))
	p.linef(depth, "}")
}

// typeText is a type with the elements that are known, as a vector of sizes has.
func typeText(v *Value) string {
	s := v.Type.String()
	if v.Elems != nil {
		list := make([]string, len(v.Elems))
		for i, e := range v.Elems {
			list[i] = "?"
			if e != nil {
				list[i] = e.Compact()
			}
		}
		s += "{" + strings.Join(list, ",") + "}"
	}
	return s
}

// ref names a value where it is used.
func ref(v *Value) string {
	switch {
	case v == nil:
		return "~"
	case v.Const != nil:
		return fmt.Sprintf("@%d", v.Const.ID)
	}
	return fmt.Sprintf("%%%d", v.ID)
}

// node writes a node in a line: results with their types, the operation, operands and attributes, what it
// captures and binds, its place in the schedule, and its origin. Its graphs follow, indented.
func (p *printer) node(n *Node, depth int) {
	outs := make([]string, len(n.Outs))
	for i, v := range n.Outs {
		outs[i] = "~"
		if v != nil {
			outs[i] = fmt.Sprintf("%%%d", v.ID)
			if v.Name != "" {
				outs[i] += " " + strconv.Quote(v.Name)
			}
			outs[i] += ": " + typeText(v)
		}
	}
	ins := make([]string, len(n.Ins))
	for i, v := range n.Ins {
		ins[i] = ref(v)
	}
	name := n.Op.Name
	if n.Op.Domain != "" {
		name = n.Op.Domain + "::" + name
	}
	line := fmt.Sprintf("%s = %s(%s)", strings.Join(outs, ", "), name, strings.Join(ins, ", "))
	if len(outs) == 0 {
		line = strings.TrimPrefix(line, " = ")
	}
	if attrs := p.attrs(n); attrs != "" {
		line += " {" + attrs + "}"
	}
	if n.Captured > 0 {
		line += fmt.Sprintf(" captured %d", n.Captured)
	}
	if list := p.binds[n]; list != nil {
		line += " binds " + strings.Join(list, ",")
	}
	if n.Order > 0 {
		line += fmt.Sprintf(" order %d", n.Order)
	}
	if n.Reuse > 0 {
		line += fmt.Sprintf(" reuse %d", n.Reuse-1)
	}
	if !n.From.Empty() {
		line += "  # " + p.origin(n.From)
	}
	p.linef(depth, "%s", line)
	for _, g := range n.Graphs {
		p.graph(g, depth+1, nil, nil)
	}
}

// origin has three parts: places in the source, nodes of the model, and the pass if there is one;
// a part without content is "-".
func (p *printer) origin(o Origin) string {
	places := make([]string, len(o.Places))
	for i, id := range o.Places {
		at := p.m.Places.List[id]
		places[i] = fmt.Sprintf("%s:%d", strconv.Quote(at.File), at.Line)
		if at.Module != "" {
			places[i] += " " + strconv.Quote(at.Module)
		}
	}
	nodes := make([]string, len(o.Nodes))
	for i, s := range o.Nodes {
		nodes[i] = strconv.Quote(s)
	}
	parts := []string{cmp.Or(strings.Join(places, ", "), "-"), cmp.Or(strings.Join(nodes, ", "), "-")}
	if o.Pass != "" {
		parts = append(parts, o.Pass)
	}
	return strings.Join(parts, " | ")
}

func (p *printer) attrs(n *Node) string {
	var out []string
	for _, a := range n.Attr.All() {
		out = append(out, a.Name+"="+p.attr(a))
	}
	return strings.Join(out, " ")
}

// attr writes floats with as many digits as binary32 needs to be read back the same, and strings
// in quotes.
func (p *printer) attr(a *onnx.Attr) string {
	switch a.Type {
	case onnx.AttrInt:
		return strconv.FormatInt(a.Int, 10)
	case onnx.AttrFloat:
		return strconv.FormatFloat(float64(a.Float), 'g', -1, 32)
	case onnx.AttrString:
		return strconv.Quote(string(a.String))
	case onnx.AttrInts:
		return "[" + joinInts(a.Ints) + "]"
	case onnx.AttrFloats:
		list := make([]string, len(a.Floats))
		for i, f := range a.Floats {
			list[i] = strconv.FormatFloat(float64(f), 'g', -1, 32)
		}
		return "[" + strings.Join(list, ",") + "]"
	case onnx.AttrStrings:
		list := make([]string, len(a.Strings))
		for i, s := range a.Strings {
			list[i] = strconv.Quote(string(s))
		}
		return "[" + strings.Join(list, ",") + "]"
	case onnx.AttrTensor:
		raw, err := a.Tensor.RawData()
		if err != nil {
			return "?" // strings, which the reader refuses
		}
		return fmt.Sprintf("%s[%s]:%s", a.Tensor.DType, joinInts(a.Tensor.Dims), base64.StdEncoding.EncodeToString(raw))
	}
	return "?"
}

func joinInts(list []int64) string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(out, ",")
}
