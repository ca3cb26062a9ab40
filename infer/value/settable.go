package value

// This file keeps the table of a set of numbers, or of tuples of numbers, as CPython keeps
// it, since a program sees its order: list({21, 180, 3}) is [3, 180, 21] in every run. Texts
// have another hash in each run, so that sets of them have no order that is known.
//
// The rules are those of Objects/setobject.c. Where an element is added whose search
// comes past the place of a removed one, versions differ on which place it takes: the
// order is lost then.

import (
	"math"
	"math/big"
	"math/bits"
)

const (
	minTable     = 8     // slots of an empty set
	linearProbes = 9     // slots after the first that are tried in turn
	perturbShift = 5     // bits of the hash by which the next place differs
	manyUsed     = 50000 // elements from which on tables double instead of growing fourfold
)

// A setSlot is a place in a table. Its key is nil where nothing was ever, dummy where
// an element was removed.
type setSlot struct {
	hash int64
	key  any
}

type dummyKey struct{}

var dummy any = dummyKey{}

// A setTable is the table of one set. The length of slots is a power of two.
type setTable struct {
	slots      []setSlot
	fill, used int  // slots that are not empty; of those, elements
	finger     int  // where pop looks first
	unsure     bool // the order is lost
}

func newSetTable() *setTable { return &setTable{slots: make([]setSlot, minTable)} }

func (t *setTable) clone() *setTable {
	if t == nil {
		return nil
	}
	c := *t
	c.slots = append([]setSlot(nil), t.slots...)
	return &c
}

// find gives the slot of an element, or the empty one where the search for it ends, and
// whether that came past the place of a removed element.
func (t *setTable) find(hash int64, key any) (slot *setSlot, past bool) {
	mask := uint64(len(t.slots) - 1)
	perturb := uint64(hash)
	for i := perturb & mask; ; {
		probes := uint64(0)
		if i+linearProbes <= mask {
			probes = linearProbes
		}
		for j := i; j <= i+probes; j++ {
			s := &t.slots[j]
			if s.key == nil || s.hash == hash && s.key == key {
				return s, past
			}
			past = past || s.key == dummy
		}
		perturb >>= perturbShift
		i = (i*5 + 1 + perturb) & mask
	}
}

// add adds an element.
func (t *setTable) add(hash int64, key any) {
	s, past := t.find(hash, key)
	if s.key != nil {
		return
	}
	t.unsure = t.unsure || past
	*s = setSlot{hash, key}
	t.fill++
	t.used++
	if t.fill*5 >= (len(t.slots)-1)*3 {
		t.resize(t.grown())
	}
}

// grown is the size that a table takes that has become too full.
func (t *setTable) grown() int {
	if t.used > manyUsed {
		return t.used * 2
	}
	return t.used * 4
}

// discard removes an element.
func (t *setTable) discard(hash int64, key any) {
	if s, _ := t.find(hash, key); s.key != nil {
		*s = setSlot{-1, dummy}
		t.used--
	}
}

// resize makes a table with more than n slots, without what was removed.
func (t *setTable) resize(n int) {
	size := minTable
	for size <= n {
		size <<= 1
	}
	if size == minTable && len(t.slots) == minTable && t.fill == t.used {
		return
	}
	old := t.slots
	t.slots = make([]setSlot, size)
	for _, s := range old {
		if s.key != nil && s.key != dummy {
			place, _ := t.find(s.hash, s.key)
			*place = s
		}
	}
	t.fill = t.used
}

// reserve makes room before n elements are added at once.
func (t *setTable) reserve(n int) {
	if (t.fill+n)*5 >= (len(t.slots)-1)*3 {
		t.resize((t.used + n) * 2)
	}
}

// merge adds the elements of another set's table.
func (t *setTable) merge(o *setTable) {
	if t == o || o.used == 0 {
		return
	}
	t.reserve(o.used)
	if t.fill == 0 && len(t.slots) == len(o.slots) && o.fill == o.used {
		copy(t.slots, o.slots)
		t.fill, t.used = o.fill, o.used
		return
	}
	for _, s := range o.slots {
		if s.key != nil && s.key != dummy {
			t.add(s.hash, s.key)
		}
	}
}

// shrink drops the places of removed elements where they are more than a quarter.
func (t *setTable) shrink() {
	if t.fill-t.used > (len(t.slots)-1)/4 {
		t.resize(t.grown())
	}
}

// keys are the elements in the order of the table.
func (t *setTable) keys() []any {
	out := make([]any, 0, t.used)
	for _, s := range t.slots {
		if s.key != nil && s.key != dummy {
			out = append(out, s.key)
		}
	}
	return out
}

// pop takes out the element that set.pop takes.
func (t *setTable) pop() any {
	i := t.finger & (len(t.slots) - 1)
	for t.slots[i].key == nil || t.slots[i].key == dummy {
		if i++; i == len(t.slots) {
			i = 0
		}
	}
	key := t.slots[i].key
	t.slots[i] = setSlot{-1, dummy}
	t.used--
	t.finger = i + 1
	return key
}

// hashModulus is the prime by which numbers are hashed.
const hashModulus = 1<<61 - 1

// FixedHash is CPython's hash where it is the same in every run: of an int, a bool, a
// float that is a number, an empty text, and a tuple of these.
func FixedHash(v Value) (int64, bool) {
	switch v.(type) {
	case *Tuple, *Set:
		return fixedHash(&Visit{Repeats: SomeRepeats}, v)
	}
	return fixedHash(nil, v)
}

// fixedHash is FixedHash below other values; w is not needed for numbers and texts.
func fixedHash(w *Visit, v Value) (int64, bool) {
	h := int64(0)
	switch v := v.(type) {
	case Int:
		h = int64(v) % hashModulus
	case Bool:
		if v {
			h = 1
		}
	case Str:
		return 0, v == ""
	case Bytes:
		return 0, v == ""
	case *Tuple:
		return tupleHash(w, v, 2)
	case *BigInt:
		h = new(big.Int).Rem(v.V, big.NewInt(hashModulus)).Int64()
	case Float:
		return floatHash(float64(v))
	case *Set:
		return setHash(w, v)
	case Complex:
		re, known := floatHash(real(v))
		im, also := floatHash(imag(v))
		if !known || !also {
			return 0, false
		}
		h = re + 1000003*im
	default:
		return 0, false
	}
	if h == -1 {
		h = -2
	}
	return h, true
}

// setHash is the hash of a small frozenset, by CPython's rule: it does not depend on the order.
func floatHash(f float64) (h int64, ok bool) {
	switch {
	case math.IsNaN(f):
		return 0, false
	case math.IsInf(f, 0):
		h = int64(math.Copysign(314159, f))
	default:
		h = fractionHash(f)
	}
	if h == -1 {
		h = -2
	}
	return h, true
}

func setHash(w *Visit, s *Set) (int64, bool) {
	const most = 64
	if !s.Frozen || s.Open != nil || len(s.elems) > most || !w.Enter(s) {
		return 0, false
	}
	defer w.Leave()
	acc := uint64(0)
	for _, e := range s.elems {
		h, ok := fixedHash(w, e)
		if _, nested := e.(*Set); !ok || nested {
			return 0, false
		}
		u := uint64(h)
		acc ^= (u ^ 89869747 ^ u<<16) * 3644798167
	}
	acc ^= uint64(len(s.elems)+1) * 1927868237
	acc ^= acc>>11 ^ acc>>25
	acc = acc*69069 + 907133923
	if acc == 1<<64-1 {
		acc = 590923713
	}
	return int64(acc), true
}

// tupleHash is the hash of a tuple, by xxHash's rules as CPython has them from 3.8 on. Long
// tuples and deep ones are left out.
func tupleHash(w *Visit, t *Tuple, depth int) (int64, bool) {
	const most = 16
	if t.Class != nil || len(t.Elems) > most || !w.Enter(t) {
		return 0, false
	}
	defer w.Leave()
	return mixedHash(w, t.Elems, uint64(len(t.Elems))^(hashPrime5^3527539), depth)
}

// SliceHash is the hash of a slice of these three, by CPython's rule from 3.12 on.
func SliceHash(start, stop, step Value) (int64, bool) {
	return mixedHash(new(Visit), []Value{start, stop, step}, 0, 1)
}

// Primes of xxHash.
const hashPrime1, hashPrime2, hashPrime5 = 11400714785074694791, 14029467366897019727, 2870177450012600261

// mixedHash mixes the hashes of elems and adds a number to the sum.
func mixedHash(w *Visit, elems []Value, add uint64, depth int) (int64, bool) {
	acc := uint64(hashPrime5)
	for _, e := range elems {
		h, ok := int64(0), false
		if inner, isTuple := e.(*Tuple); !isTuple {
			h, ok = fixedHash(w, e)
		} else if depth > 1 {
			h, ok = tupleHash(w, inner, depth-1)
		}
		if !ok {
			return 0, false
		}
		acc = bits.RotateLeft64(acc+uint64(h)*hashPrime2, 31) * hashPrime1
	}
	acc += add
	if acc == math.MaxUint64 {
		acc = 1546275796
	}
	return int64(acc), true
}

// fractionHash is the hash of m * 2**e: m times a power of two modulo the prime.
func fractionHash(f float64) int64 {
	const width, step = 61, 28
	m, e := math.Frexp(math.Abs(f))
	x := uint64(0)
	for m != 0 {
		x = x<<step&hashModulus | x>>(width-step)
		m *= 1 << step
		e -= step
		y := uint64(m)
		m -= float64(y)
		if x += y; x >= hashModulus {
			x -= hashModulus
		}
	}
	e = (e%width + width) % width
	x = x<<e&hashModulus | x>>(width-e)
	if f < 0 {
		return -int64(x)
	}
	return int64(x)
}
