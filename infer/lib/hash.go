package lib

// This file defines hash keys and the search in dicts and sets.
//
// A hash key is a comparable Go value that is equal for equal Python keys. A key
// that is symbolic (a size) has one, too, which finds a key of the same form;
// that it differs from another key proves nothing, so a search that misses
// compares the symbolic ones. CPython's hashes themselves are not computed but for numbers
// (FixedHash), where they decide the order of a set. A search goes in two steps: by the hash key in
// the map of the dict or set, then, if the key searched or one of those stored is symbolic, by
// comparison with each. The result is one of three (found), and what is written under a key that
// may be equal to another one leaves the container open.

import (
	"fmt"
	"math"
	"math/big"
	"sort"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

type (
	// The key of an int beyond 64 bits: its hexadecimal digits.
	bigKey string
	// Bytes, which are never equal to a text of the same content.
	bytesKey string
	// A complex number that is no real one.
	complexKey complex128
	// A size by its expression, of which there is one for equal forms in a pool.
	symKey struct{ e *symshape.Expr }
	// An intsKey is the key of a tuple of a few integers; length tells how many.
	intsKey struct {
		length     int
		a, b, c, d int64
	}
	// A pairKey chains the keys of a tuple's elements.
	pairKey struct{ head, tail any }
	// A kindKey tells containers with the same elements apart. kind is the name of the class or
	// function.
	kindKey struct {
		kind string
		key  any
	}
)

// HashKey gives the hash key of a builtin value, and of an instance of a class
// that compares by identity. Str has the key string, ints int64. err is a TypeError for what is not hashable, as a list
// or a tuple that has one. ok is false where the class of an instance defines __hash__ itself, and
// for a choice, which the caller splits.
func (w *World) HashKey(th value.Thread, v value.Value) (key any, ok bool, err error) {
	switch v := v.(type) {
	case value.Str:
		return string(v), true, nil
	case value.Int:
		return int64(v), true, nil
	// True and 1 are one key in Python.
	case value.Bool:
		n, _ := smallInt(v)
		return n, true, nil
	case *value.BigInt:
		return bigKey(v.V.Text(hexBase)), true, th.Step(words(v.V))
	case value.Float:
		return floatKey(float64(v)), true, nil
	// A complex number without imaginary part equals a float, and that an int.
	case value.Complex:
		if imag(v) == 0 {
			return floatKey(real(v)), true, nil
		}
		return complexKey(v), true, nil
	case value.Bytes:
		return bytesKey(v), true, nil
	case *value.SymInt:
		// A size is its number where it is constant, and its expression otherwise; a value without
		// an expression that the example gives is that number; without either it is only equal to
		// itself.
		switch {
		case v.D.Expr != nil:
			if n, ok := v.D.Const(); ok {
				return n, true, nil
			}
			return symKey{v.D.Expr}, true, nil
		case v.D.Known:
			return v.D.Val, true, nil
		}
		return v, true, nil
	case *value.Tuple:
		return w.tupleKey(th, v.Elems)
	// Slices are hashable since CPython 3.12.
	case *value.Slice:
		k, _, err := w.tupleKey(th, []value.Value{v.Start, v.Stop, v.Step})
		return kindKey{"slice", k}, true, err
	case *value.GenericAlias:
		k, _, err := w.tupleKey(th, append([]value.Value{v.Origin}, v.Args...))
		return kindKey{"alias", k}, true, err
	case *value.Range:
		if r, ok := concreteRange(v); ok {
			n := r.len()
			// Ranges are equal if they give the same numbers: all empty ones, and those of one
			// number whatever the step.
			switch {
			case n == 0:
				r = intRange{}
			case n == 1:
				r.step = 0
			}
			return kindKey{"range", [3]int64{n, r.start, r.step}}, true, nil
		}
		return v, true, nil
	// The same method of the same object, though each access makes a new bound method.
	case *value.BoundMethod:
		return pairKey{v.Self, v.Func}, true, nil
	case *value.List:
		// A tuple of unknown length is equal to itself only, as far as is known.
		if w.isTuple(v) {
			return v, true, nil
		}
		return nil, true, w.unhashable(th, v)
	case *value.Dict:
		return nil, true, w.unhashable(th, v)
	case *value.Set:
		// Only a frozenset can be a key.
		if !v.Frozen {
			return nil, true, w.unhashable(th, v)
		}
		return w.setKey(th, v)
	case *value.Instance:
		// A class that defines __eq__ without __hash__ has None there.
		h, found := v.Class.Lookup("__hash__")
		if h == value.None {
			return nil, true, w.unhashable(th, v)
		}
		if b, ok := h.(*value.Builtin); !found || !ok || b.Name != "object.__hash__" {
			// A subclass of a builtin class that does not define __hash__ hashes like the value
			// that it wraps.
			if v.Payload != nil && ok {
				return w.HashKey(th, v.Payload)
			}
			return nil, false, nil
		}
		// The instance itself: it compares by identity.
		return v, true, nil
	case *value.Tensor:
		// numpy.ndarray is not hashable, torch.Tensor is hashed by identity.
		if v.Class != nil {
			if h, _ := v.Class.Lookup("__hash__"); h == value.None {
				return nil, true, w.unhashable(th, v)
			}
		}
		return v, true, nil
	case *value.Class:
		// A metaclass can make its classes unhashable in the same way.
		if v.Meta != nil {
			if h, _ := v.Meta.Lookup("__hash__"); h == value.None {
				return nil, true, w.unhashable(th, v)
			}
		}
		return v, true, nil
	case *value.Choice:
		return nil, false, nil
	case *value.Abstract:
		// An abstract value that is the result of a known function of known arguments is equal to
		// another of the same.
		if v.Of != nil {
			k, _, err := w.tupleKey(th, v.Of.Args)
			return kindKey{v.Of.Func, k}, true, err
		}
	}
	return v, true, nil
}

// unhashable raises for a value whose class has no hash, as a list. The message is that of the
// CPython versions before 3.14.
func (w *World) unhashable(th value.Thread, v value.Value) error {
	c := w.TypeOf(v)
	name := c.Name
	if c.Module == "numpy" { // a type of C is named with its module
		name = "numpy." + name
	}
	return th.Raise("TypeError", "unhashable type: '%s'", name)
}

// hexBase is the base of the keys of long numbers, in which they are written fast.
const hexBase = 16

// floatKey gives an integral float the key of the int that equals it. A NaN has a key that equals nothing.
func floatKey(f float64) any {
	// Beyond 2^62 the int is long anyhow, so the conversion is left to big.
	if f == math.Trunc(f) && math.Abs(f) < 1<<62 {
		return int64(f)
	}
	if f == math.Trunc(f) && !math.IsInf(f, 0) {
		n, _ := big.NewFloat(f).Int(nil)
		return bigKey(n.Text(hexBase))
	}
	return f
}

// tupleKey makes a tuple's key of the keys of its elements. The keys are chained in pairs since Go compares
// interface values of comparable types only, and slices are none. An error is a budget that is used
// up, or a TypeError of an element that has no hash.
func (w *World) tupleKey(th value.Thread, elems []value.Value) (any, bool, error) {
	if key, ok := intsOf(elems, func(v value.Value) (int64, bool) { n, ok := v.(value.Int); return int64(n), ok }); ok {
		return key, true, nil
	}
	if err := th.Step(16 * (len(elems) + 1)); err != nil { // tuples that share parts are walked many times
		return nil, true, err
	}
	if err := th.Enter(""); err != nil {
		return nil, true, err
	}
	defer th.Leave()
	keys := make([]any, len(elems))
	for i, e := range elems {
		k, err := th.HashKey(e)
		if err != nil {
			return nil, true, err
		}
		keys[i] = k
	}
	if key, ok := intsOf(keys, func(k any) (int64, bool) { n, ok := k.(int64); return n, ok }); ok {
		return key, true, nil
	}
	// The length tells a nested pair from a longer tuple.
	return pairKey{len(elems), pairUp(keys)}, true, nil
}

// intsOf gives the key of a tuple of a few integers, as number has them of its elements or of their keys: True and 1 are one key.
func intsOf[T any](list []T, number func(T) (int64, bool)) (intsKey, bool) {
	var n [4]int64
	if len(list) > len(n) {
		return intsKey{}, false
	}
	for i, e := range list {
		x, ok := number(e)
		if !ok {
			return intsKey{}, false
		}
		n[i] = x
	}
	return intsKey{len(list), n[0], n[1], n[2], n[3]}, true
}

// pairUp makes one key of several, in halves: Go compares nested keys recursively. The halves keep
// the depth of the recursion logarithmic.
func pairUp(keys []any) any {
	switch n := len(keys); n {
	case 0:
		return nil
	case 1:
		return keys[0]
	default:
		return pairKey{pairUp(keys[:n/2]), pairUp(keys[n/2:])}
	}
}

// setKey does not depend on the order of the elements. The keys of the elements are sorted by their
// text. A set with unknown elements is only equal to itself.
func (w *World) setKey(th value.Thread, s *value.Set) (any, bool, error) {
	if s.Open != nil {
		return s, true, nil
	}
	type named struct {
		key  any
		text string
	}
	if err := th.Enter(""); err != nil {
		return nil, true, err
	}
	defer th.Leave()
	// A text of each key is made.
	if err := th.Alloc(256 * s.Len()); err != nil {
		return nil, true, err
	}
	keys := make([]named, s.Len())
	for i := range keys {
		k, err := th.HashKey(s.At(i))
		if err != nil {
			return nil, true, err
		}
		keys[i] = named{k, fmt.Sprintf("%T %v", k, k)}
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i].text < keys[j].text })
	all := make([]any, len(keys))
	for i, k := range keys {
		all[i] = k.key
	}
	return kindKey{"frozenset", pairKey{len(all), pairUp(all)}}, true, nil
}

// symbolicKey reports whether a key may be equal to one of another form. A key is symbolic if any
// part of it is: it may equal a key of another form for some sizes.
func symbolicKey(v value.Value) bool {
	n := 0
	// Tuples are entered, and so are the wrapped values of instances; other containers cannot be
	// keys.
	for x := range value.Walk(v, value.Deep, value.TupleElems|value.Payloads) {
		if n++; n > maxKeyParts {
			return true
		}
		switch x.(type) {
		case *value.SymInt, *value.SymFloat, *value.SymBool, *value.Abstract, *value.Unknown, *value.Choice:
			return true
		}
	}
	return false
}

// maxKeyParts bounds the parts of a key that are looked at; one with more may be
// equal to anything.
const maxKeyParts = 1 << 14

// A found says how a search ended.
type found uint8

const (
	absent found = iota
	// Whether it is there depends on sizes or on what is not known.
	present
	unsure
)

// foundBool is the answer of a search as a truth value. unsure gives a bool that depends on data.
func (w *World) foundBool(th value.Thread, f found) value.Value {
	switch f {
	case present:
		return value.Bool(true)
	case absent:
		return value.Bool(false)
	}
	return th.DataBool(nil)
}

// search finds key k of hash key among n keys, when no structural hit was found;
// plain says that all of them are known. The index in the result counts only with present. at gives
// key number i. It is unsure as soon as one comparison is not decided, even if a later key might be
// equal for certain.
func (w *World) search(th value.Thread, plain bool, n int, at func(int) value.Value, k value.Value) (int, found, error) {
	sym := symbolicKey(k)
	// Two keys without symbolic parts would have been found by their hash key.
	if plain && !sym {
		return 0, absent, nil
	}
	for i := range n {
		if err := th.Step(1); err != nil {
			return 0, absent, err
		}
		e := at(i)
		// The same holds for each pair.
		if !sym && !symbolicKey(e) {
			continue
		}
		// The comparison may call __eq__ of the program.
		eq, err := w.same(th, e, k)
		if err != nil {
			return 0, absent, err
		}
		if value.IsUnknown(eq) {
			return 0, unsure, nil
		}
		// Holds asks the conditions of the run for an answer.
		val, known := th.Holds(eq)
		if !known {
			return 0, unsure, nil
		}
		if val {
			return i, present, nil
		}
	}
	return 0, absent, nil
}

// find looks a key up in a dict. A dict with Fill makes entries for texts when they are first asked for. With unsure
// the value stands for all that may be meant. err
// is a TypeError for a key that is not hashable.
func (w *World) find(th value.Thread, d *value.Dict, k value.Value) (value.Value, found, error) {
	key, err := th.HashKey(k)
	if err != nil {
		return nil, absent, err
	}
	if v, ok := d.Get(key); ok {
		return v, present, nil
	}
	if s, ok := key.(string); ok && d.Fill != nil && d.Fill(s) {
		v, _ := d.Get(key)
		return v, present, nil
	}
	i, at, err := w.search(th, d.Plain(), d.Len(), d.Key, k)
	switch {
	case err != nil:
		return nil, absent, err
	case at == present:
		return d.At(i), present, nil
	case at == unsure:
		v, err := w.anyEntry(th, d, k)
		return v, unsure, err
	// The key may be among the entries that are not known.
	case d.Open != nil:
		if d.Open.Elem == nil {
			return th.Unknown("entries of the dict are not known"), unsure, nil
		}
		return d.Open.Elem, unsure, nil
	}
	return nil, absent, nil
}

// store writes a dict entry. A key that may or may not equal another one leaves
// the dict open, with all values unknown. The old key stays where an equal one is written, as in
// CPython.
func (w *World) store(th value.Thread, d *value.Dict, k, v value.Value) error {
	key, err := th.HashKey(k)
	if err != nil {
		return err
	}
	h := th.Heap()
	if _, ok := d.Get(key); ok {
		d.Set(h, key, k, v)
		return nil
	}
	i, at, err := w.search(th, d.Plain(), d.Len(), d.Key, k)
	if err != nil {
		return err
	}
	switch at {
	case present:
		old := d.Key(i)
		// The entry is found by the old key's own hash key.
		if key, err = th.HashKey(old); err != nil {
			return err
		}
		d.Set(h, key, old, v)
	case unsure:
		// Every entry that may be meant keeps its old value or gets the new one.
		for i := range d.Len() {
			if maybe, err := w.mayEqual(th, d.Key(i), k); err != nil {
				return err
			} else if !maybe {
				continue
			}
			kk, err := th.HashKey(d.Key(i))
			if err != nil {
				return err
			}
			d.Set(h, kk, d.Key(i), th.Join(v, d.At(i)))
		}
		w.maybeEntry(th, d, k, v)
	default:
		d.Set(h, key, k, v)
		return w.notTwice(th, d, k)
	}
	return nil
}

// maybeEntry notes that a dict may have an entry more. A dict that mirrors the attributes of an
// object opens those instead.
func (w *World) maybeEntry(th value.Thread, d *value.Dict, k, v value.Value) {
	if d.Mirror != nil {
		OpenAttrs(th, d.Mirror, d.Mirror.Class, k, v)
		return
	}
	open := &value.Open{Key: k, Elem: v}
	if d.Open != nil {
		open.Key, open.Elem = w.common(th, d.Open.Key, k), w.common(th, d.Open.Elem, v)
	}
	th.Heap().Touch(d)
	d.Open = open
}

// notTwice forgets the number of entries of which nothing is known where one of them
// may be k, which is now known. An unknown entry with the same key would be counted twice.
func (w *World) notTwice(th value.Thread, d *value.Dict, k value.Value) error {
	if d.Open == nil || d.Open.Key == nil || d.Open.Len.Expr == nil {
		return nil
	}
	maybe, err := w.mayEqual(th, d.Open.Key, k)
	if maybe && err == nil {
		// Open is shared with snapshots and therefore copied.
		open := *d.Open
		open.Len = symshape.Dim{}
		d.Open = &open
	}
	return err
}

// mayEqual reports whether two keys may be equal. Keys without symbolic parts are compared by their
// hash keys, others by ==. What is not known may be equal.
func (w *World) mayEqual(th value.Thread, a, b value.Value) (bool, error) {
	if !symbolicKey(a) && !symbolicKey(b) {
		x, err := th.HashKey(a)
		if err != nil {
			return false, err
		}
		y, err := th.HashKey(b)
		return x == y, err
	}
	eq, err := w.same(th, a, b)
	if err != nil || value.IsUnknown(eq) {
		return true, err
	}
	val, known := th.Holds(eq)
	return val || !known, nil
}

// anyEntry joins the values of all entries whose key k may be. The result is unknown where the dict
// has entries of which nothing is known, or none that fits.
func (w *World) anyEntry(th value.Thread, d *value.Dict, k value.Value) (value.Value, error) {
	var v value.Value
	if d.Open != nil {
		if v = d.Open.Elem; v == nil {
			return th.Unknown("entries of the dict are not known"), nil
		}
	}
	var meant []value.Value
	for i := range d.Len() {
		maybe, err := w.mayEqual(th, d.Key(i), k)
		if err != nil {
			return nil, err
		}
		if maybe {
			meant = append(meant, d.At(i))
		}
	}
	th.MeansOneOf(meant)
	for _, x := range meant {
		if v == nil {
			v = x
		} else {
			v = th.Join(v, x)
		}
	}
	if v == nil {
		v = th.Unknown("a dict key depends on sizes")
	}
	return v, nil
}

// anyScalar stands for any value of a dict whose values are all numbers of one type, or all texts, such as a vocabulary;
// nil where they are not. It is used for a table that is asked with an unknown key: the result's
// type is then known at least.
func (w *World) anyScalar(th value.Thread, d *value.Dict) value.Value {
	var v value.Value
	// Only exact numbers and texts count; a bool among ints would change the type.
	take := func(x value.Value) bool {
		switch w.TypeOf(x) {
		case w.int_, w.float_, w.str:
		default:
			return false
		}
		if value.IsUnknown(x) || v != nil && w.TypeOf(v) != w.TypeOf(x) {
			return false
		}
		v = w.common(th, v, x)
		return true
	}
	if d.Open != nil && (d.Open.Elem == nil || !take(d.Open.Elem)) {
		return nil
	}
	for i := range d.Len() {
		if !take(d.At(i)) {
			return nil
		}
	}
	return v
}

// AnyScalar is a value for a key that is not known, of a dict whose values are all numbers of one type or all texts, and
// which makes none for keys that are missing; nil otherwise. The class must be dict itself, since a
// subclass may have a __missing__.
func (w *World) AnyScalar(th value.Thread, v value.Value) value.Value {
	d, ok := v.(*value.Dict)
	if !ok || d.Factory != nil || w.TypeOf(v) != w.dict {
		return nil
	}
	return w.anyScalar(th, d)
}

// setFind looks an element up in a set. With Open an element that is not found may still be there.
func (w *World) setFind(th value.Thread, s *value.Set, v value.Value) (found, error) {
	if inner, ok := v.(*value.Set); ok && !inner.Frozen { // a set is looked up as a frozenset
		key, _, err := w.setKey(th, inner)
		if err != nil {
			return absent, err
		}
		if s.Has(key) {
			return present, nil
		}
		return absent, nil
	}
	key, err := th.HashKey(v)
	if err != nil {
		return absent, err
	}
	if s.Has(key) {
		return present, nil
	}
	_, at, err := w.search(th, s.Plain(), s.Len(), s.At, v)
	if err == nil && at == absent && s.Open != nil {
		at = unsure
	}
	return at, err
}

// setAdd adds an element. One that may or may not equal another one leaves the
// number of elements open. In an open set even a new element leaves the number unknown.
func (w *World) setAdd(th value.Thread, s *value.Set, v value.Value) error {
	key, err := th.HashKey(v)
	if err != nil {
		return err
	}
	if s.Has(key) {
		return nil
	}
	_, at, err := w.search(th, s.Plain(), s.Len(), s.At, v)
	if err != nil {
		return err
	}
	switch at {
	case absent:
		s.Add(th.Heap(), key, v)
		if s.Open != nil { // it may be one of those that are not known
			s.Open = &value.Open{Elem: s.Open.Elem}
		}
	case unsure:
		// It is one of two: equal to an element of the set, or new.
		th.Heap().Touch(s)
		if s.Open == nil {
			s.Open = &value.Open{Elem: v}
		} else {
			s.Open = &value.Open{Elem: w.common(th, s.Open.Elem, v)}
		}
	}
	return nil
}

// equalDicts is a == b for dicts. Open dicts may be equal or not. Otherwise they need the same
// length, and for each key of a an equal value in b. The result is unknown as soon as a comparison
// is.
func (w *World) equalDicts(th value.Thread, a, b *value.Dict) (value.Value, error) {
	if a == b {
		return value.Bool(true), nil
	}
	if a.Open != nil || b.Open != nil {
		return th.DataBool(nil), nil
	}
	if a.Len() != b.Len() {
		return value.Bool(false), nil
	}
	var all value.Value = value.Bool(true)
	for i := range a.Len() {
		if err := th.Step(1); err != nil {
			return nil, err
		}
		v, at, err := w.find(th, b, a.Key(i))
		if err != nil {
			return nil, err
		}
		switch at {
		case absent:
			return value.Bool(false), nil
		case unsure:
			// The values are not compared where the key is not certain.
			all = w.andBool(th, all, th.DataBool(nil))
			continue
		}
		eq, err := w.same(th, a.At(i), v)
		if err != nil {
			return nil, err
		}
		switch eq.(type) {
		case value.Bool, *value.SymBool:
		default:
			return eq, nil
		}
		if all = w.andBool(th, all, eq); all == value.Value(value.Bool(false)) {
			return all, nil
		}
	}
	return all, nil
}

// subset reports whether all elements of a are in b. It is absent as soon as one element is absent
// for certain, also where another one is unsure.
func (w *World) subset(th value.Thread, a, b *value.Set) (found, error) {
	if a.Open != nil {
		return unsure, nil
	}
	result := present
	for i := range a.Len() {
		if err := th.Step(1); err != nil {
			return absent, err
		}
		at, err := w.setFind(th, b, a.At(i))
		if err != nil || at == absent {
			return absent, err
		}
		if at == unsure {
			result = unsure
		}
	}
	return result, nil
}

// equalSets: sets of equal length are equal if one is a subset of the other.
func (w *World) equalSets(th value.Thread, a, b *value.Set) (value.Value, error) {
	if a.Open == nil && b.Open == nil && a.Len() != b.Len() {
		return value.Bool(false), nil
	}
	at, err := w.subset(th, a, b)
	// Sets of different kind (set, frozenset) compare by their elements as well.
	if at == present && b.Open != nil {
		at = unsure
	}
	return w.foundBool(th, at), err
}

// orderSets compares by inclusion; a proper subset has fewer elements. op is one of the four
// orders; sets without an order between them give False for all.
func (w *World) orderSets(th value.Thread, op ast.CmpOperator, a, b *value.Set) (value.Value, error) {
	if op == ast.Gt || op == ast.GtE {
		a, b = b, a
	}
	at, err := w.subset(th, a, b)
	if err != nil {
		return nil, err
	}
	// For a proper subset the lengths decide.
	if at == present && (op == ast.Lt || op == ast.Gt) {
		switch {
		case b.Open != nil:
			at = unsure
		case a.Len() == b.Len():
			at = absent
		}
	}
	return w.foundBool(th, at), nil
}
