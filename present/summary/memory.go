package summary

// This file finds the peak of the memory that activations need.
//
// The peak is the greatest sum, over the moments of the run, of the tensors that
// are alive: a tensor is alive from the operator that makes it to the last one
// that reads it or a view of it. Arguments are alive throughout, since the caller
// holds them, and so are results from their making on. Views and what is written
// in place need no memory of their own. Parameters, buffers and what constructors
// made are not activations, and the scratch memory of kernels is not counted.
//
// That is what inference (torch.no_grad) needs when nothing is kept longer than
// it must be. A program that keeps names of tensors that it no longer reads needs
// more; training, which keeps what the backward pass reads, much more. Of a
// condition both branches are looked at, and of a loop one iteration.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A Peak is the greatest memory of activations, in bytes.
type Peak struct {
	// Bytes is the peak where it is the same moment for all sizes. Otherwise it is
	// the greatest of Candidates.
	Bytes      symshape.Dim
	Candidates []Moment
	// InUse is the memory in use whenever a tensor was made, in the order of the run.
	InUse []Moment
	// all are the moments that differ, for values.
	all []Moment
}

// A Moment is the memory that is in use when a tensor is made.
type Moment struct {
	Bytes symshape.Dim
	At    source.Span
}

// maxCandidates bounds the moments of which none is known to be below another.
const maxCandidates = 16

// At is the peak where the symbols have the given sizes, and where it is.
func (k *Peak) At(sizes Sizes) (Moment, int64, bool) {
	var best Moment
	greatest, ok := int64(-1), len(k.all) > 0
	for _, m := range k.all {
		n, known := At(m.Bytes, sizes)
		ok = ok && known
		if known && n > greatest {
			best, greatest = m, n
		}
	}
	return best, greatest, ok
}

// A lifetime is the time in which a storage is in use: both ends belong to it.
type lifetime struct {
	root     *graph.Value
	from, to int
}

type liveness struct {
	s     *Summary
	lives map[*graph.Value]*lifetime
	order []*lifetime
	when  []source.Span // the place of each time
}

// findPeak goes through the graph in the order of the run.
func (s *Summary) findPeak() {
	g := s.res.Graph
	l := &liveness{s: s, lives: map[*graph.Value]*lifetime{}}
	l.tick(source.Span{})
	inputs := map[*graph.Value]bool{}
	hold := func(v value.Value) {
		tensors(v, func(t *value.Tensor) {
			inputs[root(t.V)] = true
			l.make(root(t.V))
		})
	}
	for _, v := range g.Inputs {
		inputs[root(v)] = true
		l.make(v)
	}
	for _, in := range s.res.Inputs {
		hold(in.Value)
	}
	l.region(g.Body)
	end := len(l.when) - 1
	if s.res.Output != nil {
		tensors(s.res.Output, func(t *value.Tensor) { l.use(t.V, end) })
	}
	for _, x := range l.order {
		if inputs[x.root] {
			x.to = end
		}
	}
	l.sum()
}

func (l *liveness) tick(at source.Span) int {
	l.when = append(l.when, at)
	return len(l.when) - 1
}

// root is the value whose memory v shares.
func root(v *graph.Value) *graph.Value {
	for range 1 << 16 {
		if v.Base == nil {
			break
		}
		v = v.Base
	}
	return v
}

// make begins the life of a value that has memory of its own. The root of any
// other was made before, or is no activation.
func (l *liveness) make(v *graph.Value) {
	r := root(v)
	if r != v || r.Param || l.lives[r] != nil {
		return
	}
	x := &lifetime{r, len(l.when) - 1, len(l.when) - 1}
	l.lives[r] = x
	l.order = append(l.order, x)
}

func (l *liveness) use(v *graph.Value, now int) {
	if x := l.lives[root(v)]; x != nil {
		x.to = max(x.to, now)
	}
}

func (l *liveness) region(r *graph.Region) {
	for _, n := range r.Nodes {
		l.node(n)
	}
	for _, o := range r.Results {
		graph.Operands(o, func(v *graph.Value) { l.use(v, len(l.when)-1) })
	}
}

func (l *liveness) node(n *graph.Node) {
	now := l.tick(n.At)
	for _, a := range n.Args {
		graph.Operands(a.Value, func(v *graph.Value) { l.use(v, now) })
	}
	for _, r := range n.Regions {
		start := len(l.when) - 1
		born := len(l.order)
		if n.Op == graph.Loop {
			for _, v := range r.Params {
				l.make(v)
			}
		}
		l.region(r)
		if n.Op == graph.Loop { // what it reads from outside is read again
			for _, x := range l.order[:born] {
				if x.to > start {
					x.to = len(l.when) - 1
				}
			}
		}
	}
	if len(n.Regions) > 0 {
		l.tick(n.At)
	}
	for _, o := range n.Outputs {
		if o != nil {
			l.make(o)
		}
	}
}

// sum adds up what is alive at each moment and keeps the moments that may be the
// greatest.
func (l *liveness) sum() {
	p := l.s.res.Pool
	made := make([][]*lifetime, len(l.when))
	freed := make([][]*lifetime, len(l.when)+1)
	for _, x := range l.order {
		made[x.from] = append(made[x.from], x)
		freed[x.to+1] = append(freed[x.to+1], x)
	}
	cur := p.ConstDim(0)
	seen := map[symshape.Dim]bool{}
	k := &l.s.Peak
	bounded := true
	for i, at := range l.when {
		for _, x := range freed[i] {
			if b := l.s.bytesOf(x.root); b.Expr != nil || b.Known {
				cur = p.DimSub(cur, b)
			}
		}
		for _, x := range made[i] {
			b := l.s.bytesOf(x.root)
			if b.Expr == nil && !b.Known {
				l.s.lostMemory(x.root)
				continue
			}
			cur = p.DimAdd(cur, b)
		}
		if len(made[i]) == 0 {
			continue
		}
		m := Moment{cur, at}
		k.InUse = append(k.InUse, m)
		if seen[cur] {
			continue
		}
		seen[cur] = true
		k.all = append(k.all, m)
		if bounded {
			bounded = l.candidate(m)
		}
	}
	if !bounded {
		k.Candidates = nil
	}
	if len(k.Candidates) == 1 {
		k.Bytes = k.Candidates[0].Bytes
	}
}

// candidate keeps a moment unless another one needs at least as much for all
// sizes; false when there are too many.
func (l *liveness) candidate(m Moment) bool {
	k := &l.s.Peak
	keep := k.Candidates[:0:0]
	for _, c := range k.Candidates {
		if l.atMost(m, c) {
			return true
		}
		if !l.atMost(c, m) {
			keep = append(keep, c)
		}
	}
	k.Candidates = append(keep, m)
	return len(k.Candidates) <= maxCandidates
}

// atMost reports whether a is at most b for all sizes.
func (l *liveness) atMost(a, b Moment) bool {
	if a.Bytes.Expr == nil || b.Bytes.Expr == nil {
		return false
	}
	d := l.s.res.Pool.Sub(b.Bytes.Expr, a.Bytes.Expr)
	if d == nil {
		return false
	}
	lo, _ := l.s.res.Facts.Range(d)
	return lo >= 0
}

// bytesOf is the memory of a value; nothing when it is not known, which sum says.
func (s *Summary) bytesOf(v *graph.Value) symshape.Dim {
	size := v.Type.DType.Size()
	if v.Kind == graph.ScalarKind {
		return s.res.Pool.ConstDim(0)
	}
	if size == 0 || !v.Type.Ranked || v.Kind != graph.TensorKind {
		return symshape.Dim{}
	}
	return s.res.Pool.DimMul(s.res.Pool.ConstDim(int64(size)), s.res.Pool.Numel(v.Type.Shape))
}

func (s *Summary) lostMemory(v *graph.Value) {
	if v.Def != nil {
		s.uncounted(v.Def, "the memory of "+v.Type.String()+" is not known")
	}
}
