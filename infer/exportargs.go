package infer

// This file makes the arguments with which torch.export runs a body, and holds those of a later
// run against them.

import (
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// An exportDim is a size that the program makes dynamic.
type exportDim struct {
	kind   string // dim, auto, dynamic
	name   string // of the Dim, or of the symbol
	lo, hi int64  // as declared
	sym    *symshape.Expr
	// base says that the symbol is the Dim's own, of which a size is factor·sym + offset.
	factor, offset int64
	size           *symshape.Expr
	at             int64 // the example
}

// An exportLeaf is an argument or part of one that is no sequence or dict.
type exportLeaf struct {
	name  string
	given value.Value
	dims  []*exportDim // of a tensor; nil: fixed
}

// exportMaker makes arguments with symbols of arguments.
type exportMaker struct {
	in     *Interp
	visit  value.Visit
	leaves []*exportLeaf
	dims   []*exportDim
	err    *ExportError
	// jit says that torch.jit.trace runs the body, for which sizes of 0 and 1 are as any.
	jit bool
	// roots says of the symbols of Dims whether sizes are made of them alone, and none is one itself.
	roots map[*symshape.Expr]bool
	// tensors are those that were made, by what is given: one that is given twice has the same sizes.
	tensors map[*value.Tensor]*exportLeaf
	types   map[*exportLeaf]graph.TensorType
}

// value makes an argument with symbols for its dynamic sizes. Elements of tensors are not known.
func (m *exportMaker) value(name string, v, spec value.Value) value.Value {
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
		return m.in.tupleOf(elems)
	case *value.List:
		if v.Open == nil {
			elems := make([]value.Value, len(v.Elems))
			for i, e := range v.Elems {
				elems[i] = m.value(name+"_"+strconv.Itoa(i), e, part(i))
			}
			return m.in.heap.NewList(elems)
		}
	case *value.Dict:
		if v.Open == nil {
			d := m.in.heap.NewDict()
			for i := range v.Len() {
				key, _ := value.AsStr(v.Key(i))
				if _, err := m.in.world.SetItem(m.in, d, v.Key(i), m.value(name+"_"+key, v.At(i), part(i))); err != nil {
					return v
				}
			}
			return d
		}
	case value.Int:
		leaf := &exportLeaf{name: name, given: v}
		m.leaves = append(m.leaves, leaf)
		if d := m.dim(parts, int64(v)); d != nil && d.size != nil {
			leaf.dims = []*exportDim{d}
			return value.FromDim(m.in.args.exampleDim(symshape.MakeDim(d.size)))
		}
		return v
	}
	m.leaves = append(m.leaves, &exportLeaf{name: name, given: v})
	return v
}

// tensor makes a tensor of the same type.
func (m *exportMaker) tensor(name string, v *value.Tensor, parts []value.Value) value.Value {
	leaf := &exportLeaf{name: name, given: v}
	m.leaves = append(m.leaves, leaf)
	typ := *v.Type()
	if first := m.tensors[v]; first != nil {
		leaf.dims, typ = first.dims, m.types[first]
	} else if typ.Ranked {
		typ.Shape = slices.Clone(typ.Shape)
		leaf.dims = make([]*exportDim, len(typ.Shape))
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
				typ.Shape[i] = m.in.args.exampleDim(symshape.MakeDim(leaf.dims[i].size))
			}
		}
	}
	if m.tensors == nil {
		m.tensors, m.types = map[*value.Tensor]*exportLeaf{}, map[*exportLeaf]graph.TensorType{}
	}
	if m.tensors[v] == nil {
		m.tensors[v], m.types[leaf] = leaf, typ
	}
	return &value.Tensor{Header: m.in.heap.Header(), Class: v.Class, V: m.in.build.NewValue(v.V.Kind, typ, m.in.Here())}
}

// dim reads (kind, name, min, max, factor, offset), of which the example is n. Its size is nil
// where an example of 0 or 1 fixes it.
func (m *exportMaker) dim(spec []value.Value, n int64) *exportDim {
	if len(spec) != 6 {
		return nil
	}
	in, d := m.in, &exportDim{lo: 0, hi: symshape.PosInf, factor: 1, at: n}
	d.kind, _ = value.AsStr(spec[0])
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
	refuse := func(kind, text string) *exportDim {
		if m.err == nil {
			m.err = &ExportError{Type: kind, Kind: "other", Message: text, At: in.Here()}
		}
		return nil
	}
	if d.kind == "" { // a number
		if n != d.lo {
			return refuse("torch.fx.experimental.symbolic_shapes.ConstraintViolationError",
				"the size is "+strconv.FormatInt(n, 10)+", dynamic_shapes says "+strconv.FormatInt(d.lo, 10))
		}
		return nil
	}
	root := n - d.offset
	if d.factor < 1 || root%d.factor != 0 {
		return refuse(userError, "the size "+strconv.FormatInt(n, 10)+" is not of the form that its Dim has")
	}
	root /= d.factor
	if d.kind == "dim" {
		if root < d.lo || root > d.hi {
			return refuse("torch.fx.experimental.symbolic_shapes.ConstraintViolationError",
				strconv.FormatInt(n, 10)+" is not in the range of the Dim "+d.name)
		}
		for _, o := range m.dims {
			if o.kind != "dim" || o.name != d.name {
				continue
			}
			if root != (o.at-o.offset)/o.factor {
				return refuse(userError, "sizes of the Dim "+d.name+" are not equal")
			}
			d.sym = o.sym
		}
	}
	m.dims = append(m.dims, d)
	if n < 2 && !m.jit {
		if d.kind == "dynamic" {
			return refuse("ValueError", "a dynamic size is an example of "+strconv.FormatInt(n, 10)+", which torch.export fixes")
		}
		return d
	}
	if d.sym == nil {
		d.sym = in.exportSymbol(d, root, m.jit)
	}
	d.size = in.pool.AddConst(in.pool.Mul(in.pool.Const(d.factor), d.sym), d.offset)
	if m.roots == nil {
		m.roots = map[*symshape.Expr]bool{}
	}
	if own, met := m.roots[d.sym]; !met || own {
		m.roots[d.sym] = d.size != d.sym
	}
	return d
}

// exportSymbol makes the symbol of a size with an example. It is taken to be at least 2, but under torch.jit.trace.
func (in *Interp) exportSymbol(d *exportDim, example int64, jit bool) *symshape.Expr {
	name := d.name
	if !isName(name) {
		name = "s0"
	}
	sym := in.exampleSymbol(name, min(max(d.lo, 0), example), d.hi, example)
	if f, ok := in.path.facts.Assume(in.pool.Ge(sym, in.pool.Const(min(2, example)))); ok && !jit {
		in.path.facts = f
	}
	return sym
}

// exampleSymbol makes a symbol with an example, under a name or the next that is free.
func (in *Interp) exampleSymbol(name string, lo, hi, example int64) *symshape.Expr {
	stem := strings.TrimRight(name, "0123456789")
	for i := 0; ; i++ {
		try := stem + strconv.Itoa(i)
		if i == 0 {
			try = name
		}
		if in.pool.Lookup(try) == nil {
			s := in.pool.Declare(try, lo, hi)
			in.examples[try] = example
			return s
		}
	}
}

// An exportBinder holds arguments of a run against those of the export.
type exportBinder struct {
	in    *Interp
	visit value.Visit
	x     *exported
	next  int // of the leaves
	sizes map[string]int64
	guard string // the first that fails
	// unsure says that an argument is not known well enough.
	unsure bool
}

// value gives an argument as the program takes it; same is false where its structure differs.
func (b *exportBinder) value(was, v value.Value) (kept value.Value, same bool) {
	if !b.visit.Enter(was) {
		return v, false
	}
	defer b.visit.Leave()
	switch was := was.(type) {
	case *value.Tuple, *value.List:
		xs, _ := value.AsSequence(was)
		ys, ok := value.AsSequence(v)
		_, tuple := was.(*value.Tuple)
		_, also := v.(*value.Tuple)
		if !ok || len(xs) != len(ys) || tuple != also {
			return v, false
		}
		same = true
		for i := range xs {
			_, s := b.value(xs[i], ys[i])
			same = same && s
		}
		return v, same
	case *value.Dict:
		y, ok := v.(*value.Dict)
		if !ok || y.Len() != was.Len() {
			return v, false
		}
		same = true
		for i := range was.Len() {
			if was.Key(i) != y.Key(i) {
				return v, false
			}
			_, s := b.value(was.At(i), y.At(i))
			same = same && s
		}
		return v, same
	}
	if b.next >= len(b.x.leaves) {
		return v, false
	}
	leaf := b.x.leaves[b.next]
	b.next++
	return b.leaf(leaf, v), true
}

func (b *exportBinder) fail(text string) {
	if b.guard == "" {
		b.guard = text
	}
}

// leaf binds the sizes of an argument and compares what is fixed.
func (b *exportBinder) leaf(leaf *exportLeaf, v value.Value) value.Value {
	switch was := leaf.given.(type) {
	case value.NoneType:
		return was // what is given instead is not looked at
	case *value.Tensor:
		t, ok := v.(*value.Tensor)
		if !ok {
			b.fail(leaf.name + " is a tensor")
			return v
		}
		if !t.Type().Ranked || !was.Type().Ranked {
			b.unsure = true
			return v
		}
		if len(t.Type().Shape) != len(was.Type().Shape) {
			b.fail(leaf.name + ".dim() == " + strconv.Itoa(len(was.Type().Shape)))
			return v
		}
		for i, d := range t.Type().Shape {
			n, known := d.Const()
			if !known {
				b.unsure = true
				continue
			}
			b.size(leaf, i, n, leaf.name+".size()["+strconv.Itoa(i)+"]", was.Type().Shape[i])
		}
		return v
	case value.Int:
		n, ok := v.(value.Int)
		switch {
		case len(leaf.dims) == 1 && ok:
			b.size(leaf, 0, int64(n), leaf.name, symshape.Dim{})
		case v != leaf.given && Known(v):
			b.fail(leaf.name + " == " + was.String())
		case v != leaf.given:
			b.unsure = true
		}
		return v
	}
	if v != leaf.given {
		if _, plain := leaf.given.(value.Str); plain || isScalar(leaf.given) {
			b.fail(leaf.name + " == " + leaf.given.String())
		} else {
			b.unsure = true
		}
	}
	return v
}

// isScalar reports whether a value is a number or truth value.
func isScalar(v value.Value) bool {
	switch v.(type) {
	case value.Bool, value.Float, value.Int:
		return true
	}
	return false
}

// size binds a size.
func (b *exportBinder) size(leaf *exportLeaf, i int, n int64, text string, was symshape.Dim) {
	if i < len(leaf.dims) && leaf.dims[i] != nil && leaf.dims[i].size != nil {
		d := leaf.dims[i]
		root := n - d.offset
		name := d.sym.String()
		if root%d.factor != 0 {
			b.fail(text + " % " + strconv.FormatInt(d.factor, 10) + " == " + strconv.FormatInt(d.offset%d.factor, 10))
			return
		}
		root /= d.factor
		if old, ok := b.sizes[name]; ok && old != root {
			b.fail(text + " is " + d.size.String())
			return
		}
		b.sizes[name] = root
		if root > d.hi {
			b.fail(text + " <= " + strconv.FormatInt(d.hi, 10))
		}
		if d.kind == "dim" && d.lo > 2 && root < d.lo {
			b.fail(text + " >= " + strconv.FormatInt(d.lo, 10))
		}
		return
	}
	if k, ok := was.Const(); ok && k != n {
		b.fail(text + " == " + strconv.FormatInt(k, 10))
	}
}
