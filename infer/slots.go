package infer

// This file reads __slots__: the names of the attributes that the instances of a class
// can have.

import "shapecheck/infer/value"

// slotsOf gives the attributes that instances of c can have where its classes name
// them all; only is false when instances have a __dict__, or when that is not known.
func (in *Interp) slotsOf(c *value.Class) (slots map[string]bool, only bool) {
	for _, k := range c.MRO {
		if k == in.world.Object() {
			continue
		}
		if k.Prelude || !k.At.IsValid() || k.UnknownBase != nil {
			return nil, false
		}
		v, ok := k.Attrs.Get("__slots__")
		if !ok {
			return nil, false
		}
		var names []value.Value
		switch v := v.(type) {
		case value.Str:
			names = []value.Value{v}
		case *value.Tuple:
			names = v.Elems
		case *value.List:
			if v.Open != nil {
				return nil, false
			}
			names = v.Elems
		case *value.Dict:
			if v.Open != nil {
				return nil, false
			}
			names = v.Keys()
		default:
			return nil, false
		}
		if slots == nil {
			slots = map[string]bool{}
		}
		for _, n := range names {
			s, ok := value.AsStr(n)
			if !ok || s == "__dict__" || len(s) > 2 && s[:2] == "__" && s[len(s)-2:] != "__" { // mangled
				return nil, false
			}
			slots[s] = true
		}
	}
	return slots, slots != nil
}
