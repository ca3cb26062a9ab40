package fill

// This file finds the parameters that a constructor only hands on: those of the base whose constructor it calls with the
// keywords that it has no names for.

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// maxHandedOn bounds through how many bases keywords are followed.
const maxHandedOn = 8

// handedOn are the parameters of base classes that need an argument, or are None without one, and that the constructor init of c
// hands on, and the constructors that have them: super().__init__(a, b=2, **kwargs). There are none where it changes the keywords.
func (mk *Maker) handedOn(c *value.Class, init *value.Func) (needed, spare []Param, bases []*value.Func) {
	given := map[string]bool{}
	for range maxHandedOn {
		if init.Params.KwArg == nil || init.Module == nil || init.Module.Prelude {
			return needed, spare, bases
		}
		call := handingCall(init.Definition(), init.Params.KwArg.Name)
		at := slices.IndexFunc(c.MRO, func(k *value.Class) bool { v, _ := k.Attrs.Get("__init__"); return v == value.Value(init) })
		if call == nil || at < 0 {
			return needed, spare, bases
		}
		for _, x := range slices.Concat(init.Params.PosOnly, init.Params.Args, init.Params.KwOnly) {
			given[x.Name] = true
		}
		for _, k := range call.Keywords {
			given[k.Name.Name] = true
		}
		var base *value.Func
		for _, k := range c.MRO[at+1:] {
			if v, ok := k.Attrs.Get("__init__"); ok {
				base, _ = v.(*value.Func)
				break
			}
		}
		if base == nil || base.Params == nil || base.Module == nil || base.Module.Prelude {
			return needed, spare, bases
		}
		places := 1
		for _, a := range call.Args {
			if s, ok := a.(*ast.Starred); !ok || init.Params.VarArg == nil || !isNamed(s.Value, init.Params.VarArg.Name) {
				places++
			}
		}
		open := func(list []Param) (out []Param) {
			for _, p := range list {
				if !given[p.Name] && !p.ByPlace {
					given[p.Name] = true
					out = append(out, p)
				}
			}
			return out
		}
		needed = append(needed, open(mk.required(base, places, nil))...)
		spare = append(spare, open(mk.Optional(base, places))...)
		init, bases = base, append(bases, base)
	}
	return needed, spare, bases
}

// handingCall is the call of the next constructor that a constructor hands its further keywords to; nil where there is none, or it
// adds to the keywords.
func handingCall(fn ast.Node, kwargs string) *ast.Call {
	var found *ast.Call
	changed, handed := false, 0
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Assign:
			for _, t := range n.Targets {
				if s, ok := t.(*ast.Subscript); ok {
					t = s.Value
				}
				changed = changed || isNamed(t, kwargs)
			}
		case *ast.Call:
			a, ok := n.Func.(*ast.Attribute)
			if !ok {
				break
			}
			changed = changed || isNamed(a.Value, kwargs) && (a.Attr.Name == "update" || a.Attr.Name == "setdefault")
			if s, ok := a.Value.(*ast.Call); !ok || a.Attr.Name != "__init__" || !isNamed(s.Func, "super") {
				break
			}
			for _, k := range n.Keywords {
				if k.Name.Name == "" && isNamed(k.Value, kwargs) {
					found = n
					handed++
				}
			}
		}
		return true
	})
	if changed || handed != 1 {
		return nil
	}
	return found
}
