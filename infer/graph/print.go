package graph

// This file prints the typed graph as text. The form is for people and tests; nothing reads it
// back. Values are named by their number, with the name that the program gave them.

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"shapecheck/internal/source"
)

// Print writes g: the inputs, then a line for each node with its outputs and their types, the
// arguments, and the source line; regions are indented. The gaps, where operations are missing,
// come last. Errors of w are not reported.
func Print(w io.Writer, g *Graph, fs *source.FileSet) {
	p := printer{w: w, fs: fs}
	for _, in := range g.Inputs {
		fmt.Fprintf(w, "input %s: %s\n", name(in), &in.Type)
	}
	p.region(g.Body, "")
	fmt.Fprintf(w, "return %s\n", OperandString(g.Output))
	for _, gap := range g.Incomplete {
		fmt.Fprintf(w, "incomplete: %s  # %s\n", gap.Why, fs.Position(gap.At.Start))
	}
}

// A printer has what all nodes are written with: where to, and the files of their places.
type printer struct {
	w  io.Writer
	fs *source.FileSet
}

func (p *printer) region(r *Region, indent string) {
	for _, n := range r.Nodes {
		p.node(n, indent)
	}
}

// node prints a node with its outputs, arguments, place and regions, indented. Tests compare this form, so it
// has no addresses and no order of maps.
func (p *printer) node(n *Node, indent string) {
	outs := make([]string, len(n.Outputs))
	for i, o := range n.Outputs {
		outs[i] = typed(o)
	}
	args := make([]string, 0, len(n.Args))
	for _, a := range n.Args {
		args = append(args, a.Name+"="+OperandString(a.Value))
	}
	line := strings.Join(outs, ", ")
	if line != "" {
		line += " = "
	}
	line += n.Op + "(" + strings.Join(args, ", ") + ")"
	if pos := p.fs.Position(n.At.Start); pos.File != nil {
		line += "  # " + pos.Place()
		if n.Module != "" {
			line += " " + n.Module
		}
	}
	fmt.Fprintln(p.w, indent+line)
	labels := [...]string{"then", "else"}
	for i, r := range n.Regions {
		label := "body"
		if n.Op == If {
			label = labels[i]
		}
		params := make([]string, len(r.Params))
		for i, v := range r.Params {
			params[i] = typed(v)
		}
		head := label
		if len(params) > 0 {
			head += "(" + strings.Join(params, ", ") + ")"
		}
		fmt.Fprintln(p.w, indent+"  "+head+":")
		p.region(r, indent+"    ")
		if len(r.Results) > 0 {
			fmt.Fprintln(p.w, indent+"    yield "+operands(r.Results))
		}
	}
}

// name is "%7.x": the number of a value and its name, if it has one.
func name(v *Value) string {
	if v == nil {
		return "none"
	}
	s := "%" + strconv.Itoa(v.ID)
	if v.Name != "" {
		s += "." + v.Name
	}
	return s
}

// typed writes a value with its type: a sequence as [f32[B], ...], an optional
// tensor as f32[B]?, a number with its symbol.
func typed(v *Value) string {
	s := name(v) + ": "
	switch v.Kind {
	case SequenceKind:
		return s + "[" + v.Type.String() + ", ...]"
	case OptionalKind:
		return s + v.Type.String() + "?"
	case ScalarKind:
		if v.Symbol != nil {
			return s + "int=" + v.Symbol.String()
		}
		return s + "int"
	}
	return s + v.Type.String()
}

func operands(list []Operand) string {
	parts := make([]string, len(list))
	for i, o := range list {
		parts[i] = OperandString(o)
	}
	return strings.Join(parts, ", ")
}

// OperandString writes an operand as Python would, values by their names. What stands for no value
// of the graph is in angle brackets.
func OperandString(o Operand) string {
	switch o := o.(type) {
	case nil:
		return "None"
	case *Value:
		return name(o)
	case List:
		return "[" + operands(o) + "]"
	case Tuple:
		return "(" + operands(o) + ")"
	case Dict:
		parts := make([]string, len(o))
		for i, e := range o {
			parts[i] = strconv.Quote(e.Name) + ": " + OperandString(e.Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case Slice:
		return o.String()
	case Ellipsis:
		return "..."
	case Opaque:
		return "<" + string(o) + ">"
	case Str:
		return strconv.Quote(string(o))
	case Bool:
		if o {
			return "True"
		}
		return "False"
	case Dim:
		return o.String()
	case Cond:
		return o.String()
	case DType:
		return o.String()
	case Real:
		return "float"
	case Int, Float, Complex:
		return fmt.Sprint(o)
	}
	panic(fmt.Sprintf("graph: an operand of type %T", o))
}

// String writes a slice as in a subscript: "1:3", "::2".
func (s Slice) String() string {
	part := func(o Operand) string {
		if o == nil {
			return ""
		}
		return OperandString(o)
	}
	out := part(s.Start) + ":" + part(s.Stop)
	if s.Step != nil {
		out += ":" + part(s.Step)
	}
	return out
}
