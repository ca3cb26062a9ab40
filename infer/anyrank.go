package infer

// This file performs operations on tensors whose number of dimensions is not known. A rule needs one, so it is
// asked for each that the tensor may have: what all of them refuse is a fault, and what the results have in
// common is the result. It works below the dispatch of operations, so no rule knows of it. A try
// supposes a rank for each group of tensors, runs the rule, and takes everything back; the tries
// differ in the rank alone. Inside of a try no other one begins (supposing).

import (
	"errors"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// rankTrials are applications of operations to tensors whose number of dimensions is not known, with one number after the other.
type rankTrials struct {
	*base
	*control
	in *Interp
}

// More tries would not tell more than they cost.
const (
	// maxRank is the most dimensions that PyTorch and NumPy give a tensor.
	maxRank = 64
	// maxRankTries bounds how often one operation is tried.
	maxRankTries = 128
	// spareRanks is by how much a tensor has more dimensions than any number in the call: rules tell
	// numbers of dimensions apart by what the call says and by a few of their own.
	spareRanks = 4
)

// A rankGroup are the tensors of a call that are one value whose rank is not known. They share
// their rank, as they are one value.
type rankGroup struct {
	tensors []*value.Tensor
	value   *graph.Value
}

// A manyRanks is what the tries of an operation with several ranks came to. fits has a rank for
// each group in each element.
type manyRanks struct {
	fits      [][]int // the ranks with which it runs
	fault     []int   // those of the fault that tells most; see telling
	telling   int
	common    value.Value
	useful    bool  // common says anything
	rank      []int // of each result that is a tensor; -1 for others
	size, dim bool  // each result is the operand's shape, or its rank
}

// ofAnyRank performs an operation that has operands of unknown rank; done is false where it has
// none, or too many. args and kw are those of the call, op performs it with them.
func (rk *rankTrials) ofAnyRank(args []value.Value, kw []value.Kw, op func() (value.Value, error)) (v value.Value, done bool, err error) {
	groups := unrankedIn(args, kw)
	if len(groups) == 0 || len(rk.in.tracers.all) > 0 || rk.supposing {
		return nil, false, nil
	}
	ranks := rk.supposedRanks(groups, args, kw)
	if len(ranks) == 0 {
		return nil, false, nil
	}
	rk.supposing = true
	defer func() { rk.supposing = false }()
	m, err := rk.tryRanks(groups, ranks, op)
	if err != nil {
		return nil, true, err
	}
	first := groups[0]
	switch {
	// No rank fits: the fault of the try that tells most is raised again by op.
	case len(m.fits) == 0:
		restore := suppose(groups, m.fault)
		defer restore()
	// One rank fits: the program goes on with it.
	case len(m.fits) == 1:
		for i, g := range groups {
			rk.rankIs(g, m.fits[0][i])
		}
	// The result is the rank itself.
	case m.dim:
		return &value.SymInt{D: symshape.Dim{Expr: rk.rankExpr(first.value)}}, true, nil
	}
	// The operation is performed once more with the unknown rank.
	v, err = op()
	if err != nil || len(m.fits) < 2 {
		return v, true, err
	}
	// The result is the shape: what unpacks it tells the rank.
	if u, lost := v.(*value.Unknown); lost && m.size {
		return &value.Unknown{Cause: u.Cause, ShapeOf: first.tensors[0]}, true, nil
	}
	// What all tries have in common is added to the result.
	if m.useful {
		v = rk.refined(v, m.common)
		rk.relateRanks(v, groups, m, ranks[len(ranks)-1][0])
	}
	return v, true, nil
}

// tryRanks tries an operation with several ranks. An error is one that ends the run. Exceptions of
// tries count as ranks that do not fit.
func (rk *rankTrials) tryRanks(groups []rankGroup, ranks [][]int, op func() (value.Value, error)) (*manyRanks, error) {
	m := &manyRanks{useful: true, size: true, dim: true}
	for _, r := range ranks {
		x, err := rk.supposedly(groups, r, op)
		var e *value.Exception
		switch {
		// Of several faults the one that says most, and of two alike the one of a common rank.
		case errors.As(err, &e):
			if says := telling(e.Diag); m.fault == nil || says > m.telling || says == m.telling && total(m.fault) < 2*len(groups) {
				m.fault, m.telling = r, says
			}
			continue
		case err != nil:
			return nil, err
		}
		n, isInt := x.(value.Int)
		m.dim = m.dim && isInt && int(n) == r[0]
		m.size = m.size && rk.isSize(x, r[0])
		rank := -1
		if t, ok := x.(*value.Tensor); ok {
			rank = t.Type().Rank()
		}
		m.rank = append(m.rank, rank)
		if m.fits = append(m.fits, r); len(m.fits) == 1 {
			m.common = x
		} else if m.useful {
			m.common = commonOf(m.common, x)
		}
		m.useful = m.useful && informative(m.common)
		// Nothing more can be learned.
		if !m.useful && !m.dim && !m.size && len(m.fits) > 1 {
			break
		}
	}
	return m, nil
}

// telling is how much the fault of a try says about the program, apart from the rank that was
// tried. Faults about the rank itself say nothing.
func telling(d *diag.Diagnostic) int {
	if d == nil || d.Code == diag.RankMismatch || d.Code == diag.DimOutOfRange {
		return 0
	}
	return 1
}

// isSize reports whether a value is the shape of a tensor of some rank.
func (rk *rankTrials) isSize(v value.Value, rank int) bool {
	t, ok := v.(*value.Tuple)
	return ok && t.Class == rk.in.Class("torch.Size") && len(t.Elems) == rank
}

// rankExpr is the number of dimensions of a value of unknown rank. It is made when it is first
// asked for.
func (rk *rankTrials) rankExpr(v *graph.Value) *symshape.Expr {
	if e := rk.ranks[v]; e != nil {
		return e
	}
	return rk.rankFrom(v, symshape.PosInf)
}

// rankFrom makes the number of dimensions of a value, which is at most so many. The expression is a
// fresh symbol between the dimensions that are known and most.
func (rk *rankTrials) rankFrom(v *graph.Value, most int64) *symshape.Expr {
	e := rk.pool.FreshIn("ndim", int64(len(v.Type.Shape)), most)
	rk.in.rec.data(e)
	rk.probe.made(e)
	rk.setRank(v, e)
	return e
}

// setRank notes the expression for a value.
func (rk *rankTrials) setRank(v *graph.Value, e *symshape.Expr) {
	if rk.ranks == nil {
		rk.ranks = map[*graph.Value]*symshape.Expr{}
	}
	rk.ranks[v] = e
}

// relateRanks notes how the rank of a result follows from that of the operand, or how great it can be. Highest is the
// greatest rank that was tried. A result whose rank is always the operand's plus a number has such
// an expression.
func (rk *rankTrials) relateRanks(v value.Value, groups []rankGroup, m *manyRanks, highest int) {
	t, ok := v.(*value.Tensor)
	if !ok || t.Type().Ranked || rk.ranks[t.V] != nil || len(groups) > 1 || slices.Min(m.rank) < 0 {
		return
	}
	more, steady := m.rank[0]-m.fits[0][0], true
	for i, n := range m.rank {
		steady = steady && n-m.fits[i][0] == more
	}
	ends := m.fits[len(m.fits)-1][0] < highest-1
	g := groups[0].value
	if steady && !ends {
		rk.setRank(t.V, rk.pool.Add(rk.rankExpr(g), rk.pool.Const(int64(more))))
	} else if ends {
		rk.rankFrom(t.V, int64(slices.Max(m.rank)))
	}
}

// unpackedShape is the shape of a tensor of unknown rank of which a program takes n sizes: the tensor has so many
// dimensions on this path, or as many as come next to that. Where n is out of the range that is
// known, the nearest number in it is taken.
func (rk *rankTrials) unpackedShape(v *value.Unknown, n int) (value.Value, error) {
	t := v.ShapeOf
	if !t.Type().Ranked {
		lo, hi := rk.path.facts.Range(rk.rankExpr(t.V))
		rk.rankIs(rankGroup{[]*value.Tensor{t}, t.V}, int(min(max(int64(n), lo, int64(len(t.Type().Shape))), hi)))
		for i, d := range t.V.Type.Shape {
			if d.Expr == nil && !d.Known {
				t.V.Type.Shape[i] = rk.in.DataInt("d", 0, nil).D
			}
		}
	}
	return rk.in.GetAttr(t, "shape")
}

// total adds numbers.
func total(list []int) int {
	n := 0
	for _, x := range list {
		n += x
	}
	return n
}

// unrankedIn lists the tensors of unknown rank among arguments and in sequences there. Sequences
// are looked at one level deep.
func unrankedIn(args []value.Value, kw []value.Kw) []rankGroup {
	var groups []rankGroup
	add := func(v value.Value) {
		t, ok := v.(*value.Tensor)
		if !ok || t.Type().Ranked {
			return
		}
		for i := range groups {
			if g := &groups[i]; g.value == t.V {
				if !slices.Contains(g.tensors, t) {
					g.tensors = append(g.tensors, t)
				}
				return
			}
		}
		groups = append(groups, rankGroup{[]*value.Tensor{t}, t.V})
	}
	each := func(v value.Value) {
		switch v := v.(type) {
		case *value.Tensor:
			add(v)
		case *value.Tuple:
			for _, e := range v.Elems {
				add(e)
			}
		case *value.List:
			for _, e := range v.Elems {
				add(e)
			}
		}
	}
	for _, a := range args {
		each(a)
	}
	for _, k := range kw {
		each(k.Value)
	}
	return groups
}

// supposedRanks lists the combinations of ranks that an operation tells apart; nil where they are
// too many. Numbers, lengths and texts of the arguments bound the ranks that rules distinguish.
func (rk *rankTrials) supposedRanks(groups []rankGroup, args []value.Value, kw []value.Kw) [][]int {
	most := len(args)
	look := func(a value.Value) {
		for x := range value.Walk(a, 3, value.Sequences) {
			switch x := x.(type) {
			case value.Int:
				most = max(most, int(min(max(x, -x), maxRank)))
			case *value.Tensor:
				most = max(most, len(x.Type().Shape))
			case *value.Tuple:
				most = max(most, len(x.Elems))
			case *value.List:
				most = max(most, len(x.Elems))
			case value.Str: // an equation has a letter for each dimension
				most = max(most, len(x))
			}
		}
	}
	for _, a := range args {
		look(a)
	}
	for _, k := range kw {
		look(k.Value)
	}
	most = min(most+spareRanks, maxRank)
	list := [][]int{nil}
	for i, g := range groups {
		e := rk.ranks[g.value]
		// Groups with the same expression have the same rank.
		twin := slices.IndexFunc(groups[:i], func(o rankGroup) bool { return e != nil && rk.ranks[o.value] == e })
		var longer [][]int
		for _, before := range list {
			for r := len(g.value.Type.Shape); r <= most; r++ {
				if twin >= 0 && before[twin] != r || e != nil && rk.in.Decide(rk.pool.Eq(e, rk.pool.Const(int64(r)))) == symshape.No {
					continue // the program goes on with another
				}
				longer = append(longer, append(slices.Clone(before), r))
			}
		}
		if list = longer; len(list) > maxRankTries {
			return nil
		}
	}
	return list
}

// ofRank is a type whose dimensions before those that are known are of any size. Supposed is how
// many dimensions were added.
func ofRank(t graph.TensorType, rank int) graph.TensorType {
	t.Supposed = rank - len(t.Shape)
	t.Shape, t.Ranked = append(make(symshape.Shape, t.Supposed), t.Shape...), true
	return t
}

// suppose gives tensors a rank until restore is called. The value is copied, so that the real one
// stays as it is.
func suppose(groups []rankGroup, ranks []int) (restore func()) {
	for i, g := range groups {
		v := *g.value
		v.Type = ofRank(v.Type, ranks[i])
		for _, t := range g.tensors {
			t.V = &v
		}
	}
	return func() {
		for _, g := range groups {
			for _, t := range g.tensors {
				t.V = g.value
			}
		}
	}
}

// supposedly performs an operation on tensors that have some ranks, and takes back all that it did.
// The error is the fault of the try.
func (rk *rankTrials) supposedly(groups []rankGroup, ranks []int, op func() (value.Value, error)) (value.Value, error) {
	if err := rk.in.spent.charge(opSteps); err != nil {
		return nil, err
	}
	for _, g := range groups {
		for _, t := range g.tensors {
			rk.heap.Touch(t)
		}
	}
	before, refused := rk.path, rk.refused
	m, rec, sink, node := rk.heap.Mark(), rk.in.rec.mark(), rk.sink.Len(), rk.build.Mark()
	restore := suppose(groups, ranks)
	v, err := rk.in.quietly(op)
	rk.heap.Rollback(m)
	rk.heap.Close(m)
	restore()
	rk.path, rk.refused = before, refused
	rk.in.rec.rollback(rec)
	rk.sink.Truncate(sink)
	rk.build.Discard(node)
	// An operation in place has no result of its own.
	if err == nil && isOperand(groups, v) { // written in place
		return nil, nil
	}
	return v, err
}

// isOperand reports whether a result is one of the operands.
func isOperand(groups []rankGroup, v value.Value) bool {
	t, ok := v.(*value.Tensor)
	return ok && slices.ContainsFunc(groups, func(g rankGroup) bool { return slices.Contains(g.tensors, t) })
}

// rankIs notes on this path that a value has the only rank with which the program goes on. The
// value has a type with a rank from here on.
func (rk *rankTrials) rankIs(g rankGroup, rank int) {
	v := *g.value
	v.Type = ofRank(v.Type, rank)
	v.Type.Supposed = 0
	v.Def = nil // of the graph no node gives it
	rk.build.Incomplete(rk.in.Here(), "the number of dimensions is known from here on")
	if e := rk.ranks[g.value]; e != nil {
		if facts, ok := rk.path.facts.Assume(rk.pool.Eq(e, rk.pool.Const(int64(rank)))); ok {
			rk.path.facts = facts
		}
	}
	for _, t := range g.tensors {
		rk.heap.Touch(t)
		t.V = &v
	}
}

// informative reports whether what results have in common is anything. What results have in common
// may be nil in each element.
func informative(v value.Value) bool {
	switch v := v.(type) {
	case *value.Tuple:
		return slices.ContainsFunc(v.Elems, tells)
	case *value.List:
		return slices.ContainsFunc(v.Elems, tells)
	}
	return tells(v)
}

// tells reports whether a value says anything.
func tells(v value.Value) bool {
	switch v := v.(type) {
	case nil, *value.Unknown:
		return false
	case *value.Tensor:
		t := v.Type()
		return t.Ranked || len(t.Shape) > 0 || t.DType != dtype.Unknown
	}
	return true
}

// commonOf is what is known of a value that is one of two; nil for nothing. Of sequences in
// sequences it is nothing. Tensors have the types in common, other values must be the same.
func commonOf(a, b value.Value) value.Value {
	switch x := a.(type) {
	case *value.Tuple:
		if y, ok := b.(*value.Tuple); ok && len(x.Elems) == len(y.Elems) && sameClass(x.Class, y.Class) {
			return &value.Tuple{Class: x.Class, Elems: commonElems(x.Elems, y.Elems)}
		}
	case *value.List:
		if y, ok := b.(*value.List); ok && x.Open == nil && y.Open == nil && len(x.Elems) == len(y.Elems) {
			return &value.List{Header: x.Header, Elems: commonElems(x.Elems, y.Elems)}
		}
	}
	return commonPart(a, b)
}

// commonPart is commonOf for what is no sequence. The common value is a copy that is in no graph.
func commonPart(a, b value.Value) value.Value {
	if a == nil || b == nil {
		return nil
	}
	if same(a, b) {
		return a
	}
	x, ok := a.(*value.Tensor)
	y, also := b.(*value.Tensor)
	if !ok || !also || x.Class != y.Class {
		return nil
	}
	v := *x.V
	v.Type = commonType(x.Type(), y.Type())
	return &value.Tensor{Header: x.Header, Class: x.Class, V: &v}
}

// sameClass reports whether results are of one class: named tuples have one for each call.
func sameClass(a, b *value.Class) bool {
	return a == b || a != nil && b != nil && a.Layout == value.TupleLayout && a.Module == b.Module && a.Qualname == b.Qualname
}

// commonElems compares element by element.
func commonElems(a, b []value.Value) []value.Value {
	out := make([]value.Value, len(a))
	for i := range out {
		out[i] = commonPart(a[i], b[i])
	}
	return out
}

// commonType is the most precise type that two types have in common. Dimensions are aligned at the
// end.
func commonType(a, b *graph.TensorType) graph.TensorType {
	t := graph.TensorType{Ranked: a.Rank() >= 0 && a.Rank() == b.Rank()}
	if a.DType == b.DType {
		t.DType = a.DType
	}
	if a.Device == b.Device {
		t.Device = a.Device
	}
	n := min(len(a.Shape), len(b.Shape))
	t.Shape = make(symshape.Shape, n)
	for i := range t.Shape {
		if x, y := a.Shape[len(a.Shape)-n+i], b.Shape[len(b.Shape)-n+i]; x.Expr == y.Expr {
			t.Shape[i] = x
		}
	}
	return t
}

// refined is a result with what is known of it for each rank. v is what the operation gave without
// a rank.
func (rk *rankTrials) refined(v, common value.Value) value.Value {
	switch c := common.(type) {
	case *value.Tuple:
		if x, ok := v.(*value.Tuple); ok && len(x.Elems) == len(c.Elems) {
			return &value.Tuple{Class: x.Class, Elems: rk.refinedElems(x.Elems, c.Elems)}
		}
		if u, ok := v.(*value.Unknown); ok {
			return &value.Tuple{Class: c.Class, Elems: rk.refinedElems(slices.Repeat([]value.Value{u}, len(c.Elems)), c.Elems)}
		}
		return v
	case *value.List:
		if u, ok := v.(*value.Unknown); ok {
			return rk.heap.NewList(rk.refinedElems(slices.Repeat([]value.Value{u}, len(c.Elems)), c.Elems))
		}
		return v
	}
	return rk.refinedPart(v, common)
}

// refinedPart is refined for what is no sequence. An unknown result becomes a tensor of the common
// type.
func (rk *rankTrials) refinedPart(v, common value.Value) value.Value {
	c, ok := common.(*value.Tensor)
	if !ok {
		if common != nil && value.IsUnknown(v) {
			return common
		}
		return v
	}
	switch x := v.(type) {
	case *value.Tensor:
		if !x.Type().Ranked {
			x.V.Type = refinedType(x.V.Type, c.V.Type)
		}
	case *value.Unknown:
		rk.build.Incomplete(rk.in.Here(), "the number of dimensions is not known")
		return &value.Tensor{Header: rk.heap.Header(), Class: c.Class, V: rk.build.NewValue(graph.TensorKind, c.V.Type, rk.in.Here())}
	}
	return v
}

// refinedElems does so for each element.
func (rk *rankTrials) refinedElems(list, common []value.Value) []value.Value {
	out := make([]value.Value, len(list))
	for i := range out {
		out[i] = rk.refinedPart(list[i], common[i])
	}
	return out
}

// refinedType is an unranked type with what another says of the same tensor. The one with more
// known dimensions wins.
func refinedType(t, c graph.TensorType) graph.TensorType {
	if t.DType == dtype.Unknown {
		t.DType = c.DType
	}
	if c.Ranked || len(c.Shape) >= len(t.Shape) {
		t.Ranked, t.Shape = c.Ranked, c.Shape
	}
	return t
}
