package infer

// This file runs the later turns of a loop of known values in a form that is made for it. The first turns are run by the
// interpreter, which notes all that a program's text is asked for; the others take one pass over the statements, which are
// functions then (quickstmt.go, quickexpr.go), with numbers in registers. What the form has no function for is run by the
// interpreter, from the state that there would be without it, so that nothing is lost: a turn leaves what it leaves in CPython,
// and a loop of a million turns takes no more steps than one of ten.

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

const (
	// quickAfter is the number of turns of a loop that the interpreter runs first.
	quickAfter = 4
	// quickTurns is the number of turns for which a run is charged at once.
	quickTurns = 1024
	// quickCharge is what they are charged: a turn takes about as long as a step, but a loop that ends is no reason to end the run.
	quickCharge = 64
	// maxQuickTurns bounds the turns of a loop that are run so: a loop that goes on still longer may have no end.
	maxQuickTurns = 1 << 23
	// maxQuickSteps bounds what their calls may take beside, as a loop of the interpreter is bounded: a second or so.
	maxQuickSteps = 4_000_000
)

// A quickKind says what a quickVal is.
type quickKind uint8

const (
	quickObject quickKind = iota // ref
	quickInt
	quickFloat
	quickBool
)

// A quickVal is a value; a number lies in it without a place of its own.
type quickVal struct {
	kind quickKind
	i    int64 // of an int or a bool
	x    float64
	ref  value.Value
}

func quickOf(v value.Value) quickVal {
	switch v := v.(type) {
	case value.Int:
		return quickVal{kind: quickInt, i: int64(v)}
	case value.Float:
		return quickVal{kind: quickFloat, x: float64(v)}
	case value.Bool:
		return boolOf(bool(v))
	}
	return quickVal{ref: v}
}

func intOf(i int64) quickVal { return quickVal{kind: quickInt, i: i} }

func floatOf(x float64) quickVal { return quickVal{kind: quickFloat, x: x} }

func boolOf(b bool) quickVal {
	if b {
		return quickVal{kind: quickBool, i: 1}
	}
	return quickVal{kind: quickBool}
}

func (v quickVal) value() value.Value {
	switch v.kind {
	case quickInt:
		return value.Int(v.i)
	case quickFloat:
		return value.Float(v.x)
	case quickBool:
		return value.Bool(v.i != 0)
	}
	return v.ref
}

// plain reports whether nothing that is done with a value can come to code of the program.
func (v quickVal) plain() bool {
	if v.kind != quickObject {
		return true
	}
	switch v.ref.(type) {
	case value.NoneType, value.Str, value.Bytes, value.Complex, *value.BigInt:
		return true
	}
	return false
}

// truth gives the truth of a value; known is false where that takes more than a look.
func (v quickVal) truth() (truth, known bool) {
	switch v.kind {
	case quickInt, quickBool:
		return v.i != 0, true
	case quickFloat:
		return v.x != 0, true
	}
	switch x := v.ref.(type) {
	case value.NoneType:
		return false, true
	case value.Str:
		return len(x) > 0, true
	case value.Bytes:
		return len(x) > 0, true
	case *value.BigInt:
		return true, true
	case *value.Tuple:
		return len(x.Elems) > 0, x.Class == nil
	case *value.List:
		return len(x.Elems) > 0, plainList(x)
	case *value.Dict:
		return plainDict(x) && x.Len() > 0, plainDict(x)
	}
	return false, false
}

func plainList(l *value.List) bool { return l.Class == nil && l.Open == nil }

func plainDict(d *value.Dict) bool {
	return d.Class == nil && d.Open == nil && d.Ways() == nil && d.Fill == nil && d.Mirror == nil && !d.HasFactory()
}

// A quickReg is a variable: what it has, whether that is known, and whether the variable itself has it yet.
type quickReg struct {
	val           quickVal
	loaded, dirty bool
	// text has the bytes of a text to which turns add, with room for more.
	text []byte
}

// A quickName is the variable of a register.
type quickName struct {
	binding resolve.Binding
	id      string
	node    *ast.Name
	local   bool // no other code reads or writes it
}

// A quickLoop is a loop in its form.
type quickLoop struct {
	names  []quickName
	target quickTarget // of a for loop
	test   quickExpr   // of a while loop
	body   []quickStmt
	flags  int // see quickCompiler.flag
}

// A quickRun runs a quickLoop in a frame.
type quickRun struct {
	in    *Interp
	f     *frame
	loop  *quickLoop
	regs  []quickReg
	seen  []bool // what was noted, by its flag
	dirty bool
	turns int
	start int // the steps of the run when it began
	// given is the error of the iterator, which ends the loop or tells that its other elements are not known one by one.
	given error
}

// A quickError is the panic of an error of the program, or of a limit. Functions of expressions give one value, so that numbers stay in
// the processor's registers.
type quickError struct{ error }

func (m *quickRun) fail(err error) { panic(quickError{err}) }

// check settles an error as eval does.
func (m *quickRun) check(v value.Value, err error) value.Value {
	if err != nil {
		if v, err = m.in.settle(m.f, v, err); err != nil {
			m.fail(err)
		}
	}
	if c, ok := v.(*value.Choice); ok {
		return decided(m.in, c)
	}
	return v
}

// load fills a register.
func (m *quickRun) load(k int) quickVal {
	n := &m.loop.names[k]
	v, err := m.in.loadBinding(m.f, n.binding, n.id, n.node)
	r := &m.regs[k]
	r.val, r.loaded, r.dirty = quickOf(m.check(v, err)), true, false
	return r.val
}

// set writes a variable.
func (m *quickRun) set(k int, v quickVal) {
	r := &m.regs[k]
	r.val, r.loaded, r.dirty = v, true, true
	m.dirty = true
}

// flush writes what variables have.
func (m *quickRun) flush() {
	if !m.dirty {
		return
	}
	m.dirty = false
	for k := range m.regs {
		if r := &m.regs[k]; r.dirty {
			r.dirty = false
			if err := m.in.store(m.f, m.loop.names[k].node, r.val.value()); err != nil {
				m.fail(err)
			}
		}
	}
}

// leave is called before other code may run, which may read and write variables that are not the frame's alone.
func (m *quickRun) leave() {
	m.flush()
	for k := range m.regs {
		if !m.loop.names[k].local {
			m.regs[k].loaded = false
		}
	}
}

// forget is called before the interpreter runs in the frame.
func (m *quickRun) forget() {
	m.flush()
	for k := range m.regs {
		m.regs[k].loaded = false
	}
}

// interpret has the interpreter run a statement.
func (m *quickRun) interpret(s ast.Stmt, rest []ast.Stmt) flow {
	m.forget()
	fl, err := m.in.stmt(m.f, s, rest)
	m.in.flow.forSeveral()
	if err != nil {
		m.fail(err)
	}
	return fl
}

// spend charges the run for turns.
func (m *quickRun) spend() {
	if m.turns++; m.turns%quickTurns == 0 || m.in.spent.alarm.due.Load() {
		if err := m.in.spent.charge(quickCharge); err != nil {
			m.fail(err)
		}
	}
}

func (m *quickRun) block(list []quickStmt) flow {
	for _, s := range list {
		if fl := s(m); fl != next {
			return fl
		}
	}
	return next
}

// quick gives the form of a loop that has run for some turns, and for others in its form; nil where it has none, or something
// listens to the single turns.
func (in *Interp) quick(f *frame, s ast.Stmt, turn, quick int) *quickRun {
	if turn < quickAfter || quick >= maxQuickTurns || f.prelude || f.gen != nil ||
		len(in.tracers.all) > 0 || in.deciding.decisions != nil || in.retraces.graph ||
		in.cfg.Explore || in.cfg.Flip != nil || in.cfg.Unroll == UnrollNever || len(in.overrides) > 0 || in.cfg.InsertComments {
		return nil
	}
	loop, seen := in.quickLoops[s]
	if !seen {
		if in.quickLoops == nil {
			in.quickLoops = map[ast.Stmt]*quickLoop{}
		}
		loop = in.compileLoop(f, s)
		in.quickLoops[s] = loop
	}
	if loop == nil {
		return nil
	}
	return &quickRun{in: in, f: f, loop: loop, regs: make([]quickReg, len(loop.names)), seen: make([]bool, loop.flags),
		start: in.spent.totalSteps()}
}

// guard is caught for a whole run: the variables have then what they had at its end.
func (m *quickRun) guard(do func()) error {
	err := m.caught(do)
	if err == nil {
		err = m.caught(m.flush)
	}
	return err
}

// caught runs do and gives the error at which it was left. The variables have then what they had there.
func (m *quickRun) caught(do func()) (err error) {
	outer, depth := m.in.stack.frame, m.in.stack.depth
	defer func() {
		if r := recover(); r != nil {
			q, ok := r.(quickError)
			if !ok {
				panic(r)
			}
			m.in.stack.frame, m.in.stack.depth = outer, depth
			err = q.error
			m.flush()
		}
	}()
	do()
	return nil
}

// goesOn reports whether the next turn is like the last: nothing left the loop, and no condition divides the run.
func (m *quickRun) goesOn(fl flow, pending, depth int) bool {
	if m.in.spent.totalSteps()-m.start > maxQuickSteps {
		m.turns = maxQuickTurns
	}
	return (fl == next || fl == continues) && len(m.in.pendings) == pending && m.in.heap.Depth() == depth && m.turns < maxQuickTurns
}

// forTurns runs a turn of a for loop whose target is assigned, and further ones as long as it can. ended says that there is no
// further element.
func (m *quickRun) forTurns(it *value.Iterator) (fl flow, ended bool, err error) {
	pending, depth := len(m.in.pendings), m.in.heap.Depth()
	err = m.guard(func() {
		calm := calmIterator(it)
		for {
			m.spend()
			if fl = m.block(m.loop.body); !m.goesOn(fl, pending, depth) || it.Open != nil {
				return
			}
			fl = next
			if !calm {
				m.leave()
			}
			v, ok, err := it.Next(m.in)
			if err != nil || it.Open != nil || !ok {
				m.given, ended = err, true
				return
			}
			m.loop.target(m, quickOf(v))
		}
	})
	return fl, ended, err
}

// whileTurns runs a turn of a while loop whose test was true, and further ones as long as it can; the test is to be made again then.
func (m *quickRun) whileTurns() (fl flow, err error) {
	pending, depth := len(m.in.pendings), m.in.heap.Depth()
	err = m.guard(func() {
		for {
			m.spend()
			if fl = m.block(m.loop.body); !m.goesOn(fl, pending, depth) {
				return
			}
			fl = next
			if truth, known := m.loop.test(m).truth(); !truth || !known {
				return
			}
		}
	})
	return fl, err
}

// calmIterator reports whether what gives the elements runs no code of the program.
func calmIterator(it *value.Iterator) bool {
	return slices.Contains([]string{"range_iterator", "list_iterator", "tuple_iterator", "str_iterator"}, it.Name)
}
