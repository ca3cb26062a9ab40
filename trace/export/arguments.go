package export

// This file makes the arguments with which torch.export runs a body. Each tensor of the example is
// replaced by one of the same type whose dynamic sizes are symbols, as dynamic_shapes says: a Dim
// with a range, AUTO or DYNAMIC. The specs come from Python code of the prelude, which has read
// dynamic_shapes into tuples.

import (
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer/annot"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// A Program is a callable with the arguments with which it is exported, or traced by
// torch.jit.trace. It is made once for an export and used by Run and Bind.
type Program struct {
	Target value.Value
	// Args and Kw are the arguments with symbols.
	Args []value.Value
	Kw   []value.Kw
	// Refused is why torch.export does not take the arguments; nil: it does.
	Refused *Error

	host   Host
	given  []value.Value // as they were given
	leaves []*argument
	dims   []*dynamicSize
	roots  map[*symshape.Expr]bool // as those of Run
}

// NewProgram makes the arguments with which a callable is exported, or traced where jit says so. specs has name and dynamic sizes of
// each. kwargs follow the positional arguments. What is wrong with the sizes becomes Refused.
func NewProgram(h Host, target value.Value, given []value.Value, kwargs *value.Dict, specs []value.Value, jit bool) *Program {
	m := &maker{host: h, pool: h.Pool(), visit: value.Visit{Repeats: value.SomeRepeats}, jit: jit}
	p := &Program{Target: target, host: h}
	spec := func(i int) (string, value.Value) {
		if i < len(specs) {
			if pair, ok := value.AsSequence(specs[i]); ok && len(pair) == 2 {
				name, _ := value.AsStr(pair[0])
				return name, pair[1]
			}
		}
		return "arg" + strconv.Itoa(i), value.None
	}
	for i, v := range given {
		name, s := spec(i)
		p.Args, p.given = append(p.Args, m.value(name, v, s)), append(p.given, v)
	}
	for i := range kwargs.Len() {
		key, _ := value.AsStr(kwargs.Key(i))
		name, s := spec(len(given) + i)
		p.Kw = append(p.Kw, value.Kw{Name: key, Value: m.value(name, kwargs.At(i), s)})
		p.given = append(p.given, kwargs.At(i))
	}
	p.leaves, p.dims, p.roots, p.Refused = m.leaves, m.dims, m.roots, m.err
	return p
}

// A dimKind says how dynamic_shapes has a size. The zero value is a fixed size.
type dimKind uint8

const (
	staticSize dimKind = iota // a number
	namedDim                  // a Dim, or a multiple of one and a number
	autoDim                   // Dim.AUTO, dynamic where that is possible
	dynamicDim                // Dim.DYNAMIC, refused where it is not
)

// dimKinds are the kinds by the names that the prelude has for them.
var dimKinds = map[string]dimKind{"dim": namedDim, "auto": autoDim, "dynamic": dynamicDim}

// A dynamicSize is a size that the program makes dynamic. Of two sizes with the same Dim the symbol
// is one.
type dynamicSize struct {
	kind   dimKind
	name   string // of the Dim, or of the symbol
	lo, hi int64  // as declared
	sym    *symshape.Expr
	// base says that the symbol is the Dim's own, of which a size is factor·sym + offset.
	factor, offset int64
	size           *symshape.Expr
	at             int64 // the example
}

// An argument is one of the call or part of one that is no sequence or dict. leaves are in the
// order of the arguments.
type argument struct {
	name  string
	given value.Value
	dims  []*dynamicSize // of a tensor; nil: fixed
}

// A maker makes arguments with symbols of arguments. It is used for one program.
type maker struct {
	host   Host
	pool   *symshape.Pool
	visit  value.Visit
	leaves []*argument
	dims   []*dynamicSize
	err    *Error
	// jit says that torch.jit.trace runs the body, for which sizes of 0 and 1 are as any.
	jit bool
	// roots says of the symbols of Dims whether sizes are made of them alone, and none is one itself.
	roots map[*symshape.Expr]bool
	// tensors are those that were made, by what is given: one that is given twice has the same sizes.
	tensors map[*value.Tensor]*argument
	types   map[*argument]graph.TensorType
}

// value makes an argument with symbols for its dynamic sizes. Elements of tensors are not known.
// Sequences and dicts are copied with their parts replaced; ints can be dynamic as well. Other
// values stay.
func (m *maker) value(name string, v, spec value.Value) value.Value {
	if !m.visit.Enter(v) {
		return v
	}
	defer m.visit.Leave()
	parts, _ := value.AsSequence(spec)
	part := func(i int) value.Value {
		if i < len(parts) {
			return parts[i]
		}
		return value.None
	}
	switch v := v.(type) {
	case *value.Tensor:
		return m.tensor(name, v, parts)
	case *value.Tuple:
		elems := make([]value.Value, len(v.Elems))
		for i, e := range v.Elems {
			elems[i] = m.value(name+"_"+strconv.Itoa(i), e, part(i))
		}
		return &value.Tuple{Elems: elems}
	case *value.List:
		if v.Open == nil {
			elems := make([]value.Value, len(v.Elems))
			for i, e := range v.Elems {
				elems[i] = m.value(name+"_"+strconv.Itoa(i), e, part(i))
			}
			return m.host.Heap().NewList(elems)
		}
	case *value.Dict:
		if v.Open == nil {
			d := m.host.Heap().NewDict()
			for i := range v.Len() {
				key, _ := value.AsStr(v.Key(i))
				if err := m.host.SetItem(d, v.Key(i), m.value(name+"_"+key, v.At(i), part(i))); err != nil {
					return v
				}
			}
			return d
		}
	case value.Int:
		leaf := &argument{name: name, given: v}
		// An int with a spec is a size.
		m.leaves = append(m.leaves, leaf)
		if d := m.dim(parts, int64(v)); d != nil && d.size != nil {
			leaf.dims = []*dynamicSize{d}
			return value.FromDim(m.host.ExampleDim(symshape.MakeDim(d.size)))
		}
		return v
	}
	m.leaves = append(m.leaves, &argument{name: name, given: v})
	return v
}

// tensor makes a tensor of the same type. A tensor that is passed twice keeps one set of symbols.
func (m *maker) tensor(name string, v *value.Tensor, parts []value.Value) value.Value {
	leaf := &argument{name: name, given: v}
	m.leaves = append(m.leaves, leaf)
	typ := *v.Type()
	if first := m.tensors[v]; first != nil {
		leaf.dims, typ = first.dims, m.types[first]
	} else if typ.Ranked {
		typ.Shape = slices.Clone(typ.Shape)
		leaf.dims = make([]*dynamicSize, len(typ.Shape))
		for i := range typ.Shape {
			if i >= len(parts) || typ.Shape[i].Expr == nil {
				continue
			}
			list, ok := value.AsSequence(parts[i])
			n, known := typ.Shape[i].Const()
			if !ok || !known {
				continue
			}
			if leaf.dims[i] = m.dim(list, n); leaf.dims[i] != nil && leaf.dims[i].size != nil {
				typ.Shape[i] = m.host.ExampleDim(symshape.MakeDim(leaf.dims[i].size))
			}
		}
	}
	if m.tensors == nil {
		m.tensors, m.types = map[*value.Tensor]*argument{}, map[*argument]graph.TensorType{}
	}
	if m.tensors[v] == nil {
		m.tensors[v], m.types[leaf] = leaf, typ
	}
	return &value.Tensor{Header: m.host.Heap().Header(), Class: v.Class, V: m.host.Graph().NewValue(v.V.Kind, typ, m.host.Here())}
}

// dim reads (kind, name, min, max, factor, offset), of which the example is n. Its size is nil
// where an example of 0 or 1 fixes it. A fault is kept in m.err, the first one only. n must fit the
// Dim: in its range, of its form and equal to other sizes of that Dim.
func (m *maker) dim(spec []value.Value, n int64) *dynamicSize {
	if len(spec) != 6 {
		return nil
	}
	d := &dynamicSize{lo: 0, hi: symshape.PosInf, factor: 1, at: n}
	kind, _ := value.AsStr(spec[0])
	d.kind = dimKinds[kind]
	d.name, _ = value.AsStr(spec[1])
	read := func(v value.Value, to *int64) {
		if k, ok := value.AsInt(v); ok {
			*to = int64(k)
		}
	}
	read(spec[2], &d.lo)
	read(spec[3], &d.hi)
	read(spec[4], &d.factor)
	read(spec[5], &d.offset)
	refuse := func(kind, text string) *dynamicSize {
		if m.err == nil {
			m.err = &Error{Type: kind, Kind: OtherError, Message: text, At: m.host.Here()}
		}
		return nil
	}
	if d.kind == staticSize { // a number
		if n != d.lo {
			return refuse("torch.fx.experimental.symbolic_shapes.ConstraintViolationError",
				"the size is "+strconv.FormatInt(n, 10)+", dynamic_shapes says "+strconv.FormatInt(d.lo, 10))
		}
		return nil
	}
	// The Dim's own value, from size = factor·root + offset.
	root := n - d.offset
	if d.factor < 1 || root%d.factor != 0 {
		return refuse(UserError, "the size "+strconv.FormatInt(n, 10)+" is not of the form that its Dim has")
	}
	root /= d.factor
	if d.kind == namedDim {
		if root < d.lo || root > d.hi {
			return refuse("torch.fx.experimental.symbolic_shapes.ConstraintViolationError",
				strconv.FormatInt(n, 10)+" is not in the range of the Dim "+d.name)
		}
		for _, o := range m.dims {
			if o.kind != namedDim || o.name != d.name {
				continue
			}
			if root != (o.at-o.offset)/o.factor {
				return refuse(UserError, "sizes of the Dim "+d.name+" are not equal")
			}
			d.sym = o.sym
		}
	}
	m.dims = append(m.dims, d)
	// torch.export specialises sizes of 0 and 1.
	if n < 2 && !m.jit {
		if d.kind == dynamicDim {
			return refuse("ValueError", "a dynamic size is an example of "+strconv.FormatInt(n, 10)+", which torch.export fixes")
		}
		return d
	}
	if d.sym == nil {
		d.sym = m.symbol(d, root)
	}
	// A size that is derived from a Dim is an expression of its symbol.
	d.size = m.pool.AddConst(m.pool.Mul(m.pool.Const(d.factor), d.sym), d.offset)
	if m.roots == nil {
		m.roots = map[*symshape.Expr]bool{}
	}
	// True as long as no size is the symbol itself.
	if own, met := m.roots[d.sym]; !met || own {
		m.roots[d.sym] = d.size != d.sym
	}
	return d
}

// symbol makes the symbol of a size with an example. It is taken to be at least 2, but under
// torch.jit.trace. The example is always within the bounds of the symbol.
func (m *maker) symbol(d *dynamicSize, example int64) *symshape.Expr {
	name := d.name
	if !annot.IsName(name) {
		name = "s0"
	}
	sym := NewSymbol(m.host, name, min(max(d.lo, 0), example), d.hi, example)
	if !m.jit {
		m.host.Assume(m.pool.Ge(sym, m.pool.Const(min(2, example))))
	}
	return sym
}

// NewSymbol makes a symbol with an example, under a name or the next that is free. A trailing
// number is counted up until the name is free.
func NewSymbol(h Host, name string, lo, hi, example int64) *symshape.Expr {
	pool := h.Pool()
	stem := strings.TrimRight(name, "0123456789")
	for i := 0; ; i++ {
		try := stem + strconv.Itoa(i)
		if i == 0 {
			try = name
		}
		if pool.Lookup(try) == nil {
			s := pool.Declare(try, lo, hi)
			h.SetExample(try, example)
			return s
		}
	}
}
