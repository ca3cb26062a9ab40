package main

// This file makes calls from the signatures of the operator records: each argument
// is made up from the type and the name of its parameter, around one shape and one
// dtype for the whole call, so that many calls are right.
//
// A call of arguments drawn at random would be an error nearly always, and two implementations
// that both refuse it say little. The guesses by names (index, mask, dim, size) raise the share
// of valid calls; one in some steps is wrong on purpose, since the class of the error is compared
// as well.

import (
	"math/rand"
	"regexp"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
)

// A target is one name of a record. Names of one record differ in how they are called: as a
// function, as a method, in place.
type target struct {
	name string
	op   *ops.Op
}

// A generator makes calls of targets. The mutator has the random numbers and values of parameters
// that recorded calls had.
type generator struct {
	*mutator
	targets []target
}

// generated matches the names that are called with made-up arguments: what is
// public, and operators. ungiven are the parameters that are left out: they say
// where and how, or are deprecated.
var (
	generated = regexp.MustCompile(`^(torch|torchvision)(\.([A-Za-z]\w*|__\w+__))+$`)
	ungiven   = regexp.MustCompile(`^(layout|names|generator|device|pin_memory|size_average|reduce|_stacklevel|non_blocking|like)$`)
)

// newGenerator takes all names of records that match. In-place forms are added where the record
// says that there is one.
func newGenerator(m *mutator, match *regexp.Regexp) *generator {
	g := &generator{mutator: m}
	catalog.All(func(op *ops.Op) {
		for _, n := range op.Names {
			if !generated.MatchString(n) || never.MatchString(n) || !match.MatchString(n) {
				continue
			}
			g.targets = append(g.targets, target{n, op})
			if op.InPlace && !strings.HasSuffix(n, "_") {
				g.targets = append(g.targets, target{n + "_", op})
			}
		}
	})
	return g
}

// call makes a call of any target. Required parameters are always given and optional ones half of
// the time. From the first one that is left out on the others are passed by name, since positions
// would shift.
func (g *generator) call() *call {
	t := g.targets[g.rng.Intn(len(g.targets))]
	c := &call{Gen: "fuzzed", Args: []any{}, Kwargs: map[string]any{}, made: true}
	c.rename(t.name)
	c.Call = strings.TrimSuffix(t.name, ".get")
	c.Op = strings.TrimPrefix(c.Call, "torch.")
	sigs := t.op.Signatures()
	s := sigs[g.rng.Intn(len(sigs))]
	b := g.base()
	named := false // all that follows is passed by name
	for i := range s.Params {
		p := &s.Params[i]
		switch {
		case i == s.KwRest:
			continue
		case i == s.Rest:
			for range 1 + g.rng.Intn(3) {
				c.Args = append(c.Args, g.some(b))
			}
			continue
		case p.HasDef && (g.rng.Intn(2) == 0 || ungiven.MatchString(p.Name)):
			named = true
			continue
		}
		v := g.argument(p, b)
		if named = named || p.KwOnly || i > 0 && g.rng.Intn(8) == 0; named {
			c.Kwargs[p.Name] = v
		} else if l, ok := v.([]any); ok && p.Variadic && i == len(s.Params)-1 && g.rng.Intn(2) == 0 {
			c.Args = append(c.Args, l...)
		} else {
			c.Args = append(c.Args, v)
		}
	}
	if t.op.Out && c.Variant == "function" && g.rng.Intn(8) == 0 {
		c.Kwargs["out"] = b.tensor([]int{0}, b.dtype)
	}
	return c
}

// A base is what the arguments of one call have in common. dtype is in the short form of records,
// such as "f32".
type base struct {
	rng   *rand.Rand
	shape []int
	dtype string
}

// base picks a shape, seldom with a size of 0, and a dtype. The number of dimensions is 2 most
// often and at most 5; sizes are 1 to 4, as larger ones find nothing more and take time.
func (m *mutator) base() *base {
	rng := m.rng
	b := &base{rng: rng, shape: make([]int, [...]int{0, 1, 1, 2, 2, 2, 3, 3, 4, 5}[rng.Intn(10)]), dtype: dtypes[rng.Intn(len(dtypes))]}
	for i := range b.shape {
		if b.shape[i] = 1 + rng.Intn(4); rng.Intn(24) == 0 {
			b.shape[i] = 0
		}
	}
	return b
}

// baseOf is that of a call that exists. If its first argument is no tensor it is a drawn one.
func (m *mutator) baseOf(c *call) *base {
	b := m.base()
	if len(c.Args) > 0 {
		if t, ok := c.Args[0].(map[string]any); ok && t["t"] != nil {
			b.shape, b.dtype = sizesOf(t), t["t"].(string)
		}
	}
	return b
}

// tensor is a tensor's record: its dtype and sizes; elements are not given, as types alone are
// compared.
func (b *base) tensor(sizes []int, dtype string) map[string]any {
	return map[string]any{"t": dtype, "s": numbersOf(sizes)}
}

// numbersOf makes the list of numbers that records have.
func numbersOf(sizes []int) []any {
	s := make([]any, len(sizes))
	for i, n := range sizes {
		s[i] = integer(n)
	}
	return s
}

// relatedShape is a shape that has to do with the base's: the same, one that broadcasts to
// it, its matrices transposed, one of its sizes, or any other. Half of the time it is the same.
func (b *base) relatedShape() []int {
	rng, s := b.rng, append([]int(nil), b.shape...)
	n := len(s)
	switch k := rng.Intn(12); {
	case k < 6:
	case k < 8:
		for i := range s {
			if rng.Intn(2) == 0 {
				s[i] = 1
			}
		}
		s = s[rng.Intn(n+1):]
	case k == 8 && n > 1:
		s[n-1], s[n-2] = s[n-2], s[n-1]
	case k == 9 && n > 0:
		s = []int{s[rng.Intn(n)]}
	case k == 10 && n > 0:
		s = s[:n-1]
	default:
		s = make([]int, rng.Intn(4))
		for i := range s {
			s[i] = rng.Intn(5)
		}
	}
	return s
}

var (
	// They are matched against parameter names of PyTorch, which are consistent enough.
	indexName = regexp.MustCompile(`index|indices|target|offsets|lengths|pivots|repeats`)
	maskName  = regexp.MustCompile(`mask|condition`)
	axisName  = regexp.MustCompile(`^(dims?\d?|axis\d?|axes|start_dim|end_dim|source|destination)$`)
	sizeName  = regexp.MustCompile(`^(size|shape|sizes|output_size)$`)
)

// argument makes a value for a parameter. The order of preference is a value that a recorded call
// gave for a parameter of that name, None where it is allowed, and one made up by type and name.
// Lists become tuples half of the time.
func (m *mutator) argument(p *ops.Param, b *base) any {
	rng := m.rng
	if list := m.values[p.Name]; len(list) > 0 && (p.Type == ops.StrType || p.Type == ops.AnyType || rng.Intn(8) == 0) && rng.Intn(4) > 0 {
		return clone(list[rng.Intn(len(list))])
	}
	if p.Optional && rng.Intn(12) == 0 {
		return nil
	}
	if !p.List {
		return m.single(p, b)
	}
	if p.Size > 0 && rng.Intn(2) == 0 {
		return m.single(p, b)
	}
	n := p.Size
	if n == 0 {
		n = 1 + rng.Intn(3)
	}
	var list []any
	switch {
	case axisName.MatchString(p.Name):
		for _, i := range rng.Perm(max(len(b.shape), 1))[:rng.Intn(max(len(b.shape), 1)+1)] {
			list = append(list, integer(i-len(b.shape)*rng.Intn(2)))
		}
	case sizeName.MatchString(p.Name):
		list = numbersOf(b.relatedShape())
	default:
		for range n {
			list = append(list, m.single(p, b))
		}
	}
	if list == nil {
		list = []any{}
	}
	if rng.Intn(2) == 0 {
		return list
	}
	return map[string]any{"tuple": list}
}

// single makes one value of a parameter's type. Index tensors get int64 and masks bool, five
// times of six; some tensors are permuted, so that strides matter.
func (m *mutator) single(p *ops.Param, b *base) any {
	rng := m.rng
	switch p.Type {
	case ops.TensorType:
		t := b.tensor(b.relatedShape(), b.dtype)
		switch {
		case indexName.MatchString(p.Name) && rng.Intn(6) > 0:
			t["t"] = "i64"
		case maskName.MatchString(p.Name) && rng.Intn(6) > 0:
			t["t"] = "bool"
		case rng.Intn(12) == 0:
			t["t"] = dtypes[rng.Intn(len(dtypes))]
		}
		if rng.Intn(12) == 0 {
			t["st"] = permuted(rng, sizesOf(t))
		}
		return t
	case ops.OperandType:
		if rng.Intn(3) > 0 {
			return b.tensor(b.relatedShape(), b.dtype)
		}
		return m.scalar()
	case ops.ScalarType:
		return m.scalar()
	case ops.IntType:
		if axisName.MatchString(p.Name) {
			n := len(b.shape)
			return integer(rng.Intn(2*n+2) - n - rng.Intn(2))
		}
		return integer([...]int{0, 1, 1, 2, 2, 3, 4, -1}[rng.Intn(8)])
	case ops.FloatType:
		return number([...]float64{0, 0.5, 1, 2, 0.1, -1, 3}[rng.Intn(7)])
	case ops.BoolType:
		return rng.Intn(2) == 0
	case ops.StrType:
		return words[rng.Intn(len(words))]
	case ops.DTypeType:
		return map[string]any{"dtype": dtypes[rng.Intn(len(dtypes))]}
	}
	return m.some(b)
}

// some is any value: a tensor, a number, a list, part of an index. It is for parameters whose
// type the record does not say.
func (m *mutator) some(b *base) any {
	rng := m.rng
	switch rng.Intn(8) {
	case 0, 1, 2:
		return b.tensor(b.relatedShape(), b.dtype)
	case 3:
		return map[string]any{"tuple": []any{m.scalar(), m.scalar()}}
	case 4:
		return nil
	case 5:
		ends := [3]any{nil, nil, nil}
		for i := range ends {
			if rng.Intn(2) == 0 {
				ends[i] = integer([...]int{1, 2, 0, 3, -1}[rng.Intn(5)])
			}
		}
		return map[string]any{"slice": ends[:]}
	case 6:
		return []any{b.tensor(b.relatedShape(), b.dtype), b.tensor(b.relatedShape(), b.dtype)}
	}
	return m.scalar()
}

// bySignature changes a call by what the record of its function says: a parameter
// that was not given is, or the last positional argument is passed by name. It leaves functions
// with *args or **kwargs alone, whose positions have no names.
func (m *mutator) bySignature(c *call) {
	op, ok := catalog.Lookup(c.Call)
	if !ok {
		return
	}
	sigs := op.Signatures()
	s := sigs[m.rng.Intn(len(sigs))]
	n := len(c.Args)
	if s.Rest >= 0 || s.KwRest >= 0 || n > len(s.Params) {
		return
	}
	if n > 1 && m.rng.Intn(2) == 0 {
		c.Kwargs[s.Params[n-1].Name] = c.Args[n-1]
		c.Args = c.Args[:n-1]
		return
	}
	if rest := s.Params[n:]; len(rest) > 0 {
		if p := &rest[m.rng.Intn(len(rest))]; !ungiven.MatchString(p.Name) {
			c.Kwargs[p.Name] = m.argument(p, m.baseOf(c))
		}
	}
}
