package onnx

// This file names sizes: dim_param has expressions such as "H//2 + 1" in our models,
// which the format allows but other programs may read as an identifier of C90. NameDims
// replaces what is none by names, with a table in the metadata; ExpandDims undoes it.

import (
	"fmt"
	"strings"
)

// DimsKey is the key of the table in a model's metadata: lines "name = expression".
const DimsKey = "dims"

// c90Keywords are no identifiers in C90.
var c90Keywords = map[string]bool{"auto": true, "break": true, "case": true, "char": true, "const": true, "continue": true,
	"default": true, "do": true, "double": true,
	"else": true, "enum": true, "extern": true, "float": true, "for": true, "goto": true, "if": true, "int": true, "long": true,
	"register": true, "return": true,
	"short": true, "signed": true, "sizeof": true, "static": true, "struct": true, "switch": true, "typedef": true, "union": true,
	"unsigned": true, "void": true,
	"volatile": true, "while": true}

// maxIdentifier is the number of characters that C90 tells apart.
const maxIdentifier = 31

// isC90 reports whether s is an identifier of C90.
func isC90(s string) bool {
	if s == "" || len(s) > maxIdentifier || c90Keywords[s] {
		return false
	}
	for i, c := range []byte(s) {
		letter := c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// eachDim calls f for all dimensions in the model's types.
func eachDim(m *Model, f func(d *Dim)) {
	var typ func(t *Type)
	typ = func(t *Type) {
		if t == nil {
			return
		}
		if t.Shape != nil {
			for i := range t.Shape.Dims {
				f(&t.Shape.Dims[i])
			}
		}
		typ(t.Of)
	}
	infos := func(list []*ValueInfo) {
		for _, v := range list {
			typ(v.Type)
		}
	}
	var nodes func(list []*Node)
	graph := func(g *Graph) {
		infos(g.Inputs)
		infos(g.Outputs)
		infos(g.Values)
		nodes(g.Nodes)
	}
	nodes = func(list []*Node) {
		for _, n := range list {
			for _, a := range n.Attrs {
				typ(a.TypeProto)
				for _, t := range a.TypeProtos {
					typ(t)
				}
			}
			n.Subgraphs(func(_ string, g *Graph) { graph(g) })
		}
	}
	if m.Graph != nil {
		graph(m.Graph)
	}
	for _, fn := range m.Functions {
		infos(fn.Values)
		nodes(fn.Nodes)
	}
}

// NameDims gives every size that is no identifier of C90 a fresh one, equal sizes the
// same, and writes the table into the metadata. Types that several values share are
// changed once.
func NameDims(m *Model) {
	taken := map[string]bool{}
	eachDim(m, func(d *Dim) {
		if isC90(d.Param) {
			taken[d.Param] = true
		}
	})
	names := map[string]string{}
	mine := map[string]bool{}
	var table []string
	k := 0
	eachDim(m, func(d *Dim) {
		if d.Param == "" || isC90(d.Param) || mine[d.Param] {
			return
		}
		name := names[d.Param]
		if name == "" {
			for name == "" || taken[name] {
				k++
				name = fmt.Sprintf("dim_%d", k)
			}
			names[d.Param], mine[name] = name, true
			table = append(table, name+" = "+d.Param)
		}
		d.Param = name
	})
	if len(table) > 0 {
		m.Metadata = append(m.Metadata, Entry{Key: DimsKey, Value: strings.Join(table, "\n")})
	}
}

// ExpandDims puts the expressions of the table back, and takes it out. It reports
// whether there was one.
func ExpandDims(m *Model) bool {
	text, ok := Meta(m.Metadata, DimsKey)
	if !ok {
		return false
	}
	table := map[string]string{}
	for _, line := range strings.Split(text, "\n") {
		if name, expr, ok := strings.Cut(line, " = "); ok && isC90(name) {
			table[name] = expr
		}
	}
	eachDim(m, func(d *Dim) {
		if expr, ok := table[d.Param]; ok && d.Param != "" {
			d.Param = expr
		}
	})
	for i, e := range m.Metadata {
		if e.Key == DimsKey {
			m.Metadata = append(m.Metadata[:i:i], m.Metadata[i+1:]...)
			break
		}
	}
	return true
}
