// Package irtext reads modules of the compiler's graph from the text form that ir.Module.String writes. Tests alone
// use it, to state a graph before a pass and behind it; the compiler makes its modules from models.
//
//	parse.go  Parse, symbols, constants, attributes
//	graph.go  graphs and nodes
//	type.go   types
//
// Parse is written for texts that String wrote: it splits lines at separators outside of brackets
// and quotes, and has no tokens. It is bounded all the same (length, nesting, numbers), since
// fuzz tests feed it. What it accepts may be a module that breaks rules; ir.Module.Verify says
// so.
package irtext

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/onnx/schema"
	"shapecheck/symshape"
)

// Limits of a text.
const (
	maxText  = 64 << 20
	maxNest  = 100
	maxIDs   = 1 << 24
	maxPorts = 1 << 16
)

// A Lookup finds the record of an operator; nil for one that has none. Records are passed in, so
// that this package does not depend on the table of operators.
type Lookup func(domain, name string) *ir.Record

// Parse reads a module. Records are found by lookup; constants that the text tells by
// their hash are taken from known, which may be nil. It returns an error, with the number of the line, for a line that
// is not in the form that String writes, and for a text longer than maxText. Texts have one of
// two forms of a constant: all bytes in base64, or their hash, which String writes for large
// ones.
func Parse(text string, lookup Lookup, known *ir.Store) (*ir.Module, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("a text of %d bytes is too long", len(text))
	}
	p := &parser{lookup: lookup, known: known, values: map[int32]*ir.Value{}, consts: map[int32]*ir.Value{}, binds: map[string]*ir.Node{},
		params: map[string]int32{}}
	p.lines = strings.Split(text, "\n")
	p.m = ir.NewModule("", symshape.NewPool())
	if err := p.module(); err != nil {
		return nil, fmt.Errorf("line %d: %w", p.at, err)
	}
	return p.m, nil
}

// binds are the nodes that lines name as binding a symbol, by the symbol.
type parser struct {
	m      *ir.Module
	lookup Lookup
	known  *ir.Store
	lines  []string
	at     int // the number of the line that was read last, from 1
	values map[int32]*ir.Value
	consts map[int32]*ir.Value
	binds  map[string]*ir.Node
	params map[string]int32       // the parameters that bind symbols
	sums   map[[32]byte]*ir.Const // known by content; nil: no text has asked for it
}

// next reads the next line that is not empty.
func (p *parser) next() (string, bool) {
	for p.at < len(p.lines) {
		s := strings.TrimSpace(p.lines[p.at])
		p.at++
		if s != "" {
			return s, true
		}
	}
	return "", false
}

// The graph comes last, because its types need the symbols and its operands the constants.
func (p *parser) module() error {
	for {
		s, ok := p.next()
		if !ok {
			return fmt.Errorf("the text ends before the graph")
		}
		word, rest, _ := strings.Cut(s, " ")
		var err error
		switch {
		case strings.HasPrefix(s, "graph("):
			if err := p.graph(p.m.Main, s, true, 0); err != nil {
				return err
			}
			return p.bound()
		case word == "module":
			p.m.Name, err = strconv.Unquote(rest)
		case word == "sym":
			err = p.symbol(rest)
		case word == "require":
			err = p.require(rest)
		case word == "meta":
			err = p.meta(rest)
		case word == "const":
			err = p.constant(rest)
		default:
			err = fmt.Errorf("%q is nothing known", word)
		}
		if err != nil {
			return err
		}
	}
}

// symbol reads: N 1..20 ; port 0 axis 2 upper 2*M What binds the symbol may be read later (a
// parameter or a node), and is filled in by bound.
func (p *parser) symbol(s string) error {
	head, how, ok := strings.Cut(s, ";")
	words := strings.Fields(head)
	if !ok || len(words) != 2 {
		return fmt.Errorf("a symbol is written as: sym N 1..8 ; port 0 axis 1")
	}
	lo, hi, ok := strings.Cut(words[1], "..")
	if !ok {
		return fmt.Errorf("%q is no range", words[1])
	}
	least, err := strconv.ParseInt(lo, 10, 64)
	if err != nil {
		return err
	}
	most := int64(symshape.PosInf)
	if hi != "" {
		if most, err = strconv.ParseInt(hi, 10, 64); err != nil {
			return err
		}
	}
	if !isName(words[0]) || least > most || p.declared(words[0]) {
		return fmt.Errorf("%q is no symbol that can be declared", words[0])
	}
	sym := ir.Symbol{Expr: p.m.Pool.Declare(words[0], least, most), Port: -1}
	how, upper, bounded := strings.Cut(strings.TrimSpace(how), " upper ")
	if bounded {
		if sym.Upper, err = p.expr(upper); err != nil {
			return err
		}
	}
	switch {
	case how == "node":
	case strings.HasPrefix(how, "param %"):
		id := int32(0)
		if _, err := fmt.Sscanf(how, "param %%%d axis %d", &id, &sym.Axis); err != nil {
			if _, err := fmt.Sscanf(how, "param %%%d element %d", &id, &sym.Axis); err != nil {
				return fmt.Errorf("%q does not say where the symbol is bound", how)
			}
			sym.Element = true
		}
		p.params[words[0]] = id
	default:
		if _, err := fmt.Sscanf(how, "port %d axis %d", &sym.Port, &sym.Axis); err != nil || sym.Port < 0 || sym.Port > maxPorts || sym.Axis < 0 {
			return fmt.Errorf("%q does not say where the symbol is bound", how)
		}
	}
	p.m.Syms = append(p.m.Syms, sym)
	return nil
}

func (p *parser) declared(name string) bool {
	for _, s := range p.m.Syms {
		if n, _ := s.Expr.IsSymbol(); n == name {
			return true
		}
	}
	return false
}

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// expr reads an expression over the declared symbols. The error is of the expression's syntax, or
// names a symbol that is not declared: the pool would otherwise make a new symbol of a misspelt
// one.
func (p *parser) expr(s string) (*symshape.Expr, error) {
	x, err := p.m.Pool.Parse(s)
	if err != nil {
		return nil, err
	}
	if x == nil {
		return nil, fmt.Errorf("%q is no size", s)
	}
	return x, p.declaredIn(x)
}

func (p *parser) declaredIn(x *symshape.Expr) error {
	for _, s := range x.Symbols() {
		if name, _ := s.IsSymbol(); !p.declared(name) {
			return fmt.Errorf("the symbol %s is not declared", name)
		}
	}
	return nil
}

// typ reads a type whose sizes use declared symbols only, at any depth.
func (p *parser) typ(s string) (inference.Type, error) {
	t, err := ParseType(p.m.Pool, s)
	if err != nil {
		return t, err
	}
	for x := &t; x != nil; x = x.Of {
		for _, d := range x.Dims {
			if err := p.declaredIn(d); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// require reads: H % 32 == 0 ; "why", "why"
func (p *parser) require(s string) error {
	text, because, _ := strings.Cut(s, ";")
	c, err := p.m.Pool.ParseCond(strings.TrimSpace(text))
	if err != nil {
		return err
	}
	out := ir.Condition{Cond: c}
	for _, b := range splitTop(strings.TrimSpace(because)) {
		why, err := strconv.Unquote(b)
		if err != nil {
			return fmt.Errorf("%s is no text in quotes", b)
		}
		out.Because = append(out.Because, why)
	}
	p.m.Contract = append(p.m.Contract, out)
	return nil
}

func (p *parser) meta(s string) error {
	key, rest, err := quoted(s)
	if err != nil {
		return err
	}
	value, _, err := quoted(rest)
	p.m.Metadata = append(p.m.Metadata, onnx.Entry{Key: key, Value: value})
	return err
}

// quoted reads a text in quotes, and gives what follows it.
func quoted(s string) (text, rest string, err error) {
	s = strings.TrimSpace(s)
	q, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", "", fmt.Errorf("%q does not begin with a text in quotes", s)
	}
	text, err = strconv.Unquote(q)
	return text, s[len(q):], err
}

// constant reads: @0 f32[2] base64 AAAA, or: @0 f32[2] sha256 00ff Numbers must be in the order
// of the store, which keeps equal elements once; a text with two equal constants was not written
// by String.
func (p *parser) constant(s string) error {
	words := strings.Fields(s)
	if len(words) == 3 && words[2] == "base64" { // no elements
		words = append(words, "")
	}
	if len(words) != 4 {
		return fmt.Errorf("a constant is written as: const @0 f32[1] base64 AACAPw==")
	}
	id, err := ident(words[0], '@')
	if err != nil {
		return err
	}
	if p.consts[id] != nil {
		return fmt.Errorf("@%d is defined twice", id)
	}
	t, err := p.tensor(words[1], words[2], words[3])
	if err != nil {
		return err
	}
	v, err := p.m.AddConst("", t)
	if err != nil {
		return err
	}
	if v.Const.ID != id {
		return fmt.Errorf("@%d has the same elements as another constant, or its number is not the next one", id)
	}
	p.consts[id] = v
	return nil
}

// tensor reads the type and elements of a constant. The sizes are numbers. For a hash the tensor
// of the known store is taken, with its own type.
func (p *parser) tensor(typ, form, text string) (*onnx.Tensor, error) {
	t, err := ParseType(p.m.Pool, typ)
	if err != nil {
		return nil, err
	}
	out := &onnx.Tensor{DType: t.Elem, HasRaw: true}
	for _, d := range t.Dims {
		n, ok := d.Const()
		if !ok {
			return nil, fmt.Errorf("the size %s of a constant is no number", d)
		}
		out.Dims = append(out.Dims, n)
	}
	switch form {
	case "base64":
		out.Raw, err = base64.StdEncoding.DecodeString(text)
	case "sha256":
		var h []byte
		if h, err = hex.DecodeString(text); err == nil {
			c := p.findConst(h)
			if c == nil {
				return nil, fmt.Errorf("the elements of the constant %s are not known", text)
			}
			out = c.Tensor
		}
	default:
		err = fmt.Errorf("%q is no form of elements", form)
	}
	return out, err
}

// findConst finds the known constant with a sum; nil: there is none.
func (p *parser) findConst(sum []byte) *ir.Const {
	if p.sums == nil && p.known != nil {
		p.sums = map[[32]byte]*ir.Const{}
		for _, c := range p.known.List {
			p.sums[c.Sum()] = c
		}
	}
	if len(sum) != 32 {
		return nil
	}
	return p.sums[[32]byte(sum)]
}

// ident reads %12 or @3.
func ident(s string, sigil byte) (int32, error) {
	if len(s) < 2 || s[0] != sigil {
		return 0, fmt.Errorf("%q is no name of a value", s)
	}
	n, err := strconv.ParseInt(s[1:], 10, 32)
	if err != nil || n < 0 || n > maxIDs {
		return 0, fmt.Errorf("%q is no name of a value", s)
	}
	return int32(n), nil
}

// bound gives the symbols that nodes bind their nodes. For a node's symbol the axis or the
// element of its results is found; an error names a symbol that nothing binds, or a node that
// binds what is no symbol of a node.
func (p *parser) bound() error {
	for i := range p.m.Syms {
		s := &p.m.Syms[i]
		if s.Port >= 0 {
			continue
		}
		name, _ := s.Expr.IsSymbol()
		if id, ok := p.params[name]; ok {
			if s.Param = p.values[id]; s.Param == nil || s.Param.Param == nil {
				return fmt.Errorf("%%%d, which binds the symbol %s, is no parameter", id, name)
			}
			continue
		}
		if s.Node = p.binds[name]; s.Node == nil {
			return fmt.Errorf("no node binds the symbol %s", name)
		}
		delete(p.binds, name)
		for _, v := range s.Node.Outs { // by a dimension, else by an element
			if v == nil {
				continue
			}
			if i := slices.Index(v.Type.Dims, s.Expr); i >= 0 {
				s.Axis, s.Element = i, false
				break
			}
			if i := slices.Index(v.Elems, s.Expr); i >= 0 {
				s.Axis, s.Element = i, true
			}
		}
	}
	for name := range p.binds {
		return fmt.Errorf("%s is bound by a node and is no symbol of a node", name)
	}
	if s, more := p.next(); more {
		return fmt.Errorf("%q follows the graph", s)
	}
	return nil
}

// attr reads the value of an attribute of a known type. Its form follows from the schema's type
// of the attribute, unlike in the program's text form.
func (p *parser) attr(def *schema.AttrDef, text string) (*onnx.Attr, error) {
	a := &onnx.Attr{Name: def.Name, Type: def.Type}
	list := func(f func(string) error) error {
		inner, ok := strings.CutPrefix(text, "[")
		inner, end := strings.CutSuffix(inner, "]")
		if !ok || !end {
			return fmt.Errorf("%s=%s is no list", def.Name, text)
		}
		for _, s := range splitTop(inner) {
			if err := f(s); err != nil {
				return err
			}
		}
		return nil
	}
	var err error
	switch def.Type {
	case onnx.AttrInt:
		a.Int, err = strconv.ParseInt(text, 10, 64)
	case onnx.AttrFloat:
		var f float64
		f, err = strconv.ParseFloat(text, 32)
		a.Float = float32(f)
	case onnx.AttrString:
		var s string
		s, err = strconv.Unquote(text)
		a.String = []byte(s)
	case onnx.AttrInts:
		err = list(func(s string) error {
			n, err := strconv.ParseInt(s, 10, 64)
			a.Ints = append(a.Ints, n)
			return err
		})
	case onnx.AttrFloats:
		err = list(func(s string) error {
			f, err := strconv.ParseFloat(s, 32)
			a.Floats = append(a.Floats, float32(f))
			return err
		})
	case onnx.AttrStrings:
		err = list(func(s string) error {
			t, err := strconv.Unquote(s)
			a.Strings = append(a.Strings, []byte(t))
			return err
		})
	case onnx.AttrTensor:
		typ, data, _ := strings.Cut(text, ":")
		a.Tensor, err = p.tensor(typ, "base64", data)
	default:
		err = fmt.Errorf("attributes of type %s have no text", def.Type)
	}
	return a, err
}
