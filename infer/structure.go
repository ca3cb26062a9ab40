package infer

// This file looks into structures of tensors: what an entry takes and what it
// returns.

import (
	"strconv"
	"strings"

	"shapecheck/infer/value"
)

// A part is an element of a structure. Its name is that of a key or a field, or the
// position of an element.
type part struct {
	name string
	v    value.Value
}

// partsOf lists the parts of a container, of an instance of a dataclass or of another object. named
// says that they have names of their own; ok is false of anything else, and of a
// container whose elements are not known one by one.
func partsOf(v value.Value) (parts []part, named, ok bool) {
	switch v := value.Plain(v).(type) {
	case *value.Tuple:
		c := v.Class
		named := c != nil && len(c.Fields) == len(v.Elems) && c.Module != "torch.return_types"
		for i, e := range v.Elems {
			p := part{strconv.Itoa(i), e}
			if named {
				p.name = c.Fields[i]
			}
			parts = append(parts, p)
		}
		return parts, named, true
	case *value.List:
		for i, e := range v.Elems {
			parts = append(parts, part{strconv.Itoa(i), e})
		}
		return parts, false, v.Open == nil
	case *value.Dict:
		if v.Open != nil {
			return nil, false, false
		}
		for i := range v.Len() {
			k, ok := value.AsStr(v.Key(i))
			if n, isInt := v.Key(i).(value.Int); isInt {
				k, ok = strconv.Itoa(int(n)), true
			}
			if !ok {
				return nil, false, false
			}
			parts = append(parts, part{k, v.At(i)})
		}
		return parts, true, true
	case *value.Instance:
		fields, found := v.Class.Lookup("__dataclass_fields__")
		d, isDict := fields.(*value.Dict)
		if !found || !isDict {
			return attributesOf(v)
		}
		for i := range d.Len() {
			if k, ok := value.AsStr(d.Key(i)); ok {
				if x, ok := v.Attrs.Get(k); ok {
					parts = append(parts, part{k, x})
				}
			}
		}
		return parts, true, true
	}
	return nil, false, false
}

// attributesOf lists the attributes of an object that hold tensors: those whose names do not begin with an
// underscore, or all where no such one does. A module's are its parameters, and no parts of a structure.
func attributesOf(v *value.Instance) (parts []part, named, ok bool) {
	if isModule(v) {
		return nil, false, false
	}
	private := []part{}
	for i := range v.Attrs.Len() {
		x, name := v.Attrs.At(i), v.Attrs.Name(i)
		switch {
		case !reachesTensor(x):
		case strings.HasPrefix(name, "_"):
			private = append(private, part{name, x})
		default:
			parts = append(parts, part{name, x})
		}
	}
	if len(parts) == 0 {
		parts = private
	}
	return parts, true, len(parts) > 0
}

func isModule(v *value.Instance) bool {
	_, module := v.Attrs.Get("_parameters")
	return module
}

// reachesTensor says whether a value is a tensor or a structure with one inside, at any depth.
func reachesTensor(v value.Value) bool {
	seen, todo := map[value.Value]bool{}, []value.Value{v}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch v := v.(type) {
		case *value.Tensor:
			return true
		case *value.Instance:
			if isModule(v) {
				continue
			}
		case *value.Tuple, *value.List, *value.Dict, *value.Choice:
		default:
			continue
		}
		if seen[v] {
			continue
		}
		seen[v] = true
		for x := range value.PartsOf(v, value.Sequences|value.DictValues|value.OpenElems|value.Sides|value.Attributes) {
			todo = append(todo, x)
		}
	}
	return false
}
