package infer

// This file knows the classes of libraries that the prelude has in part only.

import (
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/value"
)

// partialClassOf gives the class of v, or v, where the prelude has it or one of its bases in part only (over/packages.txt
// says which): an attribute that it lacks is then unknown and no fault. Modules of torch.nn are whole, so that a subclass of one has
// the attributes that it has, even where another base is partial; nil for those.
func partialClassOf(v value.Value) *value.Class {
	c, ok := v.(*value.Class)
	if !ok {
		i, ok := v.(*value.Instance)
		if !ok {
			return nil
		}
		c = i.Class
	}
	partial := false
	for _, k := range c.MRO {
		if !k.Prelude {
			continue
		}
		yes, modules := lib.Partial(k.Module)
		if modules {
			return c
		}
		if strings.HasPrefix(k.Module, "torch.nn.") {
			return nil
		}
		partial = partial || yes
	}
	if !partial {
		return nil
	}
	return c
}
