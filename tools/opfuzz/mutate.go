package main

// This file makes new calls from recorded ones: a size, a rank, a dtype, an
// argument, its kind or its spelling becomes another.
//
// Random calls would nearly all be refused at once, for a reason that says nothing. A recorded
// call is known to work, so a small change of it is near the borders of what is accepted: there
// rules of shapes are wrong. What a call may contain is what the records' JSON has: tensors as
// {t, s}, tuples, slices, numbers with their spelling.

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"strconv"
	"strings"
)

// A call is a record of opdb as far as it is to be run.
type call struct {
	Op      string         `json:"op"`
	Variant string         `json:"variant"`
	Gen     string         `json:"gen"`
	Call    string         `json:"call,omitempty"`
	Ctor    *ctor          `json:"ctor,omitempty"`
	Train   int            `json:"train,omitempty"`
	Args    []any          `json:"args"`
	Kwargs  map[string]any `json:"kwargs,omitempty"`

	made bool // by a generator, and so odd enough
}

// A ctor makes the module that is called.
type ctor struct {
	Module string         `json:"module"`
	Args   []any          `json:"args"`
	Kwargs map[string]any `json:"kwargs,omitempty"`
}

// maxElements bounds the tensors of a call; maxValues those whose integer
// contents are written.
const (
	maxElements = 20_000
	maxValues   = 64
)

var dtypes = [...]string{"f32", "f32", "f32", "f64", "i64", "i64", "i32", "i16", "i8", "u8", "bool", "f16", "bf16", "c64", "c128"}

// words are strings that options of PyTorch's functions take.
var words = [...]string{"none", "mean", "sum", "batchmean", "zeros", "border", "reflection", "reflect", "constant", "replicate", "circular",
	"nearest", "bilinear", "bicubic", "trilinear", "linear", "area", "nearest-exact", "ortho", "forward", "backward", "fro", "nuc", "lower",
	"higher", "midpoint", "trunc", "floor", "U", "L", "S", "complete", "reduced", "r", "xy", "ij", "same", "valid", "amax", "prod", "tanh",
	"max"}

// A mutator changes calls. Keyword arguments come from those that any recorded
// call of the same function has. Both tables are made of the records once.
type mutator struct {
	rng      *rand.Rand
	keywords map[string][]keyword
	// values are those of recorded keyword arguments of any function.
	values map[string][]any
}

type keyword struct {
	name string
	val  any
}

// plain reports whether a value is made only of what can be changed and rebuilt. Storages,
// generators and other objects cannot be made from JSON.
func plain(v any) bool {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			if !plain(x) {
				return false
			}
		}
	case map[string]any:
		for k, x := range v {
			switch k {
			case "t", "s", "v", "st", "dtype", "float", "complex", "ellipsis", "memory_format", "callable":
			case "tuple", "size", "slice":
				if !plain(x) {
					return false
				}
			default:
				return false
			}
		}
		if s, isTensor := v["s"]; isTensor && s == nil {
			return false
		}
	}
	return true
}

func integer(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// tensorOf is a new tensor.
func (m *mutator) tensorOf(sizes ...int) map[string]any {
	s := make([]any, len(sizes))
	for i, n := range sizes {
		s[i] = integer(n)
	}
	return map[string]any{"t": dtypes[m.rng.Intn(len(dtypes))], "s": s}
}

// mutate changes up to three places of a call. It reports whether the result
// can be run. Contents of integer tensors are filled in at the end, as indices and lengths decide
// shapes.
func (m *mutator) mutate(c *call) bool {
	n := 1 + m.rng.Intn(3)
	if c.made {
		n = m.rng.Intn(2)
	}
	for range n {
		places := m.places(c)
		if len(places) == 0 {
			return false
		}
		places[m.rng.Intn(len(places))]()
	}
	ok := true
	if c.Ctor != nil {
		m.fill(c.Ctor.Args, &ok)
		for _, k := range sortedKeys(c.Ctor.Kwargs) {
			m.fill(c.Ctor.Kwargs[k], &ok)
		}
	}
	m.fill(c.Args, &ok)
	for _, k := range sortedKeys(c.Kwargs) {
		m.fill(c.Kwargs[k], &ok)
	}
	return ok
}

// places lists the changes that can be made to a call. Each place is a closure that makes one
// change; tensors are listed four times, so that most changes are of sizes.
func (m *mutator) places(c *call) []func() {
	rng := m.rng
	var places []func()
	add := func(f func()) { places = append(places, f) }
	var walk func(v any, set func(any))
	elems := func(list []any, set func([]any)) {
		for i := range list {
			walk(list[i], func(x any) { list[i] = x })
		}
		if n := len(list); n > 0 {
			add(func() {
				if rng.Intn(2) == 0 {
					set(list[: n-1 : n-1])
				} else {
					set(append(list[:n:n], list[rng.Intn(n)]))
				}
			})
		}
	}
	walk = func(v any, set func(any)) {
		switch v := v.(type) {
		case []any:
			elems(v, func(l []any) { set(l) })
		case map[string]any:
			if _, ok := v["t"]; ok {
				for range 4 {
					add(func() { m.retensor(v) })
				}
				if rng.Intn(6) == 0 {
					add(func() { set(m.scalar()) })
				}
				return
			}
			for _, k := range [...]string{"tuple", "size"} {
				if x, ok := v[k].([]any); ok {
					elems(x, func(l []any) { v[k] = l })
				}
			}
			if _, ok := v["dtype"]; ok {
				add(func() { v["dtype"] = dtypes[rng.Intn(len(dtypes))] })
			}
		case json.Number:
			if n, err := v.Int64(); err == nil {
				near := [...]int{int(n) + 1, int(n) - 1, -int(n), 0, 1, 2, -1, -2, 3, int(n) * 2}
				add(func() { set(integer(near[rng.Intn(len(near))])) })
				add(func() { set(integer(near[rng.Intn(len(near))])) })
			} else if f, err := v.Float64(); err == nil {
				near := [...]float64{-f, 0, f * 2, 1.5, -0.5, 2}
				add(func() { set(number(near[rng.Intn(len(near))])) })
			}
			if rng.Intn(4) == 0 {
				add(func() { set([...]any{m.scalar(), nil, []any{v}, m.tensorOf()}[rng.Intn(4)]) })
			}
		case bool:
			add(func() { set(!v) })
		case string:
			add(func() { set(words[rng.Intn(len(words))]) })
		case nil:
			if rng.Intn(3) == 0 {
				add(func() { set(m.scalar()) })
			}
		}
	}
	arguments := func(args []any, kwargs map[string]any, known []keyword) {
		for i := range args {
			walk(args[i], func(x any) { args[i] = x })
		}
		for _, k := range sortedKeys(kwargs) {
			walk(kwargs[k], func(x any) { kwargs[k] = x })
			add(func() { delete(kwargs, k) })
		}
		if len(known) > 0 {
			add(func() {
				k := known[rng.Intn(len(known))]
				kwargs[k.name] = clone(k.val)
			})
		}
	}
	if c.Ctor != nil {
		arguments(c.Ctor.Args, c.Ctor.Kwargs, m.keywords[c.Ctor.Module])
		arguments(c.Args, c.Kwargs, nil)
		add(func() { c.Train = 1 - c.Train })
	} else {
		arguments(c.Args, c.Kwargs, m.keywords[c.Op])
		add(func() { m.bySignature(c) })
	}
	if rng.Intn(8) == 0 {
		add(func() { m.respell(c) })
	}
	add(func() { m.retype(c) })
	return places
}

// retype gives all tensors of one dtype another. Functions mostly want one dtype for all tensors,
// so changing a single one would be refused.
func (m *mutator) retype(c *call) {
	var list []map[string]any
	var find func(v any)
	find = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				find(x)
			}
		case map[string]any:
			if _, ok := v["t"].(string); ok {
				list = append(list, v)
				return
			}
			for _, k := range sortedKeys(v) {
				find(v[k])
			}
		}
	}
	find(c.Args)
	find(c.Kwargs)
	if len(list) == 0 {
		return
	}
	from, to := list[0]["t"], dtypes[m.rng.Intn(len(dtypes))]
	for _, t := range list {
		if t["t"] == from {
			delete(t, "v")
			t["t"] = to
		}
	}
}

// respell changes how arguments are given: keywords renamed, out= and dtype=
// added, the last argument left out.
func (m *mutator) respell(c *call) {
	switch m.rng.Intn(5) {
	case 0:
		for _, p := range [...][2]string{{"dim", "axis"}, {"keepdim", "keepdims"}, {"input", "self"}, {"other", "x2"}} {
			if v, ok := c.Kwargs[p[0]]; ok {
				delete(c.Kwargs, p[0])
				c.Kwargs[p[1]] = v
			}
		}
	case 1:
		if n := len(c.Args); n > 1 {
			c.Args = c.Args[:n-1]
		}
	case 2:
		c.Kwargs["dtype"] = map[string]any{"dtype": dtypes[m.rng.Intn(len(dtypes))]}
	case 3:
		sizes := [...][]int{{}, {0}, {2, 3}, {1}}
		c.Kwargs["out"] = m.tensorOf(sizes[m.rng.Intn(len(sizes))]...)
	case 4:
		c.Args = append(c.Args, m.scalar())
	}
}

// scalar is some Python number, or a complex one.
func (m *mutator) scalar() any {
	switch m.rng.Intn(5) {
	case 0:
		return number(1.5)
	case 1:
		return m.rng.Intn(2) == 0
	case 2:
		return map[string]any{"complex": []any{number(1.5), number(-0.5)}}
	}
	return integer(m.rng.Intn(5) - 1)
}

// number is a float, which Python also reads as one.
func number(f float64) json.Number {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return json.Number(s)
}

func sizesOf(t map[string]any) []int {
	s, _ := t["s"].([]any)
	out := make([]int, len(s))
	for i, x := range s {
		n, _ := x.(json.Number).Int64()
		out[i] = int(n)
	}
	return out
}

// retensor changes a size, the rank, the dtype or the strides of a tensor. Sizes stay small, and
// a size of 0 is tried as often as 1.
func (m *mutator) retensor(t map[string]any) {
	rng, s := m.rng, sizesOf(t)
	delete(t, "v")
	delete(t, "st")
	n, k := len(s), rng.Intn(9)
	switch {
	case k == 0:
		t["t"] = dtypes[rng.Intn(len(dtypes))]
	case k == 1 && n < 5:
		i := rng.Intn(n + 1)
		s = append(s[:i:i], append([]int{1 + rng.Intn(3)}, s[i:]...)...)
	case k == 2 && n > 0:
		i := rng.Intn(n)
		s = append(s[:i:i], s[i+1:]...)
	case k == 3 && n > 0:
		s[rng.Intn(n)] = rng.Intn(2)
	case k == 4 && n > 1:
		t["st"] = permuted(rng, s)
	case n > 0:
		i := rng.Intn(n)
		s[i] = max(0, s[i]+rng.Intn(5)-2)
	}
	list := make([]any, len(s))
	for i, x := range s {
		list[i] = integer(x)
	}
	t["s"] = list
}

// permuted gives the strides of a contiguous tensor with its axes in another
// order.
func permuted(rng *rand.Rand, s []int) []any {
	st := make([]any, len(s))
	step := 1
	for _, i := range rng.Perm(len(s)) {
		st[i] = integer(step)
		step *= max(s[i], 1)
	}
	return st
}

// fill writes the contents of integer tensors, on which results may depend. Most numbers are 0, 1
// and 2, which are legal indices of small axes; now and then one is -1. ok becomes false for
// tensors that are too large.
func (m *mutator) fill(v any, ok *bool) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			m.fill(x, ok)
		}
	case map[string]any:
		d, isTensor := v["t"].(string)
		if !isTensor {
			for _, k := range sortedKeys(v) {
				m.fill(v[k], ok)
			}
			return
		}
		n := 1
		for _, x := range sizesOf(v) {
			n *= x
		}
		if n > maxElements {
			*ok = false
		}
		if _, given := v["v"]; given || d[0] == 'f' || d[0] == 'c' || d == "bf16" {
			return
		}
		if n > maxValues {
			*ok = false
			return
		}
		list := make([]any, n)
		for i := range list {
			list[i] = integer(m.rng.Intn(3))
			if d == "bool" {
				list[i] = integer(m.rng.Intn(2))
			} else if d != "u8" && m.rng.Intn(40) == 0 {
				list[i] = integer(-1)
			}
		}
		v["v"] = list
	}
}

// decode keeps the text of numbers: 2.0 is another argument than 2.
func decode(text []byte, to any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return dec.Decode(to)
}
