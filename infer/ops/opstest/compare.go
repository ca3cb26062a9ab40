package opstest

// This file compares what the analysis says with what was recorded. A record has the result of a
// call as JSON. An object with one key names the kind of a value that JSON has not ("tuple",
// "dtype", "t" for a tensor with its sizes in "s", "np" for an array …); record.go has the form.
// The comparison goes through both at once and keeps the first mismatch and the first thing that is
// not known: a mismatch makes the verdict Wrong, the other one Unknown.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// A Verdict classes a record. They are counted for a report of how much of PyTorch, NumPy and
// Chainer the rules cover.
type Verdict uint8

const (
	Exact       Verdict = iota // the result, or an error where there is one
	Unknown                    // a result that the analysis does not know in full
	Wrong                      // another result
	FalseError                 // an error where there is none
	MissedError                // no error where there is one
	NoRecord                   // no operator record
	Skipped                    // not run
	NumVerdicts
)

func (v Verdict) String() string {
	return [...]string{"exact", "unknown", "wrong", "false error", "missed error", "no record", "skipped"}[v]
}

// A Judgement is the verdict on a record with its reason. Why is empty for Exact.
type Judgement struct {
	Verdict Verdict
	Why     string
	// Strides counts tensors of which only the strides are other than recorded.
	Strides int
	// Layout says which strides are known, but other than recorded.
	Layout string
	// Class is set when the error has another exception class than recorded.
	Class string
	// Error says that the record is one of an error.
	Error bool
}

// Judge compares the result of the analysis with a record. It separates five cases: the record was
// not run, its function has no record here, the analysis stopped for a reason that is no exception
// of the program, the call failed when it was recorded, and it succeeded then. An exception of
// another class than recorded is still Exact, and named in Class.
func Judge(r *Record, res Result) Judgement {
	// A record has either an error or a result.
	j := Judgement{Error: r.Error != ""}
	switch {
	case res.Skip != "":
		j.Verdict, j.Why = Skipped, res.Skip
		return j
	case res.NoOp:
		j.Verdict, j.Why = NoRecord, res.Name
		return j
	}
	var exc *value.Exception
	if res.Err != nil && !errors.As(res.Err, &exc) {
		j.Verdict, j.Why = Unknown, res.Err.Error()
		return j
	}
	if r.Error != "" {
		switch {
		// With BE set an error that the analysis does not find is no fault of a rule. VD says how far the record can be
		// compared: "ok" means that the call should succeed in spite of the recorded error, "shape" and "contents" that
		// values are not compared.
		case r.BE != 0 && exc == nil:
			j.Verdict = Skipped
		case r.VD == "ok" && exc != nil:
			j.Verdict, j.Why = FalseError, exc.Diag.Msg
		case r.VD == "ok":
			j.Verdict = Exact
		case exc == nil:
			j.Verdict, j.Why = MissedError, fmt.Sprintf("got %v, want %s", res.Value, r.Error)
			if value.IsUnknown(res.Value) {
				j.Why = "unknown: " + res.Value.(*value.Unknown).Cause.Reason + ", want " + r.Error
			}
		default:
			// The recorded text begins with the class of the exception.
			want, _, _ := strings.Cut(r.Error, ":")
			if got := exc.Value.Class.Name; got != want {
				j.Class = got + " for " + want
			}
			j.Why = exc.Diag.Msg
		}
		return j
	}
	if exc != nil {
		j.Verdict, j.Why = FalseError, exc.Diag.Msg
		return j
	}
	c := comparer{rec: r, floats: res.Floats}
	c.value(res.Value, r.Out)
	switch {
	case c.wrong != "":
		j.Verdict, j.Why = Wrong, c.wrong
	// A record whose values depend on more than what is written needs shape alone.
	case c.unknown != "" && r.VD != "shape":
		j.Verdict, j.Why = Unknown, c.unknown
	}
	j.Strides, j.Layout = c.strides, c.layout
	return j
}

// A comparer goes through one result. Faults and losses are noted once: the first of each is the
// reason that is reported.
type comparer struct {
	// floats counts the tensors among the arguments whose contents are not known; tensors counts
	// those of the result, which is the index of their recorded contents.
	rec            *Record
	floats         int
	tensors        int
	strides        int
	wrong, unknown string
	layout         string
}

// fail notes a mismatch. Later mismatches are mostly consequences of the first.
func (c *comparer) fail(format string, args ...any) {
	if c.wrong == "" {
		c.wrong = fmt.Sprintf(format, args...)
	}
}

// lose notes that something is not known.
func (c *comparer) lose(format string, args ...any) {
	if c.unknown == "" {
		c.unknown = fmt.Sprintf(format, args...)
	}
}

// value compares any value with the recorded JSON: an object, a list, a text, or else a number,
// bool or null. JSON has no other kinds; numbers that are no ints are recorded as objects.
func (c *comparer) value(v value.Value, want json.RawMessage) {
	want = bytes.TrimSpace(want)
	if u, ok := v.(*value.Unknown); ok {
		c.lose("%s", u.Cause.Reason)
		return
	}
	if v, ok := v.(*value.Choice); ok {
		c.lose("it is one of %v and %v", v.Then, v.Else)
		return
	}
	if v == nil {
		c.lose("no value")
		return
	}
	switch {
	case len(want) == 0:
		c.lose("record without result")
	case want[0] == '{':
		c.object(v, want)
	case want[0] == '[':
		l, ok := v.(*value.List)
		if !ok {
			c.fail("got %v, want list %s", v, brief(want))
			return
		}
		if l.Open != nil {
			c.lose("the length of a list")
			return
		}
		c.elems(l.Elems, want)
	case want[0] == '"':
		s, ok := value.AsStr(v)
		if !ok || s != text(want) {
			c.fail("got %v, want %s", v, want)
		}
	default:
		c.scalar(v, string(want))
	}
}

// scalar compares null, bools and ints; a bool is no int here. A bool or an int that depends on
// elements of tensors is compared only where these were written in the record.
func (c *comparer) scalar(v value.Value, want string) {
	switch want {
	case "null":
		if v != value.None {
			c.fail("got %v, want None", v)
		}
	case "true", "false":
		switch v := v.(type) {
		case value.Bool:
			if bool(v) != (want == "true") && c.trusted() {
				c.fail("got %v, want %s", v, want)
			}
		case *value.SymBool:
			if v.Known && v.Val != (want == "true") {
				c.fail("got %v, want %s", v, want)
			} else if !v.Known && c.trusted() {
				c.lose("bool is not known")
			}
		default:
			c.fail("got %v, want %s", v, want)
		}
	default:
		if s, ok := v.(*value.SymInt); ok && !s.D.Known {
			if c.trusted() {
				c.lose("int is not known")
			}
			return
		}
		n, ok := value.AsInt(v)
		if _, isBool := v.(value.Bool); !ok || isBool || fmt.Sprint(n) != want {
			c.fail("got %v, want %s", v, want)
		}
	}
}

// trusted reports whether a recorded Python value follows from what is written. Arguments with
// random contents give values that cannot follow.
func (c *comparer) trusted() bool { return c.floats == 0 && c.rec.VD == "" }

// elems compares the elements of a sequence one by one; another number of them is a mismatch.
func (c *comparer) elems(elems []value.Value, want json.RawMessage) {
	var list []json.RawMessage
	if err := json.Unmarshal(want, &list); err != nil {
		c.fail("bad record: %v", err)
		return
	}
	if len(list) != len(elems) {
		c.fail("got %d elements, want %d", len(elems), len(list))
		return
	}
	for i, e := range elems {
		c.value(e, list[i])
	}
}

// dict compares a dict with names as keys, in their order. The order of keys counts.
func (c *comparer) dict(v value.Value, want json.RawMessage) {
	var o Object
	if err := json.Unmarshal(want, &o); err != nil {
		c.fail("bad record: %v", err)
		return
	}
	d, ok := v.(*value.Dict)
	if !ok || d.Len() != len(o) {
		c.fail("got %v, want dict %s", v, brief(want))
		return
	}
	if d.Open != nil {
		c.lose("the keys of a dict")
		return
	}
	for i, f := range o {
		if k, _ := value.AsStr(d.Key(i)); k != f.Key {
			c.fail("got the key %v, want %s", d.Key(i), f.Key)
			return
		}
		c.value(d.At(i), f.Val)
	}
}

// object compares a value with a recorded JSON object, whose key names its kind. A mismatch fails the
// record; a kind that the comparison does not cover only loses it. The kinds are those that the
// recorder writes; some are tested before the loop since they have several keys.
func (c *comparer) object(v value.Value, want json.RawMessage) {
	var o map[string]json.RawMessage
	if err := json.Unmarshal(want, &o); err != nil {
		c.fail("bad record: %v", err)
		return
	}
	// A tensor of Chainer must be a Variable, of NumPy an array.
	if _, ok := o["t"]; ok {
		if c.rec.OfChainer() && !chainer.IsVariable(v) && c.unknown == "" {
			if _, isTensor := v.(*value.Tensor); isTensor {
				c.fail("got %v, want a Variable", v)
				return
			}
		}
		c.tensor(v, o)
		return
	}
	if m, ok := o["np"]; ok {
		if !ops.IsArray(v) {
			c.fail("got %v, want an array %s%s", v, text(m), o["s"])
			return
		}
		c.tensor(v, map[string]json.RawMessage{"t": m, "s": o["s"]})
		return
	}
	if m, ok := o["npscalar"]; ok {
		c.npScalar(v, text(m), o["value"])
		return
	}
	if m, ok := o["namedtuple"]; ok {
		t, ok := v.(*value.Tuple)
		if !ok || t.Class == nil || t.Class.Name != text(m) {
			c.fail("got %v, want namedtuple %s", v, text(m))
			return
		}
		fields, err := json.Marshal(t.Class.Fields)
		if err != nil || string(fields) != string(o["fields"]) {
			c.fail("got fields %s, want %s", fields, o["fields"])
		}
		c.elems(t.Elems, o["items"])
		return
	}
	// The object has one key, so that the loop ends after it. Kinds with one key.
	for k, m := range o {
		switch k {
		case "tuple", "size":
			t, ok := v.(*value.Tuple)
			if !ok || (k == "size") != (t.Class != nil && t.Class.Name == "Size") {
				c.fail("got %v, want %s%s", v, k, m)
				return
			}
			c.elems(t.Elems, m)
		case "py":
			ok := false
			switch v := v.(type) {
			case value.Float, *value.SymFloat:
				ok = text(m) == "float"
			case value.Complex:
				ok = text(m) == "complex"
			case *value.Abstract:
				ok = v.Class.Name == text(m)
			}
			if !ok {
				c.fail("got %v, want a Python %s", v, text(m))
			}
		case "dtype":
			// A dtype may be NumPy's or PyTorch's.
			d, ok := v.(value.DType)
			if i, isNumpy := v.(*value.Instance); isNumpy {
				d.D, ok = numpy.DTypeOf(i)
			}
			if !ok || d.D.String() != text(m) {
				c.fail("got %v, want dtype %s", v, text(m))
			}
		case "device":
			if d, ok := v.(value.Device); !ok || d.Name != text(m) {
				c.fail("got %v, want device %s", v, text(m))
			}
		case "layout", "memory_format":
			if d, ok := v.(value.Constant); !ok || d.Name != "torch."+text(m) {
				c.fail("got %v, want %s", v, text(m))
			}
		case "float":
			if _, ok := value.AsFloat(v); !ok {
				c.fail("got %v, want a float", v)
			}
		case "obj", "generator":
			if v == value.NotImplemented && text(m) == "NotImplementedType" {
				return
			}
			if got := string(ops.TypeName(v)); got != text(m) {
				c.fail("got %s, want an object of %s", got, text(m))
			}
		case "type":
			if t, ok := v.(*value.Class); !ok || t.Module+"."+t.Name != text(m) {
				c.fail("got %v, want the class %s", v, text(m))
			}
		case "callable":
			if _, ok := v.(*value.Instance); !ok { // an object with __call__; the records have no name of it
				c.lose("result of kind %s", k)
			}
		case "dict":
			c.dict(v, m)
		default:
			c.lose("result of kind %s", k)
		}
		return
	}
}

// npScalar compares one of numpy's scalars: its type, and its value where it is
// recorded and follows from what is written. A value that is an object is one that cannot be
// compared.
func (c *comparer) npScalar(v value.Value, want string, val json.RawMessage) {
	i, ok := v.(*value.Instance)
	if !ok || !ops.IsNumpyScalar(v) {
		c.fail("got %v, want a scalar of %s", v, want)
		return
	}
	if d, known := numpy.DTypeOf(i.Class); !known {
		c.lose("dtype is not known")
	} else if d.String() != want {
		c.fail("got a scalar of %s, want one of %s", d, want)
	} else if len(val) > 0 && val[0] != '{' {
		c.value(i.Payload, val)
	}
}

// tensor compares layout, class, dtype, rank, sizes, strides and contents of a tensor with the record.
// What the analysis does not know is lost, and not a mismatch; sizes that the record leaves out are
// skipped. o has the dtype in "t" or "np", the sizes in "s" (null for one that was left out),
// strides in "st".
func (c *comparer) tensor(v value.Value, o map[string]json.RawMessage) {
	// The index of this tensor among those of the result.
	n := c.tensors
	c.tensors++
	if l, ok := o["layout"]; ok {
		got := ops.Sparse(v)
		if got == "sparse_hybrid" { // one layout in PyTorch
			got = "sparse_coo"
		}
		if got != text(l) {
			c.lose("a tensor of another layout")
			return
		}
	}
	t, ok := v.(*value.Tensor)
	if !ok {
		c.fail("got %v, want a tensor", v)
		return
	}
	if c.rec.OfChainer() && !ops.IsArray(v) != chainer.IsVariable(v) {
		c.fail("got a tensor of PyTorch %v", t)
		return
	}
	ty := t.Type()
	if got := ty.DType.String(); got == "?" {
		c.lose("dtype is not known")
	} else if got != text(o["t"]) {
		c.fail("got %v, want %s%s", t, text(o["t"]), o["s"])
		return
	}
	var sizes []*int64
	if err := json.Unmarshal(o["s"], &sizes); err != nil {
		c.fail("bad record: %v", err)
		return
	}
	if !ty.Ranked {
		c.lose("rank is not known")
		return
	}
	// The ranks must agree; sizes are compared where the record and the analysis know them.
	if len(sizes) != len(ty.Shape) {
		c.fail("got %v, want %s%s", t, text(o["t"]), o["s"])
		return
	}
	for i, d := range ty.Shape {
		val, ok := dimVal(d)
		if sizes[i] == nil {
			continue
		}
		if !ok {
			c.lose("size %d is not known", i)
		} else if val != *sizes[i] {
			c.fail("got %v, want %s%s", t, text(o["t"]), o["s"])
			return
		}
	}
	// Strides are compared for tensors of PyTorch alone: the records of others have none. Traces
	// record no strides.
	if c.rec.Gen != "trace" && !ops.IsArray(v) && !chainer.IsVariable(v) {
		c.checkStrides(t, o["st"])
	}
	// The contents of the n-th tensor of the result.
	if n < len(c.rec.OV) && string(c.rec.OV[n]) != "null" {
		c.contents(t, c.rec.OV[n])
	}
}

// dimVal is the number of a size: a constant, its example value, or the value of its expression, in
// which a symbol s5 stands for 5. ok is false where none of these is known.
func dimVal(d symshape.Dim) (int64, bool) {
	if n, ok := d.Expr.Const(); ok {
		return n, true
	}
	if d.Known || d.Expr == nil {
		return d.Val, d.Known
	}
	n, err := d.Expr.Eval(func(sym string) (int64, bool) { // the symbols of Builder.dim
		rest, ok := strings.CutPrefix(sym, "s")
		if !ok {
			return 0, false
		}
		n, err := strconv.ParseInt(rest, 10, 64)
		return n, err == nil
	})
	return n, err == nil
}

// checkStrides compares strides with the record, in which none means contiguous. Strides that are not
// known count as inexact; one that is known and differs on an axis of more than one element is
// wrong. They are counted apart from the verdict, since most of them do not matter to a program.
func (c *comparer) checkStrides(t *value.Tensor, want json.RawMessage) {
	got := t.Type().Strides
	if want == nil && got == nil || c.nothing(t) {
		return
	}
	// Without recorded strides the tensor is contiguous.
	var strides []int64
	if want != nil && json.Unmarshal(want, &strides) != nil {
		c.strides++
		return
	}
	// The analysis says contiguous, the record has strides.
	if got == nil { // contiguous
		c.strides++
		c.misled(t, want)
		return
	}
	// step is the contiguous stride of axis i. exact says that all strides are known and as
	// recorded, wrong that one of an axis with several elements is known and different.
	step, exact, wrong := int64(1), true, false
	for i := len(got) - 1; i >= 0; i-- {
		size, _ := dimVal(t.Type().Shape[i])
		n, ok := got[i].Const()
		if got[i] == nil {
			c.strides++ // not known, and so never wrong
			return
		}
		w := step
		if want != nil && i < len(strides) {
			w = strides[i]
		}
		// An axis of one element may have any stride.
		exact = exact && ok && n == w
		wrong = wrong || ok && n != w && size > 1
		step *= max(size, 1)
	}
	if want == nil && !wrong {
		return
	}
	if !exact {
		c.strides++
	}
	if wrong {
		c.misled(t, want)
	}
}

// nothing reports whether t has no elements: then any strides are contiguous. PyTorch takes such a
// tensor as contiguous.
func (c *comparer) nothing(t *value.Tensor) bool {
	for _, d := range t.Type().Shape {
		if n, ok := dimVal(d); ok && n == 0 {
			return true
		}
	}
	return false
}

// misled notes strides that are known and wrong: they decide views. The first is kept.
func (c *comparer) misled(t *value.Tensor, want json.RawMessage) {
	if c.layout == "" {
		c.layout = fmt.Sprintf("%v has strides %v, want %s", t, t.Type().Strides, want)
	}
}

// contents compares tracked elements, where there are any. Elements that are not known, or not
// numbers, agree with everything; nan is equal to nan. The recorded list has as many elements as
// the tensor.
func (c *comparer) contents(t *value.Tensor, want json.RawMessage) {
	elems := t.Contents()
	if elems == nil {
		return
	}
	list, err := contents(want, t.Type().DType)
	if err != nil || len(list) != len(elems) {
		c.fail("got %d elements of contents, want %s", len(elems), want)
		return
	}
	for i, e := range elems {
		a, ok := value.AsFloat(e)
		if b, ok := e.(*value.SymBool); ok {
			if !b.Known {
				continue
			}
			a, ok = 0, true
			if b.Val {
				a = 1
			}
		}
		b, _ := value.AsFloat(list[i])
		if ok && a != b && !(a != a && b != b) {
			c.fail("got contents %v, want %s", elems, want)
			return
		}
	}
}
