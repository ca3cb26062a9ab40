package infer

// This file gives modules and functions the attributes that they have once
// TorchScript has compiled them. What torch.jit.script and torch.jit.trace return
// is the source itself here, whose types are the same.

import "shapecheck/infer/value"

// compiledAttrs are the attributes of ScriptModule and ScriptFunction that no
// module or function has.
var compiledAttrs = map[string]bool{
	"graph": true, "graph_for": true, "inlined_graph": true, "code": true, "code_with_constants": true, "original_name": true,
	"qualified_name": true,
	"schema":         true, "save": true, "save_to_buffer": true, "_save_for_lite_interpreter": true, "_save_to_buffer_for_lite_interpreter": true,
	"define": true, "get_debug_state": true, "_c": true, "_debug_flush_compilation_cache": true,
}

// compiledAttr is an attribute of v that only compiled modules and functions have, or
// nil. Which of them are compiled is not kept: one that is makes all forgiven.
func (in *Interp) compiledAttr(v value.Value, name string) value.Value {
	if !in.compiled || !compiledAttrs[name] {
		return nil
	}
	switch v := v.(type) {
	case *value.Func, *value.BoundMethod, *value.Builtin:
	case *value.Instance:
		if m := in.Class("torch.nn.Module"); m == nil || !v.Class.IsSubclass(m) {
			return nil
		}
	default:
		return nil
	}
	if name == "save" || name == "_save_for_lite_interpreter" {
		return &value.Builtin{Name: name, Fn: func(value.Thread, []value.Value, []value.Kw) (value.Value, error) { return value.None, nil }}
	}
	return in.Unknown("what TorchScript makes of a module or function")
}
