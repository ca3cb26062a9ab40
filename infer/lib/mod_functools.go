package lib

// This file defines the native part of functools: what model constructors call
// often (partial, reduce) and what needs the engine's data (lru_cache). The rest
// is in py/functools.py.

import (
	"strings"

	"shapecheck/infer/value"
)

// reduce calls the function from the left. Without elements and without an initial value it raises
// TypeError.
func functoolsModule(m *mod) {
	m.def("reduce(function, iterable, initial?, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if u, ok := a[1].(*value.Unknown); ok {
			return u, nil
		}
		acc := a[2]
		err := th.Iterate(a[1], func(x value.Value) (err error) {
			if acc == nil {
				acc = x
				return nil
			}
			acc, err = th.Call(a[0], []value.Value{acc, x}, nil)
			return err
		})
		switch {
		case isOpen(err):
			return th.Unknown("reduce() over an unknown number of elements"), nil
		case err != nil:
			return nil, err
		case acc == nil:
			return nil, th.Raise("TypeError", "reduce() of empty iterable with no initial value")
		}
		return acc, nil
	})
	partialClass(m)
	cacheClass(m)
}

// partialClass defines functools.partial. Its instances have the attributes
// func, args and keywords, as in CPython, and may have others. Subclasses of partial keep their
// class.
func partialClass(m *mod) {
	c := m.class("partial")
	rawMethod(m.th, c, "__new__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if len(args) < 2 {
			return nil, th.Raise("TypeError", "type 'partial' takes at least one argument")
		}
		h := th.Heap()
		fn, rest := args[1], args[2:]
		kwds := h.NewDict()
		// A partial of a partial is flattened.
		if inner, ok := fn.(*value.Instance); ok && inner.Class == c {
			f, a, k := partialParts(inner)
			fn = f
			rest = append(append([]value.Value(nil), a...), rest...)
			for i := range k.Len() {
				if s, ok := value.AsStr(k.Key(i)); ok {
					kwds.SetStr(h, s, k.At(i))
				}
			}
		}
		// Keywords given later replace those of the inner partial.
		for _, k := range kw {
			kwds.SetStr(h, k.Name, k.Value)
		}
		class, ok := args[0].(*value.Class)
		if !ok {
			class = c
		}
		p := h.NewInstance(class)
		p.Attrs.Set(h, "func", fn)
		p.Attrs.Set(h, "args", value.NewTuple(rest...))
		p.Attrs.Set(h, "keywords", kwds)
		return p, nil
	})
	// object.__init__ would refuse the arguments.
	rawMethod(m.th, c, "__init__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		return value.None, nil
	})
	rawMethod(m.th, c, "__call__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		p, ok := args[0].(*value.Instance)
		if !ok {
			return nil, th.Raise("TypeError", "descriptor '__call__' requires a 'functools.partial' object")
		}
		fn, bound, kwds := partialParts(p)
		all := make([]value.Value, 0, len(bound)+len(args)-1)
		all = append(append(all, bound...), args[1:]...)
		var kws []value.Kw
		for i := range kwds.Len() {
			// Keywords of the call go before those that are bound.
			name, _ := value.AsStr(kwds.Key(i))
			if !hasKw(kw, name) {
				kws = append(kws, value.Kw{Name: name, Value: kwds.At(i)})
			}
		}
		return th.Call(fn, all, append(kws, kw...))
	})
	// As CPython prints them.
	rawMethod(m.th, c, "__repr__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		fn, bound, kwds := partialParts(args[0].(*value.Instance))
		parts := []string{}
		add := func(prefix string, v value.Value) {
			s, _ := th.Repr(v)
			parts = append(parts, prefix+s)
		}
		add("", fn)
		for _, a := range bound {
			add("", a)
		}
		for i := range kwds.Len() {
			name, _ := value.AsStr(kwds.Key(i))
			add(name+"=", kwds.At(i))
		}
		return value.Str("functools.partial(" + strings.Join(parts, ", ") + ")"), nil
	})
}

// The number of keywords is small.
func hasKw(kw []value.Kw, name string) bool {
	for _, k := range kw {
		if k.Name == name {
			return true
		}
	}
	return false
}

// partialParts reads the parts of a partial from its attributes. A program may have replaced the
// attributes, so their kinds are checked.
func partialParts(p *value.Instance) (fn value.Value, args []value.Value, kwds *value.Dict) {
	fn, kwds = value.None, &value.Dict{}
	if v, ok := p.Attrs.Get("func"); ok {
		fn = v
	}
	if v, ok := p.Attrs.Get("args"); ok {
		if t, ok := v.(*value.Tuple); ok {
			args = t.Elems
		}
	}
	if v, ok := p.Attrs.Get("keywords"); ok {
		if d, ok := v.(*value.Dict); ok {
			kwds = d
		}
	}
	return fn, args, kwds
}

// cacheClass defines lru_cache and cache. They do cache: code relies on getting
// the same object twice. The cache is a dict of the heap, so that what a branch
// put there goes when the branch is rolled back.
func cacheClass(m *mod) {
	c := newModClass(m.th, "functools", "_lru_cache_wrapper")
	rawMethod(m.th, c, "__call__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		self := args[0].(*value.Instance)
		fn, _ := self.Attrs.Get("__wrapped__")
		store, ok := cacheOf(self)
		key, err := cacheKey(th, args[1:], kw)
		// A TypeError is an argument without a hash.
		if value.IsException(err, th.Class("TypeError")) {
			return nil, err
		}
		if err != nil || !ok {
			// A key that is not known: the function is called, which is right for pure functions.
			return th.Call(fn, args[1:], kw)
		}
		if v, ok := store.Get(key); ok {
			return v, nil
		}
		v, err := th.Call(fn, args[1:], kw)
		if err != nil {
			return nil, err
		}
		store.Set(th.Heap(), key, value.Str("call"), v)
		return v, nil
	})
	// As a method the cache is bound to the object, which becomes part of the key.
	method(m.th, c, "__get__(self, obj, owner?)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if a[1] == value.None {
			return a[0], nil
		}
		return &value.BoundMethod{Self: a[1], Func: a[0]}, nil
	})
	method(m.th, c, "cache_clear(self)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if store, ok := cacheOf(a[0].(*value.Instance)); ok {
			store.Clear(th.Heap())
		}
		return value.None, nil
	})
	method(m.th, c, "cache_info(self)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return th.Unknown("statistics of a cache"), nil
	})
	method(m.th, c, "cache_parameters(self)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return th.Heap().NewDict(), nil
	})
	method(m.th, c, "__deepcopy__(self, memo)", func(th value.Thread, a []value.Value) (value.Value, error) { return a[0], nil })
	method(m.th, c, "__copy__(self)", func(th value.Thread, a []value.Value) (value.Value, error) { return a[0], nil })

	// The wrapper has the names and the documentation of the function.
	wrap := func(th value.Thread, fn value.Value) (value.Value, error) {
		h := th.Heap()
		w := h.NewInstance(c)
		for _, name := range []string{"__module__", "__name__", "__qualname__", "__doc__"} {
			if v, ok, err := th.LookupAttr(fn, name); err == nil && ok {
				w.Attrs.Set(h, name, v)
			}
		}
		w.Attrs.Set(h, "__wrapped__", fn)
		w.Attrs.Set(h, "_store", h.NewDict())
		return w, nil
	}
	m.def("cache(user_function, /)", func(th value.Thread, a []value.Value) (value.Value, error) { return wrap(th, a[0]) })
	// With a function as its first argument, lru_cache is used without parentheses. The size is not
	// kept to: nothing is ever dropped.
	m.def("lru_cache(maxsize?, typed?)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if isGiven(a[0]) {
			if _, isInt := value.AsInt(a[0]); !isInt {
				return wrap(th, a[0])
			}
		}
		return defFunc("functools", "decorating_function(user_function, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
			return wrap(th, a[0])
		}), nil
	})
}

// The attribute may have been removed by the program.
func cacheOf(self *value.Instance) (*value.Dict, bool) {
	v, _ := self.Attrs.Get("_store")
	d, ok := v.(*value.Dict)
	return d, ok
}

// cacheKey gives the hash key of a call's arguments. Names of keywords begin with a NUL, so that
// they differ from positional texts.
func cacheKey(th value.Thread, args []value.Value, kw []value.Kw) (any, error) {
	elems := append([]value.Value(nil), args...)
	for _, k := range kw {
		elems = append(elems, value.Str("\x00"+k.Name), k.Value)
	}
	return th.HashKey(value.NewTuple(elems...))
}
