package lib

// This file defines the module operator. The functions are the operators themselves: everything
// goes to the thread, which looks for special methods, so tensors, sizes and objects of the program
// behave as with the operator's sign.

import (
	"strings"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// operatorBinary lists the functions that are binary operators. concat is + here, which CPython
// only allows for sequences.
var operatorBinary = map[string]ast.BinOperator{
	"add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "matmul": ast.MatMult, "truediv": ast.Div, "mod": ast.Mod, "pow": ast.Pow,
	"lshift": ast.LShift, "rshift": ast.RShift, "or_": ast.BitOr, "xor": ast.BitXor, "and_": ast.BitAnd, "floordiv": ast.FloorDiv,
	"concat": ast.Add,
}

// operatorInPlace maps the in-place functions to the special method that
// changes the left operand, and the operator that stands in where it has none. The method's name is
// that of the function with underscores on both sides.
var operatorInPlace = map[string]ast.BinOperator{
	"iadd": ast.Add, "isub": ast.Sub, "imul": ast.Mult, "imatmul": ast.MatMult, "itruediv": ast.Div, "imod": ast.Mod, "ipow": ast.Pow,
	"ilshift": ast.LShift, "irshift": ast.RShift, "ior": ast.BitOr, "ixor": ast.BitXor, "iand": ast.BitAnd, "ifloordiv": ast.FloorDiv,
	"iconcat": ast.Add,
}

// Comparisons of tensors give tensors.
var operatorCompare = map[string]ast.CmpOperator{
	"eq": ast.Eq, "ne": ast.NotEq, "lt": ast.Lt, "le": ast.LtE, "gt": ast.Gt, "ge": ast.GtE,
}

// inv is an old name of invert.
var operatorUnary = map[string]ast.UnaryOperator{
	"neg": ast.USub, "pos": ast.UAdd, "invert": ast.Invert, "inv": ast.Invert, "not_": ast.Not,
}

// operatorModule makes operator from tables of operators, each under its name and its name with underscores.
func operatorModule(m *mod) {
	add := func(signature string, f func(th value.Thread, a []value.Value) (value.Value, error)) {
		m.def(signature, f)
		// Most have a spelling with underscores: add and __add__.
		name := strings.TrimSuffix(signature[:strings.IndexByte(signature, '(')], "_")
		v, _ := m.attrs.Get(signature[:strings.IndexByte(signature, '(')])
		m.set("__"+name+"__", v)
	}
	// In a fixed order, so that attributes have the same order in each run.
	for _, name := range sortedNames(operatorBinary) {
		op := operatorBinary[name]
		add(name+"(a, b, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return th.Binary(op, a[0], a[1]) })
	}
	for _, name := range sortedNames(operatorInPlace) {
		op := operatorInPlace[name]
		special := "__" + strings.Replace(name, "concat", "add", 1) + "__"
		add(name+"(a, b, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
			// list += array gives an array in NumPy, whose reflected + has priority.
			if _, isTensor := a[1].(*value.Tensor); isTensor && th.TypeOf(a[0]) == th.Class("list") && name == "iadd" {
				return th.Binary(op, a[0], a[1]) // the array's + comes before the list's
			}
			// Without the special method, or if that gives NotImplemented, the binary operator
			// stands in.
			if f, ok, err := th.LookupAttr(a[0], special); err != nil {
				return nil, err
			} else if ok && !value.IsUnknown(f) {
				v, err := th.Call(f, a[1:], nil)
				if err != nil || v != value.NotImplemented {
					return v, err
				}
			}
			return th.Binary(op, a[0], a[1])
		})
	}
	for _, name := range sortedNames(operatorCompare) {
		op := operatorCompare[name]
		add(name+"(a, b, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return th.Compare(op, a[0], a[1]) })
	}
	for _, name := range sortedNames(operatorUnary) {
		op := operatorUnary[name]
		add(name+"(a, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return th.Unary(op, a[0]) })
	}
	builtin := func(name string) func(th value.Thread, a []value.Value) (value.Value, error) {
		return func(th value.Thread, a []value.Value) (value.Value, error) { return m.w.callBuiltin(th, name, a...) }
	}
	add("abs(a, /)", builtin("abs"))
	m.def("truth(a, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return th.Truth(a[0]) })
	add("index(a, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return toIndex(th, a[0]) })
	m.def("is_(a, b, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return th.Identical(a[0], a[1]) })
	m.def("is_not(a, b, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		v, err := th.Identical(a[0], a[1])
		if err != nil {
			return nil, err
		}
		return th.Unary(ast.Not, v)
	})
	add("contains(a, b, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return th.Compare(ast.In, a[1], a[0])
	})
	add("getitem(a, b, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return th.GetItem(a[0], a[1]) })
	add("setitem(a, b, c, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return value.None, th.SetItem(a[0], a[1], a[2])
	})
	add("delitem(a, b, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return value.None, th.DelItem(a[0], a[1])
	})
	// Each element that is equal counts as 1, so a comparison that is not decided makes the sum
	// symbolic. An unknown number of elements gives an unknown int.
	m.def("countOf(a, b, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		var n value.Value = value.Int(0)
		err := th.Iterate(a[0], func(x value.Value) error {
			eq, err := th.Compare(ast.Eq, x, a[1])
			if err != nil {
				return err
			}
			n, err = th.Binary(ast.Add, n, eq)
			return err
		})
		if isOpen(err) {
			return &value.SymInt{}, nil
		}
		return n, err
	})
	// ValueError where no element is equal. A comparison that is not decided is decided by the
	// example.
	m.def("indexOf(a, b, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		i, found := 0, false
		err := th.Iterate(a[0], func(x value.Value) error {
			eq, err := th.Compare(ast.Eq, x, a[1])
			if err != nil {
				return err
			}
			if found, err = test(th, nil, eq, "indexOf"); found {
				return value.ErrStop
			}
			i++
			return err
		})
		switch {
		case isOpen(err):
			return &value.SymInt{}, nil
		case err != nil:
			return nil, err
		case !found:
			return nil, th.Raise("ValueError", "sequence.index(x): x not in sequence")
		}
		return value.Int(i), nil
	})
	// The length, or the default where there is none.
	m.def("length_hint(obj, default?, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if _, ok, err := th.LookupAttr(a[0], "__len__"); err != nil || !ok {
			return or(a[1], value.Int(0)), err
		}
		return m.w.callBuiltin(th, "len", a[0])
	})
	m.def("call(obj, /, *args, **kwargs)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return th.Call(a[0], tupleElems(a[1]), dictKws(a[2]))
	})
	getters(m)
}

// callBuiltin calls a function of the builtins module. NameError for one that does not exist, which
// only a mistake of this package can cause.
func (w *World) callBuiltin(th value.Thread, name string, args ...value.Value) (value.Value, error) {
	f, ok := w.b.Get(name)
	if !ok {
		return nil, th.Raise("NameError", "name '%s' is not defined", name)
	}
	return th.Call(f, args, nil)
}

// dictKws turns the dict of **kw back into keyword arguments. Keys that are no texts cannot occur.
func dictKws(v value.Value) []value.Kw {
	d, ok := v.(*value.Dict)
	if !ok {
		return nil
	}
	var kw []value.Kw
	for i := range d.Len() {
		if s, ok := value.AsStr(d.Key(i)); ok {
			kw = append(kw, value.Kw{Name: s, Value: d.At(i)})
		}
	}
	return kw
}

// getters defines itemgetter, attrgetter and methodcaller. Their objects are
// instances with the arguments in Data, which never changes. Calling such an object with several
// arguments gives a tuple.
func getters(m *mod) {
	type getter struct {
		args []value.Value
		kw   []value.Kw
	}
	// min is the least number of arguments.
	define := func(name string, min int, call func(th value.Thread, g getter, obj value.Value) (value.Value, error)) {
		c := m.class(name)
		rawMethod(m.th, c, "__new__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			if len(args) < 1+min {
				return nil, th.Raise("TypeError", "%s expected at least 1 argument, got 0", name)
			}
			o := th.Heap().NewInstance(c)
			o.Data = getter{args[1:], kw}
			return o, nil
		})
		rawMethod(m.th, c, "__init__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			return value.None, nil
		})
		method(m.th, c, "__call__(self, obj, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
			o, _ := a[0].(*value.Instance)
			if o == nil {
				return nil, th.Raise("TypeError", "not an operator.%s", name)
			}
			g, _ := o.Data.(getter)
			return call(th, g, a[1])
		})
	}
	// One key gives its value, several a tuple.
	many := func(th value.Thread, args []value.Value, get func(arg value.Value) (value.Value, error)) (value.Value, error) {
		if len(args) == 1 {
			return get(args[0])
		}
		out := make([]value.Value, len(args))
		for i, a := range args {
			v, err := get(a)
			if err != nil {
				return nil, err
			}
			out[i] = v
		}
		return value.NewTuple(out...), nil
	}
	define("itemgetter", 1, func(th value.Thread, g getter, obj value.Value) (value.Value, error) {
		return many(th, g.args, func(k value.Value) (value.Value, error) { return th.GetItem(obj, k) })
	})
	// A name with dots goes through several attributes.
	define("attrgetter", 1, func(th value.Thread, g getter, obj value.Value) (value.Value, error) {
		return many(th, g.args, func(k value.Value) (value.Value, error) {
			path, ok := value.AsStr(k)
			if !ok {
				return nil, th.Raise("TypeError", "attribute name must be a string")
			}
			v := obj
			for _, name := range strings.Split(path, ".") {
				var err error
				if v, err = th.GetAttr(v, name); err != nil {
					return nil, err
				}
			}
			return v, nil
		})
	})
	define("methodcaller", 1, func(th value.Thread, g getter, obj value.Value) (value.Value, error) {
		name, ok := value.AsStr(g.args[0])
		if !ok {
			return nil, th.Raise("TypeError", "method name must be a string")
		}
		f, err := th.GetAttr(obj, name)
		if err != nil {
			return nil, err
		}
		return th.Call(f, g.args[1:], g.kw)
	})
}
