package value

// This file defines Python's scalars, concrete and abstract.

import (
	"math"
	"math/big"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/symshape"
)

type (
	// NoneType is the type of None.
	NoneType struct{}
	// EllipsisType is the type of Ellipsis.
	EllipsisType struct{}
	// NotImplementedType is the type of NotImplemented.
	NotImplementedType struct{}

	Bool    bool
	Int     int64
	Float   float64
	Complex complex128
	// Str is UTF-8; lone surrogates stand in the generalised form of WTF-8.
	Str   string
	Bytes string
)

// The singletons.
var (
	None           Value = NoneType{}
	Ellipsis       Value = EllipsisType{}
	NotImplemented Value = NotImplementedType{}
)

// A BigInt is an integer outside int64.
type BigInt struct{ V *big.Int }

// A SymInt is an int whose value is not, or not only, a constant: a size or
// what was computed from sizes. Both halves of D may be unknown.
type SymInt struct {
	D symshape.Dim
	// From and Axis say which dimension of which tensor it was read from; From
	// may be nil.
	From *graph.Value
	Axis int
	// NotNegative says that it is 0 at least where D has no expression that tells.
	NotNegative bool
	// Source is the 0-dim integer tensor whose contents it is, or nil.
	Source *graph.Value
	// Cause says why it is not known where both halves of D are missing; it may be nil.
	Cause *Cause
}

// A SymFloat is a float that is not, or not only, a constant.
type SymFloat struct {
	R     symshape.Real // the zero Real when nothing is known
	Val   float64
	Known bool // Val is its value
	// Near says that Val is its value but for the last digits, which the processor and the library
	// that computes it decide. Known is false then.
	Near bool
	// NotNegative says that it is 0 at least, for all sizes.
	NotNegative bool
	// Chance says that it is drawn evenly from 0 to 1.
	Chance bool
	// Source is the 0-dim tensor whose contents it is, or nil.
	Source *graph.Value
	// Cause says why nothing is known where nothing is; it may be nil.
	Cause *Cause
}

// Lost reports whether nothing is known of x, not even which tensor holds it.
func (x *SymInt) Lost() bool { return x.D.Expr == nil && !x.D.Known && x.Source == nil }

// nearness is how far a number that is known but for its last digits may be from Val, by its size:
// far more than functions and what is computed from them are off.
const nearness = 1e-6

// Within gives the least and the greatest number that x may be; it must be Near.
func (x *SymFloat) Within() (least, most float64) {
	d := nearness * max(1, math.Abs(x.Val))
	return x.Val - d, x.Val + d
}

// Rounded is what f, which rounds to integers, makes of x; false where the last digits decide that.
func (x *SymFloat) Rounded(f func(float64) float64) (int64, bool) {
	if !x.Near || !(math.Abs(x.Val) < 1<<31) {
		return 0, false
	}
	least, most := x.Within()
	a, b := f(least), f(most)
	return int64(a), a == b
}

// Lost reports whether nothing is known of x, not even which tensor holds it.
func (x *SymFloat) Lost() bool { return !x.Known && !x.R.Known() && x.Source == nil }

// A SymBool is a truth value that follows from sizes or from data. Cond is
// never nil: data gives a fresh 0/1 symbol. When Known, Val is the value under
// the example sizes.
type SymBool struct {
	Cond  *symshape.Cond
	Val   bool
	Known bool
	// Source is the bool tensor whose contents it is, or nil.
	Source *graph.Value
}

// An Abstract is an instance of a builtin class (str, bytes, complex, list …)
// of which only the class is known.
type Abstract struct {
	Class *Class
	Cause *Cause
	// Text of a str is what it looks like with expressions for the parts that
	// are not known: good for messages only.
	Text string
	// Of tells of a str which function of texts made it; nil where that is not known.
	Of *TextOf
}

// maxShownText bounds Abstract.Text, in bytes: a text that is doubled again and again would take all memory.
const maxShownText = 4 << 10

// ShownText is what Abstract.Text keeps of a text: its beginning, where it is long.
func ShownText(text string) string {
	if len(text) <= maxShownText {
		return text
	}
	return strings.ToValidUTF8(text[:maxShownText], "") + "…"
}

// A TextOf is a function of nothing but its arguments, texts: two results of
// it for the same arguments are the same text.
type TextOf struct {
	Func string
	Args []Value
	size int // how many functions and texts it is made of
}

// maxTextSize bounds what is kept of how a text was made: one that is doubled again and again is made of very many.
const maxTextSize = 64

// Computed notes that v is what a function gives for texts, where they are known or
// themselves what can be told apart.
func Computed(v Value, function string, args ...Value) Value {
	a, ok := v.(*Abstract)
	if !ok {
		return v
	}
	size := 1
	for i, x := range args {
		switch x := Plain(x).(type) {
		case Str:
			args[i] = x
			size++
		case *Abstract:
			if x.Class != a.Class || x == a {
				return v
			}
			if size++; x.Of != nil {
				size += x.Of.size
			}
		default:
			return v
		}
	}
	if size <= maxTextSize {
		a.Of = &TextOf{Func: function, Args: args, size: size}
	}
	return v
}

func (NoneType) value()           {}
func (EllipsisType) value()       {}
func (NotImplementedType) value() {}
func (Bool) value()               {}
func (Int) value()                {}
func (Float) value()              {}
func (Complex) value()            {}
func (Str) value()                {}
func (Bytes) value()              {}
func (*BigInt) value()            {}
func (*SymInt) value()            {}
func (*SymFloat) value()          {}
func (*SymBool) value()           {}
func (*Abstract) value()          {}

// AsDim returns the dimension that v is: for Int, SymInt, Bool, and instances
// of subclasses of int. A BigInt has both halves unknown.
func AsDim(p *symshape.Pool, v Value) (symshape.Dim, bool) {
	switch v := v.(type) {
	case Int:
		return p.ConstDim(int64(v)), true
	case Bool:
		if v {
			return p.ConstDim(1), true
		}
		return p.ConstDim(0), true
	case *SymInt:
		return v.D, true
	case *BigInt:
		return symshape.Dim{}, true
	case *Instance:
		if v.Payload != nil {
			return AsDim(p, v.Payload)
		}
	}
	return symshape.Dim{}, false
}

// FromDim returns the int that d is: an Int for a constant, else a SymInt.
func FromDim(d symshape.Dim) Value {
	if n, ok := d.Expr.Const(); ok {
		return Int(n)
	}
	return &SymInt{D: d}
}

// FromBig returns an Int or BigInt.
func FromBig(n *big.Int) Value {
	if n.IsInt64() {
		return Int(n.Int64())
	}
	return &BigInt{n}
}

// AsInt returns the concrete int that v is: an Int, a Bool, or a SymInt whose
// value is known.
func AsInt(v Value) (int64, bool) {
	switch v := v.(type) {
	case Int:
		return int64(v), true
	case Bool:
		if v {
			return 1, true
		}
		return 0, true
	case *SymInt:
		return v.D.Val, v.D.Known
	case *Instance:
		if v.Payload != nil {
			return AsInt(v.Payload)
		}
	}
	return 0, false
}

// AsFloat returns the concrete number that v is.
func AsFloat(v Value) (float64, bool) {
	switch v := v.(type) {
	case Float:
		return float64(v), true
	case *SymFloat:
		return v.Val, v.Known
	case *BigInt:
		f, _ := new(big.Float).SetInt(v.V).Float64()
		return f, true
	case *Instance:
		if v.Payload != nil {
			return AsFloat(v.Payload)
		}
	}
	n, ok := AsInt(v)
	return float64(n), ok
}

// AsStr returns the concrete string that v is.
func AsStr(v Value) (string, bool) {
	switch v := v.(type) {
	case Str:
		return string(v), true
	case *Instance:
		if v.Payload != nil {
			return AsStr(v.Payload)
		}
	}
	return "", false
}

// AsSequence returns the elements of a tuple or list.
func AsSequence(v Value) ([]Value, bool) {
	switch v := v.(type) {
	case *Tuple:
		return v.Elems, true
	case *List:
		return v.Elems, true
	}
	return nil, false
}

// IsData reports whether v is what configurations hold: a number, a text, None, or a
// container.
func IsData(v Value) bool {
	switch v := v.(type) {
	case Str, Bytes, *Abstract, Bool, *SymBool, Int, *SymInt, Float, *SymFloat, *Tuple, *List, *Dict, *Set:
		return true
	case *Choice:
		return IsData(v.Then) && IsData(v.Else)
	}
	return v == None
}

// Plain returns the builtin value inside an instance of a subclass of str, int
// or float (such as an Enum with a mixin), and any other v itself.
func Plain(v Value) Value {
	if i, ok := v.(*Instance); ok && i.Payload != nil {
		return i.Payload
	}
	return v
}
