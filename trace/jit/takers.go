package jit

// This file tells which calls of a program take a number, truth value or list of Python out of
// sizes and tensors. torch.jit.trace records operations on tensors only. What Python computes from
// a tensor's number is constant in the trace, with a TracerWarning for some ways of taking it. A
// tracer is run several times: first to note what each call took (taken), then with symbols for
// sizes (symbolic) to see which of them come from inputs, and at last as a replay with other
// inputs, in which the noted values are given instead of computed ones. Missed says that something
// of it could not be followed.

import (
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
)

// A takerKind says what a function of Python does with what it takes out of a tensor. It is found
// by the function's name.
type takerKind struct {
	// warns is the kind of the tracer's warning; empty: there is none in the program's lines.
	warns string
	// goesOn says that the trace has its result as it has any other.
	goesOn bool
	// picks says that the result is one of the arguments, state that it is not made of them;
	// always that it warns of whatever it is given.
	picks, state, always bool
}

// pythonTakers are functions of Python by their names. A tensor's __index__ gives no warning.
var pythonTakers = map[string]takerKind{"int": {warns: "int"}, "float": {warns: "float"}, "complex": {warns: "number"},
	"bool": {warns: "bool"}, "range": {},
	"min": {warns: "bool", picks: true}, "max": {warns: "bool", picks: true}}

// stateModules are modules whose functions give something else at each call. The prefixes of the
// modules' functions.
var stateModules = []string{"random.", "time.", "secrets.", "uuid.", numpy.Library.Prefix + "random."}

// taker tells whether a call takes something out of a tensor or size, or out of the world. The
// second and third result are what kind it is and whether it takes anything.
func (t *Tracer) taker(fn value.Value, args []value.Value) (string, takerKind, bool) {
	name := ""
	switch fn := fn.(type) {
	case *value.Builtin:
		name = fn.Name
	case *value.Class:
		if name = fn.Name; !t.host.IsBuiltin(fn) {
			return "", takerKind{}, false
		}
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if k, ok := pythonTakers[strings.TrimPrefix(name, "builtins.")]; ok {
		return name, k, true
	}
	switch {
	case last == "len" && !strings.HasPrefix(name, "torch."):
		if len(args) == 1 {
			t, ok := args[0].(*value.Tensor)
			return name, takerKind{warns: "len"}, ok && catalog.IsTorch(t)
		}
		return "", takerKind{}, false
	case strings.HasPrefix(name, "torch."):
		op := catalog.RecordOf(name)
		k := takerKind{warns: op.Warns.String(), goesOn: op.Warns == ops.WarnsTensor, always: op.Warns == ops.WarnsFromArray}
		return name, k, op.Trace.Has(ops.TakesConstant)
	case strings.HasPrefix(name, "math."):
		return name, takerKind{warns: "float"}, last != "prod"
	case strings.HasPrefix(name, numpy.Library.Prefix) && !IsStateful(name):
		return name, takerKind{}, true
	}
	return name, takerKind{state: true}, IsStateful(name)
}

// IsStateful reports whether a function of Python or numpy gives something else at each call. The
// names are those of builtins of this program.
func IsStateful(name string) bool {
	return slices.ContainsFunc(stateModules, func(p string) bool { return strings.HasPrefix(name, p) })
}

// IsClock reports whether a function tells the time.
func IsClock(name string) bool { return strings.HasPrefix(name, "time.") }

// torchFunction is the record of a function of torch; it is empty for anything else. Callers ask
// for flags of the record, of which the empty one has none.
func torchFunction(fn value.Value) *ops.Op {
	b, ok := fn.(*value.Builtin)
	if !ok || !strings.HasPrefix(b.Name, "torch.") {
		return &catalog.NoRecord
	}
	return catalog.RecordOf(b.Name)
}

// keeps runs a function that keeps the numbers that it is given and how many tensors it gives. In a
// replay the numbers that came from inputs are those of the first run. done is false where the call
// is to be made as usual.
func (t *Tracer) keeps(fn value.Value, op *ops.Op, args []value.Value, run func() (value.Value, error)) (v value.Value, done bool,
	err error) {
	at, outer := t.host.Place(), t.busy
	t.busy = at.Frame
	defer func() { t.busy = outer }()
	// The key is the place of the call, and n how often it was reached.
	key, n := t.next(at, "keeps "+op.Names[0])
	pieces := func(v value.Value) value.Value {
		if list, ok := value.AsSequence(v); ok && op.Trace.Has(ops.GivesPieces) {
			return value.Int(len(list))
		}
		return value.None
	}
	var numbers []value.Value
	for _, a := range args {
		switch a.(type) {
		case value.Int, *value.SymInt:
			numbers = append(numbers, a)
		}
	}
	// The numbers are kept together with how many tensors came of them.
	if t.mode == first {
		if v, err = run(); err == nil {
			t.taken[key] = append(t.taken[key], &value.Tuple{Elems: append(numbers, pieces(v))})
		}
		return v, true, err
	}
	if n >= len(t.taken[key]) {
		t.Missed = true
		return nil, false, nil
	}
	kept := t.taken[key][n].(*value.Tuple).Elems
	if len(kept) != len(numbers)+1 {
		t.Missed = true
		return nil, false, nil
	}
	if t.mode == symbolic {
		for _, x := range numbers {
			if t.ofInputs(x) {
				t.inputs[key] = true
				t.Elsewhere = t.Elsewhere || op.Trace.Has(ops.WarnsInLibrary)
			}
		}
	}
	if t.inputs[key] {
		args = slices.Clone(args)
		i := 0
		for j, a := range args {
			switch a.(type) {
			case value.Int, *value.SymInt:
				args[j] = kept[i]
				i++
			}
		}
		v, err = t.host.Call(fn, args, nil)
	} else {
		v, err = run()
	}
	// The trace has a fixed number of results.
	if was := kept[len(kept)-1]; err == nil && t.mode == replay && was != pieces(v) {
		return nil, true, t.host.Raise("RuntimeError", "the trace takes %s pieces, there are %s", was, pieces(v))
	}
	return v, true, err
}

// tensorRefused are functions of Python that take no tensor, with what they say of one. In a trace
// a size is a tensor without dimensions.
var tensorRefused = map[string]string{"round": "type Tensor doesn't define __round__ method",
	"divmod": "unsupported operand type(s) for divmod(): a tensor, which stands for a size"}

// Perform performs a call of the program, or gives what the trace keeps of it. The error is that of the call itself, or
// the exception that a replay of the trace raises in place of the call.
func (t *Tracer) Perform(fn value.Value, args []value.Value, do func(args []value.Value) (value.Value, error)) (value.Value, error) {
	run := func() (value.Value, error) { return do(args) }
	if v, done, err := t.callTaker(fn, args, run); done {
		return v, err
	}
	return do(args)
}

// callTaker runs a function of Python or a library that the program calls, or gives what the trace
// keeps of it. done is false where a trace has the call like any other.
func (t *Tracer) callTaker(fn value.Value, args []value.Value, run func() (value.Value, error)) (v value.Value, done bool, err error) {
	at := t.host.Place()
	// Calls within another taker are part of that.
	if !at.Own || t.busy == at.Frame {
		return nil, false, nil
	}
	if op := torchFunction(fn); op.Trace.Has(ops.KeepsNumbers) {
		return t.keeps(fn, op, args, run)
	}
	if b, ok := fn.(*value.Builtin); ok && strings.TrimPrefix(b.Name, "builtins.") == "isinstance" && len(args) == 2 {
		return t.isInstance(fn, args, run)
	}
	name, kind, ok := t.taker(fn, args)
	if !ok {
		if b, ok := fn.(*value.Builtin); ok && t.mode == symbolic && slices.ContainsFunc(args, t.isSize) {
			if why := tensorRefused[strings.TrimPrefix(b.Name, "builtins.")]; why != "" {
				if !t.Refused.IsValid() {
					t.Refused, t.Refusal = at.At, why
				}
				return nil, false, nil
			}
		}
		if t.mode == symbolic {
			parts := torchFunction(fn).Trace.Has(ops.KeepsParts) && slices.ContainsFunc(args, t.isSize)
			t.Missed = t.Missed || parts || t.asksOfSizes(fn, args)
		}
		return nil, false, nil
	}
	outer := t.busy
	t.busy = at.Frame
	defer func() { t.busy = outer }()
	// Each way to the call counts by itself.
	key, n := t.next(at, name)
	switch t.mode {
	case first:
		if v, err = run(); err != nil {
			return nil, true, err
		}
		kept := v
		if kind.picks {
			kept = pickOf(args, v)
		}
		t.taken[key], t.Drew = append(t.taken[key], kept), t.Drew || kind.state && !IsClock(name)
		return v, true, nil
	case symbolic:
		// A number of the world, or of an input, is constant in the trace.
		tainted := kind.state || kind.always || kind.warns != "" && t.wraps.IsValid() && at.At.Start < t.wraps.Start && at.At.End == t.wraps.End+1
		for _, a := range args {
			tainted = tainted || t.ofInputs(a)
		}
		if !tainted {
			return nil, false, nil
		}
		if kind.warns != "" && !kind.state {
			t.site(at.At, kind.warns, 0)
		}
		if strings.HasPrefix(name, numpy.Library.Prefix) && !kind.state {
			if t.Elsewhere = true; catalog.RecordOf(name).Trace.Has(ops.GivesTensor) {
				t.wraps = at.At
			}
		}
		if kind.goesOn {
			return nil, false, nil
		}
		// From now on a replay gives the kept value.
		t.inputs[key] = true
	case replay:
		if !t.inputs[key] {
			return nil, false, nil
		}
	}
	// min and max keep which argument they chose, not its value.
	if list := t.taken[key]; n < len(list) && list[n] != nil {
		if !kind.picks {
			return list[n], true, nil
		}
		if all := picked(args); int(list[n].(value.Int)) < len(all) {
			return all[list[n].(value.Int)], true, nil
		}
	}
	t.Missed = true
	return nil, false, nil
}

// isInstance answers isinstance of a size as a trace does, where it is a tensor. A size is an int
// for the program, and a tensor for the trace.
func (t *Tracer) isInstance(fn value.Value, args []value.Value, run func() (value.Value, error)) (v value.Value, done bool, err error) {
	key, n := t.next(t.host.Place(), "isinstance")
	if answer, ok := t.answers[answerKey{key, n}]; ok {
		return value.Bool(answer), true, nil
	}
	if t.mode != symbolic || !t.isSize(args[0]) {
		return nil, false, nil
	}
	if t.example == nil {
		t.Missed = true
		return nil, false, nil
	}
	if v, err = run(); err != nil {
		return nil, true, err
	}
	w, err := t.host.Call(fn, []value.Value{t.example, args[1]}, nil)
	if err != nil {
		return nil, true, err
	}
	was, ok := v.(value.Bool)
	// Only a different answer matters.
	is, also := w.(value.Bool)
	if !ok || !also {
		t.Missed = true
	} else if was != is {
		t.answers[answerKey{key, n}], t.Asked = bool(is), true
	}
	return w, true, nil
}

// sizeTakers are functions of Python that do with a size, a tensor in a trace, what they do with a
// number. Their result does not depend on which of the two it is.
var sizeTakers = []string{"append", "extend", "insert", "print", "str", "repr", "format", "slice", "setattr", "getattr", "hasattr",
	"callable", "id", "abs", "pow", "prod"}

// asksOfSizes reports whether a size is given to a function of Python that may do something else with
// the tensor that stands for it in a trace: round, the get of a dict.
func (t *Tracer) asksOfSizes(fn value.Value, args []value.Value) bool {
	name := ""
	switch fn := fn.(type) {
	case *value.Builtin:
		if name = fn.Name; t.host.IsOperation(fn) || strings.HasPrefix(name, "torch.") {
			return false
		}
	case *value.Class:
		if name = fn.Name; !t.host.IsBuiltin(fn) {
			return false
		}
	}
	return !slices.Contains(sizeTakers, name[strings.LastIndexByte(name, '.')+1:]) && slices.ContainsFunc(args, t.isSize)
}

// isSize reports whether a value is a number that sizes or tensors decide. Constants and numbers of
// the program are none.
func (t *Tracer) isSize(v value.Value) bool {
	switch v.(type) {
	case *value.SymInt, *value.SymFloat:
		return t.ofInputs(v)
	}
	return false
}

// AssertLibrary gives the condition of an assert in built-in code, torch._assert: a trace does not have it. It warns in the library's
// lines.
func (t *Tracer) AssertLibrary(v value.Value) value.Value {
	key, _ := t.next(t.host.Place(), "assert")
	// It is true in a replay, as the trace does not contain it.
	switch t.mode {
	case first:
		return v
	case symbolic:
		if !t.ofInputs(v) {
			return v
		}
		t.inputs[key], t.Elsewhere = true, true
	case replay:
		if !t.inputs[key] {
			return v
		}
	}
	return value.Bool(true)
}

// Repeat notes a sequence that is repeated as often as a size says: the trace keeps the number.
func (t *Tracer) Repeat(a, b value.Value) (value.Value, value.Value) {
	if t.mode != symbolic || !t.host.Place().Own {
		return a, b
	}
	sequence := func(v value.Value) bool {
		switch v.(type) {
		case *value.List, *value.Tuple, value.Str:
			return true
		}
		return false
	}
	// How often a list is repeated is not replayed.
	t.Missed = t.Missed || sequence(a) && t.isSize(b) || sequence(b) && t.isSize(a)
	return a, b
}

// picked are what min and max choose from; nil: not known.
func picked(args []value.Value) []value.Value {
	if len(args) == 1 {
		list, _ := value.AsSequence(args[0])
		return list
	}
	return args
}

// pickOf is the index of what min or max chose; nil: not known. Identity tells which one it was.
func pickOf(args []value.Value, v value.Value) value.Value {
	for i, a := range picked(args) {
		if a == v {
			return value.Int(i)
		}
	}
	return nil
}

// Iterator gives the iterator over a tensor: as many rows as there were when the trace was made. It returns an error, a
// RuntimeError, only in a replay, where the tensor has another number of rows than the trace. A
// tensor whose number of rows is fixed needs no iterator of its own.
func (t *Tracer) Iterator(v value.Value) (*value.Iterator, error) {
	at := t.host.Place()
	x, ok := v.(*value.Tensor)
	if !ok || !at.Own || !catalog.IsTorch(x) || !x.Type().Ranked || len(x.Type().Shape) == 0 {
		return nil, nil
	}
	key, n := t.next(at, "__iter__")
	rows := value.Value(value.FromDim(x.Type().Shape[0]))
	switch t.mode {
	case first:
		t.taken[key] = append(t.taken[key], rows)
		return nil, nil
	case symbolic:
		t.site(at.At, "iterate", 0)
		t.inputs[key] = true
	}
	if n >= len(t.taken[key]) {
		t.Missed = true
		return nil, nil
	}
	kept, ok := t.taken[key][n].(value.Int)
	if !ok {
		t.Missed = true
		return nil, nil
	}
	if t.mode == replay {
		if rows != kept {
			return nil, t.host.Raise("RuntimeError", "the trace goes over %d rows, there are %s", kept, rows)
		}
		return nil, nil
	}
	if _, sized := x.Type().Shape[0].Expr.Const(); sized || x.Type().Shape[0].Known {
		return nil, nil
	}
	it := &value.Iterator{Header: t.host.Heap().Header(), Name: "tensor_iterator"}
	it.Next = func(value.Thread) (value.Value, bool, error) {
		if it.Pos >= int(kept) {
			return nil, false, nil
		}
		v, err := t.host.Row(x, it.Pos)
		t.host.Heap().Touch(it)
		it.Pos++
		return v, true, err
	}
	return it, nil
}

// Index gives the index of a list, tuple or text: the trace keeps the number. A dict has no such
// key. The index of the first run is given in its place.
func (t *Tracer) Index(v, index value.Value) value.Value {
	at := t.host.Place()
	if !at.Own {
		return index
	}
	key, n := t.next(at, "__index__")
	switch t.mode {
	case first:
		t.taken[key] = append(t.taken[key], index)
		return index
	case symbolic:
		if !t.ofInputs(index) {
			return index
		}
		if _, ok := v.(*value.Dict); ok {
			t.Missed = true
		}
		t.inputs[key] = true
	case replay:
		if !t.inputs[key] {
			return index
		}
	}
	if n < len(t.taken[key]) {
		return t.taken[key][n]
	}
	t.Missed = true
	return index
}
