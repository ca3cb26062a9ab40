package export

// This file holds the arguments of a later run of a program against those of the export. It is how
// a call of an exported program is checked: torch.export refuses arguments of another structure,
// and guards those sizes and constants that the trace relied on. The first refusal is the one
// reported, in the order in which PyTorch looks: structure, then the arguments from left to right,
// then the conditions between sizes.

import (
	"slices"
	"strconv"

	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// A Binding says what a program makes of the arguments of a run. At most one of OtherStructure and
// Guard tells of a refusal; Unsure says that a refusal may have been overlooked.
type Binding struct {
	// Args are the arguments as the program takes them, those by name last.
	Args []value.Value
	// OtherStructure says that they have another structure than those of the export.
	OtherStructure bool
	// Guard is the first condition that they do not meet; empty: they meet all that are known.
	Guard string
	// Unsure says that an argument is not known well enough.
	Unsure bool
}

// Bind holds the arguments of a run against those of the export. r are the conditions of the
// program; nil: they are not known. Where r is nil, only the arguments themselves are compared.
func (p *Program) Bind(args []value.Value, kw []value.Kw, r *Run) Binding {
	all := slices.Clone(args)
	same := len(args) == len(p.Args) && len(kw) == len(p.Kw)
	for i, k := range kw {
		all = append(all, k.Value)
		same = same && k.Name == p.Kw[i].Name
	}
	// The visit bounds the depth of nested arguments, which may contain themselves.
	b := &binder{visit: value.Visit{Repeats: value.SomeRepeats}, p: p, sizes: map[string]int64{}}
	kept := make([]value.Value, len(all))
	for i := range all {
		if same {
			kept[i], same = b.value(p.given[i], all[i])
		}
	}
	// Conditions between sizes are only asked where all sizes are known.
	if same && b.guard == "" && r != nil && !b.unsure {
		b.guard = r.unmet(symshape.Env(b.sizes))
	}
	return Binding{Args: kept, OtherStructure: !same, Guard: b.guard, Unsure: b.unsure}
}

// unmet is the first condition that sizes do not meet; empty: they meet all. A condition that has a
// symbol without a size, or cannot be evaluated, counts as met.
func (x *Run) unmet(sizes func(string) (int64, bool)) string {
	for _, c := range x.Conds {
		if v, err := c.Cond.Eval(sizes); err == nil && !v {
			return c.Cond.String()
		}
	}
	for _, c := range slices.Concat(x.Apart, x.later) {
		if v, err := c.Eval(sizes); err == nil && !v {
			return c.String()
		}
	}
	return ""
}

// A binder holds arguments of a run against those of the export. It walks the arguments in the
// order in which the export numbered its leaves.
type binder struct {
	visit value.Visit
	p     *Program
	next  int // of the leaves
	// The values of the symbols of the export that the arguments gave so far.
	sizes map[string]int64
	guard string // the first that fails
	// unsure says that an argument is not known well enough.
	unsure bool
}

// value gives an argument as the program takes it; same is false where its structure differs.
// Lists, tuples and dicts are entered; a list for a tuple is another structure, and so is a dict
// with its keys in another order, as PyTorch's tree specification compares both. All else is a
// leaf.
func (b *binder) value(was, v value.Value) (kept value.Value, same bool) {
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
	// More leaves than the export has: the structure is another one.
	if b.next >= len(b.p.leaves) {
		return v, false
	}
	leaf := b.p.leaves[b.next]
	b.next++
	return b.leaf(leaf, v), true
}

// Later failures are dropped, as PyTorch raises at the first.
func (b *binder) fail(text string) {
	if b.guard == "" {
		b.guard = text
	}
}

// leaf binds the sizes of an argument and compares what is fixed. A tensor must have the rank of
// the export's, and each of its sizes must fit; a number is a size itself or a constant; any other
// value must be the same object or the same constant.
func (b *binder) leaf(leaf *argument, v value.Value) value.Value {
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
	// A number that the export made dynamic has one dimension without an axis.
	case value.Int:
		n, ok := v.(value.Int)
		switch {
		case len(leaf.dims) == 1 && ok:
			b.size(leaf, 0, int64(n), leaf.name, symshape.Dim{})
		case v != leaf.given && b.p.host.Known(v):
			b.fail(leaf.name + " == " + was.String())
		case v != leaf.given:
			b.unsure = true
		}
		return v
	}
	// Values of other kinds (an object) cannot be compared here: whether they are equal is not
	// known.
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

// size binds a size. A size of the export is root·factor + offset of its symbol's root. n must
// leave the offset's remainder, agree with what other arguments gave the same root, and lie between
// lo and hi. Bounds below 3 are not tested, since torch.export does not guard the sizes 0 and 1 of
// a named dimension by its bound. A size without a symbol must be the constant of the export.
func (b *binder) size(leaf *argument, i int, n int64, text string, was symshape.Dim) {
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
		if d.kind == namedDim && d.lo > 2 && root < d.lo {
			b.fail(text + " >= " + strconv.FormatInt(d.lo, 10))
		}
		return
	}
	if k, ok := was.Const(); ok && k != n {
		b.fail(text + " == " + strconv.FormatInt(k, 10))
	}
}
