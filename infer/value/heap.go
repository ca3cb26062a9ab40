package value

// This file holds the journal of writes, with which branches are run one after
// the other from the same state.
//
// Every mutable object embeds a Header. Before it changes, Touch saves its
// contents if that has not been done since the innermost mark: one comparison
// when nothing is to be done. Rollback restores; objects that were born after
// the mark are left as they are, since nothing older can reach them.

import "slices"

// A Header is the journal's part of a mutable object.
type Header struct {
	born, saved uint32
	// iter is the iteration in which it was born that stands for all of a loop's; 0: none.
	iter uint32
	// kept is the innermost state (Keep) at the time when its contents were last saved for states.
	kept uint32
}

func (h *Header) header() *Header { return h }

// A Mutable is an object whose contents can be saved and restored. Contents
// returned by save share nothing that a later write changes in place.
type Mutable interface {
	header() *Header
	save() any
	restore(contents any)
}

// A Heap makes mutable objects and journals their changes. The zero Heap is
// ready for use.
type Heap struct {
	// Charge is told of the bytes that the journal takes; nil: nobody is.
	Charge func(n int)
	// Work is told of the objects and the entries of dicts and sets that are made, some at once, and of Spend; nil: nobody is.
	// It may leave native code by a panic.
	Work func(n int)
	made int // what Work was not told of yet

	serial  uint32 // of the innermost open mark; 0 when none is open
	last    uint32 // highest serial given so far
	log     []entry
	serials []uint32 // of the open marks
	// iter is the innermost iteration that stands for all of a loop's, running are
	// those that have not ended.
	iter    uint32
	running []uint32
	several []entry // see Several
	// states are those to which Rewind goes back, the oldest first.
	states []state
}

// A state has a serial, and the contents that objects had then, of those that changed since.
type state struct {
	serial  uint32
	changed []entry
	undo    []func() // what Undo was given
}

type entry struct {
	obj      Mutable
	contents any
}

// A Mark is a point to which the heap can be rolled back.
type Mark struct {
	log    int
	serial uint32
}

// Header returns the header of an object that is made now.
func (h *Heap) Header() Header {
	h.countMade()
	return Header{born: h.serial, saved: h.serial, iter: h.iter}
}

// madeAtOnce is the number of objects after which Work is told of them.
const madeAtOnce = 256

// countMade counts an object, or an entry of a dict or set, which takes as long: rules and methods fill them in many loops.
func (h *Heap) countMade() {
	if h.made++; h.made >= madeAtOnce {
		h.Spend(0)
	}
}

// Spend tells Work of n units of work that native code is about to do, each as much as making an object.
func (h *Heap) Spend(n int) {
	n += h.made
	h.made = 0
	if h.Work != nil {
		h.Work(n)
	}
}

// Touch must be called before o changes.
func (h *Heap) Touch(o Mutable) {
	if o.header().iter != 0 && !slices.Contains(h.running, o.header().iter) {
		h.noteSeveral(o)
	}
	h.save(o)
}

func (h *Heap) save(o Mutable) {
	hd := o.header()
	if hd.saved == h.serial {
		return
	}
	for i := len(h.states) - 1; i >= 0 && hd.kept < h.states[i].serial; i-- {
		if st := &h.states[i]; hd.born < st.serial {
			h.charge(o)
			st.changed = append(st.changed, entry{o, o.save()})
		}
	}
	if n := len(h.states); n > 0 {
		hd.kept = h.states[n-1].serial
	}
	if len(h.serials) > 0 {
		h.charge(o)
		h.log = append(h.log, entry{o, o.save()})
	}
	hd.saved = h.serial
}

// Keep keeps the present state for Rewind, whatever marks are opened and closed until then, and
// gives its number. States nest. No mark may be open.
func (h *Heap) Keep() int {
	h.last++
	h.serial = h.last
	h.states = append(h.states, state{serial: h.last})
	return len(h.states)
}

// Rewind restores a state, which may be rewound to again; those that were kept later are given up.
// Objects that were born since are left as they are; none that is older refers to them.
func (h *Heap) Rewind(number int) {
	for i := len(h.states) - 1; i >= number-1; i-- {
		for _, f := range slices.Backward(h.states[i].undo) {
			f()
		}
	}
	st, below := &h.states[number-1], uint32(0)
	if number > 1 {
		below = h.states[number-2].serial
	}
	for _, e := range st.changed {
		e.obj.restore(e.contents)
		hd := e.obj.header()
		hd.saved, hd.kept = 0, below // an older state has its contents, too
	}
	clear(h.log)
	h.log, h.serials, h.iter, h.running, h.several = h.log[:0], nil, 0, nil, nil
	clear(h.states[number-1:])
	h.states = h.states[:number-1]
	h.Keep()
}

// ChangedSince returns the objects that changed since a state was kept, with the contents that they had then. Objects born since are left out.
func (h *Heap) ChangedSince(number int) []Change {
	var list []Change
	for _, e := range h.states[number-1].changed {
		list = append(list, Change{e.obj, e.contents})
	}
	return list
}

// Undo has f called when a state is rewound to that is kept now: it takes back a change of what is no Mutable.
func (h *Heap) Undo(f func()) {
	if n := len(h.states); n > 0 {
		h.states[n-1].undo = append(h.states[n-1].undo, f)
	}
}

// charge tells of a copy of the contents of o.
func (h *Heap) charge(o Mutable) {
	if h.Charge == nil {
		return
	}
	n := 0
	switch o := o.(type) {
	case *List:
		n = len(o.Elems)
	case *Dict:
		n = 8 * len(o.keys)
	case *Set:
		n = 8 * len(o.elems)
	case *Attrs:
		n = 2 * len(o.names)
	case *Slots:
		n = len(o.V)
	}
	h.Charge(16 * n)
}

// Older reports whether o was born before the mark was opened.
func (m Mark) Older(o Mutable) bool { return o.header().born < m.serial }

// Mark opens a mark. Marks nest: each is closed by Close, innermost first.
func (h *Heap) Mark() Mark {
	h.last++
	h.serial = h.last
	h.serials = append(h.serials, h.serial)
	return Mark{log: len(h.log), serial: h.serial}
}

// Depth returns the number of open marks.
func (h *Heap) Depth() int { return len(h.serials) }

// A Change is the contents of one object at the end of a branch.
type Change struct {
	Obj      Mutable
	Contents any
}

// Changes returns the objects that changed since m, with their present
// contents, in the order of their first change. Objects born since are left out.
func (h *Heap) Changes(m Mark) []Change {
	var list []Change
	seen := make(map[Mutable]bool)
	for _, e := range h.log[m.log:] {
		if e.obj.header().born >= m.serial || seen[e.obj] {
			continue
		}
		seen[e.obj] = true
		h.charge(e.obj)
		list = append(list, Change{e.obj, e.obj.save()})
	}
	return list
}

// Before returns the objects that changed since m, with the contents that they had then.
func (h *Heap) Before(m Mark) []Change {
	var list []Change
	seen := make(map[Mutable]bool)
	for _, e := range h.log[m.log:] {
		if m.Older(e.obj) && !seen[e.obj] {
			seen[e.obj] = true
			list = append(list, Change{e.obj, e.contents})
		}
	}
	return list
}

// Rollback restores the state at m. The mark stays open.
func (h *Heap) Rollback(m Mark) {
	for i := len(h.log) - 1; i >= m.log; i-- {
		e := h.log[i]
		if hd := e.obj.header(); hd.born < m.serial {
			e.obj.restore(e.contents)
			hd.saved = 0
		}
	}
	clear(h.log[m.log:])
	h.log = h.log[:m.log]
}

// Close closes m, which must be the innermost open mark. Changes since m stay,
// and stay journaled for the marks around it.
func (h *Heap) Close(m Mark) {
	h.serials = h.serials[:len(h.serials)-1]
	h.serial = 0
	if n := len(h.states); n > 0 {
		h.serial = h.states[n-1].serial
	}
	if n := len(h.serials); n > 0 {
		h.serial = h.serials[n-1]
	} else {
		clear(h.log)
		h.log = h.log[:0]
	}
}

// Drop closes m, which need not be the innermost open mark.
func (h *Heap) Drop(m Mark) {
	if i := slices.Index(h.serials, m.serial); i >= 0 && i < len(h.serials)-1 {
		h.serials = slices.Delete(h.serials, i, i+1)
		return
	}
	h.Close(m)
}

// Replace gives o new contents, journaled.
func (h *Heap) Replace(o Mutable, contents any) {
	h.save(o)
	o.restore(contents)
}

// ContentsOf is what o holds now, for Replace.
func ContentsOf(o Mutable) any { return o.save() }

// NewList returns a list with the given elements, which it takes over.
func (h *Heap) NewList(elems []Value) *List { return &List{Header: h.Header(), Elems: elems} }

// NewOpenList returns a list of unknown elements.
func (h *Heap) NewOpenList(o *Open) *List { return &List{Header: h.Header(), Open: o} }

// NewDict returns an empty dict.
func (h *Heap) NewDict() *Dict { return &Dict{Header: h.Header()} }

// NewDicts returns empty dicts that live as long as each other.
func (h *Heap) NewDicts(n int) []Dict {
	list := make([]Dict, n)
	for i := range list {
		list[i].Header = h.Header()
	}
	return list
}

// NewSet returns an empty set.
func (h *Heap) NewSet() *Set { return &Set{Header: h.Header()} }

// NewAttrs returns an empty attribute table.
func (h *Heap) NewAttrs() *Attrs { return &Attrs{Header: h.Header()} }

// NewInstance returns an instance without attributes.
func (h *Heap) NewInstance(c *Class) *Instance {
	i := &Instance{Class: c, Attrs: h.NewAttrs()}
	i.Attrs.Class = c
	return i
}

// NewCell returns a variable; v may be nil (unbound).
func (h *Heap) NewCell(v Value) *Cell { return &Cell{Header: h.Header(), V: v} }

type listContents struct {
	elems []Value
	open  *Open
}

func (l *List) save() any { return listContents{append([]Value(nil), l.Elems...), l.Open} }
func (l *List) restore(c any) {
	s := c.(listContents)
	l.Elems, l.Open = append([]Value(nil), s.elems...), s.open
}

type dictContents struct {
	keys, vals []Value
	hashes     []any
	open       *Open
	ways       *Ways
	factory    Value
}

func (d *Dict) save() any {
	return dictContents{append([]Value(nil), d.keys...), append([]Value(nil), d.vals...), append([]any(nil), d.hashes...), d.Open, d.ways,
		d.Factory}
}

func (d *Dict) restore(c any) {
	s := c.(dictContents)
	d.keys, d.vals = append([]Value(nil), s.keys...), append([]Value(nil), s.vals...)
	d.Open, d.ways, d.Factory = s.open, s.ways, s.factory
	d.odd = 0
	for _, k := range d.keys {
		d.odd += oddity(k)
	}
	d.hashes = append([]any(nil), s.hashes...)
	d.reindex()
}

type setContents struct {
	elems  []Value
	hashes []any
	open   *Open
	table  *setTable
	lost   bool
}

func (s *Set) save() any {
	hashes := make([]any, len(s.elems))
	for k, i := range s.index {
		hashes[i] = k
	}
	return setContents{append([]Value(nil), s.elems...), hashes, s.Open, s.table.clone(), s.lost}
}

func (s *Set) restore(c any) {
	x := c.(setContents)
	s.elems, s.Open = append([]Value(nil), x.elems...), x.open
	s.table, s.lost, s.order = x.table.clone(), x.lost, nil
	s.odd = 0
	for _, e := range s.elems {
		s.odd += oddity(e)
	}
	s.index = make(map[any]int, len(x.hashes))
	for i, k := range x.hashes {
		s.index[k] = i
	}
}

type attrsContents struct {
	names []string
	vals  []Value
	maybe map[string]Presence
	open  *Cause
}

func (a *Attrs) save() any {
	return attrsContents{append([]string(nil), a.names...), append([]Value(nil), a.vals...), a.maybe, a.open}
}

func (a *Attrs) restore(c any) {
	s := c.(attrsContents)
	a.names, a.vals, a.maybe, a.open = append([]string(nil), s.names...), append([]Value(nil), s.vals...), s.maybe, s.open
	a.reindex()
}

// Slots are the local variables of a frame; nil where unbound.
type Slots struct {
	Header
	V []Value
}

// Set writes a variable.
func (s *Slots) Set(h *Heap, i int, v Value) {
	h.Touch(s)
	s.V[i] = v
}

func (s *Slots) save() any     { return append([]Value(nil), s.V...) }
func (s *Slots) restore(c any) { copy(s.V, c.([]Value)) }

func (c *Cell) save() any     { return c.V }
func (c *Cell) restore(x any) { c.V, _ = x.(Value) }

type tensorContents struct {
	t Tensor
}

func (t *Tensor) save() any { return tensorContents{*t} }

// TensorOf gives a tensor as it is with contents that were saved.
func TensorOf(contents any) *Tensor {
	t := contents.(tensorContents).t
	return &t
}
func (t *Tensor) restore(c any) {
	hd := t.Header
	*t = c.(tensorContents).t
	t.Header = hd
}

func (s *Storage) save() any     { return s.Version }
func (s *Storage) restore(c any) { s.Version = c.(int) }

type iteratorContents struct {
	pos  int
	open *Open
}

func (it *Iterator) save() any { return iteratorContents{it.Pos, it.Open} }

// restore cannot wind a generator back; the interpreter notices by Pos.
func (it *Iterator) restore(c any) {
	s := c.(iteratorContents)
	it.Pos, it.Open = s.pos, s.open
}

// CloseTo closes the marks above depth but those to keep. Changes stay.
func (h *Heap) CloseTo(depth int, keep ...Mark) {
	for _, serial := range slices.Clone(h.serials[min(depth, len(h.serials)):]) {
		if !slices.ContainsFunc(keep, func(m Mark) bool { return m.serial == serial }) {
			h.Drop(Mark{serial: serial})
		}
	}
}

// Outside has what is changed until end is called stay when a mark that is open now is
// rolled back, as if it had been changed before the mark, and what is made belong to no
// iteration. Marks opened until then must be closed.
func (h *Heap) Outside() (end func()) {
	if len(h.serials) == 0 && h.iter == 0 {
		return func() {}
	}
	serial, iter := h.serial, h.iter
	m := h.Mark()
	h.iter = 0
	return func() {
		clear(h.log[m.log:])
		h.log = h.log[:m.log]
		h.serials = h.serials[:len(h.serials)-1]
		h.serial, h.iter = serial, iter
	}
}
