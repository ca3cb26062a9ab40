package infer

// This file keeps what the names in annotations and shape comments stand for, and
// holds a shape against a tensor's type. Names bind for one activation of a
// function: what a parameter's annotation calls t is t to its end. The bindings
// are in the heap, so that a branch that is rolled back takes its own along.

import (
	"strings"

	"shapecheck/infer/annot"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A nameSource says who gave a name its size.
type nameSource uint8

const (
	byComment nameSource = iota
	byAnnotation
	byCode // a variable of the program
)

// A boundName is what a name stands for.
type boundName struct {
	dim symshape.Dim
	by  nameSource
	// at is the comment or annotation that bound it.
	at source.Pos
	// rank and axis are the shape in which it stood; rank is -1 when not known.
	rank, axis int
}

// nameOf gives what a name stands for in f.
func (an *annotations) nameOf(f *frame, name string) (boundName, bool) {
	v, _ := f.names.Get(name)
	t, ok := v.(*value.Tuple)
	if !ok || len(t.Elems) != 5 {
		return boundName{}, false
	}
	d, ok := value.AsDim(an.pool, t.Elems[0])
	by, ok1 := t.Elems[1].(value.Int)
	at, ok2 := t.Elems[2].(value.Int)
	rank, ok3 := t.Elems[3].(value.Int)
	axis, ok4 := t.Elems[4].(value.Int)
	if !ok || !ok1 || !ok2 || !ok3 || !ok4 || d.Unknown() {
		return boundName{}, false // branches differ in it
	}
	return boundName{d, nameSource(by), source.Pos(at), int(rank), int(axis)}, true
}

// bindName gives a name of an axis its size, for the call of the frame, and where it was written. It is in the
// heap's journal: after a branch that is rolled back the name is free again.
func (an *annotations) bindName(f *frame, name string, b boundName) {
	if f.names == nil {
		return
	}
	f.names.Set(&an.heap, name, value.NewTuple(value.FromDim(b.dim), value.Int(b.by), value.Int(b.at), value.Int(b.rank),
		value.Int(b.axis)))
}

// restOf gives the sizes that a name of several axes stands for.
func (an *annotations) restOf(f *frame, name string) (symshape.Shape, bool) {
	v, _ := f.names.Get("*" + name)
	t, ok := v.(*value.Tuple)
	if !ok {
		return nil, false
	}
	out := symshape.Shape{}
	for _, e := range t.Elems {
		d, ok := value.AsDim(an.pool, e)
		if !ok {
			return nil, false
		}
		out = append(out, d)
	}
	return out, true
}

// bindRest gives a name that stands for several axes (*batch) their sizes; the star in the key keeps it apart
// from names of one axis.
func (an *annotations) bindRest(f *frame, name string, dims symshape.Shape) {
	t := &value.Tuple{}
	for _, d := range dims {
		t.Elems = append(t.Elems, value.FromDim(d))
	}
	f.names.Set(&an.heap, "*"+name, t)
}

// sameDim decides whether two sizes are one; when the sizes do not decide it, the
// example sizes may refute it.
func (an *annotations) sameDim(a, b symshape.Dim) symshape.Answer {
	if a.Expr != nil && b.Expr != nil {
		if ans := an.host.Decide(an.pool.Eq(a.Expr, b.Expr)); ans != symshape.Unknown {
			return ans
		}
	}
	if a.Known && b.Known {
		if a.Val != b.Val {
			return symshape.No
		}
		if a.Expr == nil || b.Expr == nil {
			return symshape.Yes
		}
	}
	return symshape.Unknown
}

// An axisFault is an axis whose size is not what was written.
type axisFault struct {
	axis      int // of the shape as written
	at        int // of the tensor
	want, got symshape.Dim
	// name is what the name that the axis is stands for.
	name  boundName
	named bool
	// swapped says that the size of the name is at another axis.
	swapped bool
}

// A shapeMatch is the result of holding a shape against a tensor.
type shapeMatch struct {
	answer symshape.Answer
	// rank is set when the number of dimensions is wrong.
	rank   bool
	faults []axisFault
	// open are the axes that are not decided.
	open []axisFault
	// compared counts the sizes that were compared and agree.
	compared int
	binds    []nameBind
	rests    []restBind
}

type nameBind struct {
	name string
	boundName
}

type restBind struct {
	name string
	dims symshape.Shape
}

// A nameLookup gives what a name, or a path such as self.dim, stands for. With
// hidden set it stands for something that is not known, and binds nothing.
type nameLookup func(name string, path bool) (b boundName, known, hidden bool)

// match holds a shape against a tensor's type. Names that are not known are
// bound: the caller keeps the bindings by commit.
func (an *annotations) match(f *frame, s *annot.Shape, t *graph.TensorType, by nameSource, at source.Pos, look nameLookup) shapeMatch {
	m := shapeMatch{answer: symshape.Yes}
	rest := s.Rest()
	n := len(s.Axes)
	have := len(t.Shape)
	switch {
	case rest < 0 && (t.Ranked && have != n || have > n), rest >= 0 && t.Ranked && have < n-1:
		m.rank, m.answer = true, symshape.No
		return m
	case !t.Ranked:
		m.answer = symshape.Unknown
	}
	pending := map[string]boundName{}
	local := func(name string, path bool) (boundName, bool, bool) {
		if b, ok := pending[name]; ok && !path {
			return b, true, false
		}
		return look(name, path)
	}
	axis := func(i, at int) { an.matchAxis(&m, s, i, at, t, by, pending, local) }
	head, tail := n, 0
	if rest >= 0 {
		head, tail = rest, n-rest-1
	}
	if t.Ranked {
		for i := range head {
			axis(i, i)
		}
	} else if rest < 0 { // the trailing sizes of so many
		for i := n - have; i < n; i++ {
			axis(i, i-n+have)
		}
	}
	for k := range tail {
		if i := have - tail + k; i >= 0 && (t.Ranked || rest >= 0) {
			axis(rest+1+k, i)
		}
	}
	if rest >= 0 && t.Ranked {
		an.matchRest(f, &m, s.Axes[rest], t.Shape[head:have-tail], rest)
	}
	for name, b := range pending {
		b.at = at
		m.binds = append(m.binds, nameBind{name, b})
	}
	m.permuted()
	if len(m.faults) > 0 {
		m.answer = symshape.No
	} else if len(m.open) > 0 {
		m.answer = symshape.Unknown
	}
	return m
}

// permuted makes faults of the undecided axes when their sizes are those of the
// names in another order: (b, t) for a tensor that is [t,b]. That they are equal
// would be a coincidence.
func (m *shapeMatch) permuted() {
	var named, rest []axisFault
	for _, x := range m.open {
		if x.named && x.want.Expr != nil && x.got.Expr != nil {
			named = append(named, x)
		} else {
			rest = append(rest, x)
		}
	}
	if len(named) < 2 {
		return
	}
	used := make([]bool, len(named))
next:
	for _, x := range named {
		for j, y := range named {
			if !used[j] && y.got.Expr == x.want.Expr {
				used[j] = true
				continue next
			}
		}
		return
	}
	for _, x := range named {
		x.swapped = true
		m.faults = append(m.faults, x)
	}
	m.open = rest
}

// matchAxis holds one axis against a size.
func (an *annotations) matchAxis(m *shapeMatch, s *annot.Shape, i, at int, t *graph.TensorType, by nameSource,
	pending map[string]boundName, look nameLookup) {
	a, got := s.Axes[i], t.Shape[at]
	if a.Kind != annot.Size {
		return
	}
	rank := -1
	if t.Ranked {
		rank = len(t.Shape)
	}
	if a.As != "" {
		an.matchAxis(m, &annot.Shape{Axes: []annot.Axis{{Expr: annot.Named(a.As)}}}, 0, 0,
			&graph.TensorType{Ranked: true, Shape: symshape.Shape{got}}, by, pending, look)
	}
	fault := axisFault{axis: i, at: at, got: got}
	one := an.sameDim(got, an.pool.ConstDim(1))
	if name, ok := a.Expr.Name(); ok {
		b, known, hidden := look(name, false)
		if !known {
			if !hidden && !got.Unknown() && !(a.Broadcast && one == symshape.Yes) {
				pending[name] = boundName{dim: got, by: by, rank: rank, axis: at}
			}
			return
		}
		fault.name, fault.named, fault.want = b, true, b.dim
		an.judge(m, fault, an.sameDim(b.dim, got), a, one)
		return
	}
	dim := func(up bool) (symshape.Dim, bool) {
		return a.Expr.Dim(an.pool, func(name string, path bool) (symshape.Dim, bool) {
			b, known, _ := look(name, path)
			return b.dim, known
		}, up)
	}
	want, ok := dim(false)
	if !ok || want.Unknown() {
		m.open = append(m.open, fault)
		return
	}
	fault.want = want
	answer := an.sameDim(want, got)
	if answer != symshape.Yes && a.Expr.Divides() {
		if other, ok := dim(true); ok {
			if up := an.sameDim(other, got); up == symshape.Yes || answer == symshape.No {
				answer = up
			}
		}
	}
	an.judge(m, fault, answer, a, one)
}

// judge files the answer for one axis.
func (an *annotations) judge(m *shapeMatch, f axisFault, answer symshape.Answer, a annot.Axis, one symshape.Answer) {
	if a.Broadcast && answer != symshape.Yes {
		switch {
		case one == symshape.Yes:
			answer = symshape.Yes
		case one == symshape.Unknown:
			answer = symshape.Unknown
		}
		if answer == symshape.No && an.sameDim(f.want, an.pool.ConstDim(1)) != symshape.No {
			answer = symshape.Unknown // the other one was broadcast
		}
	}
	switch answer {
	case symshape.Yes:
		m.compared++
	case symshape.No:
		m.faults = append(m.faults, f)
	default:
		m.open = append(m.open, f)
	}
}

// matchRest holds the axes that a *name stands for against what it stood for before.
func (an *annotations) matchRest(f *frame, m *shapeMatch, a annot.Axis, dims symshape.Shape, i int) {
	if a.Name == "" || f.names == nil {
		return
	}
	before, ok := an.restOf(f, a.Name)
	if !ok {
		m.rests = append(m.rests, restBind{a.Name, dims})
		return
	}
	if a.Broadcast {
		if len(before) != len(dims) {
			m.open = append(m.open, axisFault{axis: i})
		}
		return
	}
	if len(before) != len(dims) {
		m.faults = append(m.faults, axisFault{axis: i, at: -1})
		return
	}
	for k := range dims {
		fault := axisFault{axis: i, at: i + k, want: before[k], got: dims[k]}
		an.judge(m, fault, an.sameDim(before[k], dims[k]), annot.Axis{}, symshape.No)
	}
}

// commit keeps the bindings of a match.
func (an *annotations) commit(f *frame, m *shapeMatch) {
	if f.names == nil {
		return
	}
	for _, b := range m.binds {
		an.bindName(f, b.name, b.boundName)
	}
	for _, b := range m.rests {
		an.bindRest(f, b.name, b.dims)
	}
}

// annotationLook looks names up as annotations mean them: what annotations bound,
// and paths that start at a variable of the function.
func (an *annotations) annotationLook(f *frame) nameLookup {
	return func(name string, path bool) (boundName, bool, bool) {
		if path {
			d, ok := an.pathDim(f, name)
			return boundName{dim: d, by: byCode, rank: -1}, ok, true
		}
		b, ok := an.nameOf(f, name)
		if ok && b.by == byComment {
			return boundName{}, false, false
		}
		return b, ok, false
	}
}

// pathDim gives the integer that a path such as self.dim leads to.
func (an *annotations) pathDim(f *frame, path string) (symshape.Dim, bool) {
	parts := strings.Split(path, ".")
	v := an.localNamed(f, parts[0])
	if v == nil && f.globals != nil {
		v, _ = f.globals.Attrs.Get(parts[0])
	}
	for _, p := range parts[1:] {
		if v == nil || value.IsUnknown(v) {
			return symshape.Dim{}, false
		}
		base := v
		x, err := an.host.quietly(func() (value.Value, error) {
			x, ok, err := an.host.LookupAttr(base, p)
			if !ok || err != nil {
				return nil, err
			}
			return x, nil
		})
		if err != nil {
			return symshape.Dim{}, false
		}
		v = x
	}
	if v == nil {
		return symshape.Dim{}, false
	}
	d, ok := value.AsDim(an.pool, v)
	return d, ok && !d.Unknown()
}
