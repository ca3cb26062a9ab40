package infer

// This file tells a library what an object was made with, as Lightning's save_hyperparameters
// reads it from the frames of the calls.

import "shapecheck/infer/value"

// initArguments gives the arguments of the constructors of an object that are under way in the
// project's code, by their names and with what they are now: those of a derived class go before those of its
// bases, and what **kwargs holds counts by itself.
func (in *Interp) initArguments(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	out := in.heap.NewDict()
	if len(args) != 1 {
		return nil, in.Raise("TypeError", "init_arguments takes the object")
	}
	for f := in.stack.frame; f != nil; f = f.caller {
		if f.prelude || f.fn == nil || f.fn.Name != "__init__" || f.firstArg() != args[0] {
			continue
		}
		p, vars := f.fn.Params, in.localsOf(f)
		for i, a := range append(append(p.PosOnly[:len(p.PosOnly):len(p.PosOnly)], p.Args...), p.KwOnly...) {
			if v, ok := vars.GetStr(a.Name); ok && i > 0 {
				out.SetStr(&in.heap, a.Name, v)
			}
		}
		if p.KwArg == nil {
			continue
		}
		more, _ := vars.GetStr(p.KwArg.Name)
		switch more := more.(type) {
		case *value.Dict:
			for i := range more.Len() {
				if name, ok := value.AsStr(more.Key(i)); ok {
					out.SetStr(&in.heap, name, more.At(i))
				}
			}
			if more.Open != nil {
				out.Open = more.Open
			}
		case *value.Unknown:
			out.Open = &value.Open{Key: more, Elem: more}
		}
	}
	return out, nil
}
