package opstest

// This file applies the record of the operator that a recorded call names.

import (
	"errors"
	"regexp"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

// A Result is what the analysis says of a record.
type Result struct {
	Name  string // of the operator record that was applied
	Value value.Value
	Err   error
	// Skip says why the record was not run, when it was not.
	Skip string
	// Th is the thread that it ran on, with the graph and its inputs.
	Th value.Thread
	// NoOp is set when there is no operator record.
	NoOp bool
	// Floats counts the arguments with unknown contents.
	Floats int
}

// dunder gives the method of a function of module operator.
var dunder = map[string]string{
	"add": "add", "sub": "sub", "mul": "mul", "truediv": "truediv", "floordiv": "floordiv", "mod": "mod", "pow": "pow",
	"matmul": "matmul", "and_": "and", "or_": "or", "xor": "xor", "lshift": "lshift", "rshift": "rshift",
	"eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
	"neg": "neg", "pos": "pos", "abs": "abs", "invert": "invert", "getitem": "getitem", "setitem": "setitem",
	"iadd": "iadd", "isub": "isub", "imul": "imul", "itruediv": "itruediv", "ifloordiv": "ifloordiv", "imod": "imod", "ipow": "ipow",
	"iand": "iand", "ior": "ior", "ixor": "ixor", "ilshift": "ilshift", "irshift": "irshift", "imatmul": "imatmul", "index": "index",
}

// reflected gives the method of the right operand.
var reflected = map[string]string{
	"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le",
}

var (
	attributeSrc = regexp.MustCompile(`^\w+\.\w+$`)
	wholeCall    = regexp.MustCompile(`^(?:\w+\.)*(\w+)(\(.*\)|\[.*\])$`)
)

// A Mode says how a record's sizes are given.
type Mode uint8

const (
	Concrete Mode = iota // as numbers
	Valued               // as symbols with example values
	Free                 // as symbols without
)

// Run applies the record.
func Run(r *Record, mode Mode) Result {
	if r.Variant == "module" || r.Call == "" {
		return Result{Skip: "needs the interpreter"}
	}
	b := &Builder{Th: NewThread(), Symbolic: mode != Concrete, Free: mode == Free}
	name := strings.Replace(r.Call, "torch.torch.", "torch.", 1)
	switch r.Variant {
	case "expression":
		switch {
		case attributeSrc.MatchString(r.Src):
			name += ".get"
		case !isCallOf(r.Src, name) || !onVariable(r, strings.SplitN(r.Src, "[", 2)[0]):
			return Result{Skip: "needs the interpreter"}
		}
	case "statement":
		if !strings.HasSuffix(name, "__setitem__") && !ops.IsInPlace(name) || !onVariable(r, r.Var) {
			return Result{Skip: "needs the interpreter"}
		}
	case "attribute":
		name += ".get"
	}
	res := Result{Name: name, Th: b.Th}
	args := make([]value.Value, len(r.Args))
	for i, m := range r.Args {
		v, err := b.Value(m)
		if err != nil {
			return skip(err)
		}
		args[i] = v
	}
	kw := make([]value.Kw, len(r.Kwargs))
	for i, f := range r.Kwargs {
		v, err := b.Value(f.Val)
		if err != nil {
			return skip(err)
		}
		kw[i] = value.Kw{Name: f.Key, Value: v}
	}
	res.Floats = b.Floats
	if op, ok := strings.CutPrefix(name, "operator."); ok {
		return operator(b.Th, res, op, args)
	}
	op, ok := catalog.Lookup(name)
	if !ok {
		res.NoOp = true
		return res
	}
	res.Value, res.Err = catalog.Apply(b.Th, op, name, args, kw)
	if res.Err == nil && r.Variant == "statement" && strings.HasSuffix(name, "__setitem__") {
		res.Value = args[0]
	}
	return res
}

func skip(err error) Result {
	var u *UnsupportedError
	if errors.As(err, &u) {
		return Result{Skip: u.Error()}
	}
	return Result{Skip: "bad record: " + err.Error()}
}

// operator follows Python's protocol for operators on tensors and numbers.
func operator(th value.Thread, res Result, op string, args []value.Value) Result {
	name, ok := dunder[op]
	if !ok || len(args) == 0 {
		res.NoOp = true
		return res
	}
	apply := func(method string, args ...value.Value) bool {
		res.Name = "torch.Tensor.__" + method + "__"
		rec, ok := catalog.Lookup(res.Name)
		if !ok {
			res.NoOp = true
			return true
		}
		res.NoOp = false
		res.Value, res.Err = catalog.Apply(th, rec, res.Name, args, nil)
		return res.Err != nil || res.Value != value.NotImplemented
	}
	if _, ok := args[0].(*value.Tensor); ok {
		if apply(name, args...) {
			return res
		}
	}
	if len(args) == 2 {
		if _, ok := args[1].(*value.Tensor); ok {
			back, ok := reflected[name]
			if !ok {
				back = "r" + name
			}
			if apply(back, args[1], args[0]) {
				return res
			}
		}
	}
	res.Value, res.Err = nil, th.Fail("TypeError", diag.New(diag.TypeMismatch, th.Here(), "unsupported operand types for "+op))
	return res
}

// onVariable reports whether the receiver of the observed call can be the
// variable; other sources call something else first.
func onVariable(r *Record, name string) bool {
	for _, f := range r.Env {
		if f.Key == name {
			return len(r.Args) > 0 && string(f.Val) == string(r.Args[0])
		}
	}
	return true
}

// isCallOf reports whether the text is as a whole one call of the function.
func isCallOf(src, name string) bool {
	m := wholeCall.FindStringSubmatch(src)
	if m == nil || !balanced(src) {
		return false
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if m[2][0] == '[' {
		return last == "__getitem__"
	}
	return m[1] == last || "__"+m[1]+"__" == last
}

// balanced reports whether the bracket that the text's last one closes is its
// first: the whole text is one call.
func balanced(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
			if depth == 0 && i != len(s)-1 {
				return false
			}
		}
	}
	return depth == 0
}
