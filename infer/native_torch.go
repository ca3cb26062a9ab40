package infer

// This file makes the native part of the module torch: the Tensor class, dtypes,
// devices, torch.Size and the layout constants.
//
// It also gives modules and functions the attributes that they have once
// TorchScript has compiled them. What torch.jit.script and torch.jit.trace return
// is the source itself here, whose types are the same.

import (
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/symshape/dtype"
)

// torchDTypes are the dtype attributes of the module torch.
var torchDTypes = [...]struct {
	name string
	d    dtype.DType
}{
	{"float32", dtype.F32}, {"float", dtype.F32}, {"float64", dtype.F64}, {"double", dtype.F64},
	{"float16", dtype.F16}, {"half", dtype.F16}, {"bfloat16", dtype.BF16}, {"uint8", dtype.U8}, {"int8", dtype.I8},
	{"int16", dtype.I16}, {"short", dtype.I16}, {"int32", dtype.I32}, {"int", dtype.I32}, {"int64", dtype.I64},
	{"long", dtype.I64}, {"bool", dtype.Bool}, {"complex32", dtype.C32}, {"chalf", dtype.C32}, {"complex64", dtype.C64},
	{"cfloat", dtype.C64}, {"complex128", dtype.C128}, {"cdouble", dtype.C128},
	{"uint16", dtype.U16}, {"uint32", dtype.U32}, {"uint64", dtype.U64},
	{"float8_e4m3fn", dtype.F8E4M3FN}, {"float8_e5m2", dtype.F8E5M2}, {"float8_e4m3fnuz", dtype.F8E4M3FNUZ},
	{"float8_e5m2fnuz", dtype.F8E5M2FNUZ},
	{"float8_e8m0fnu", dtype.F8E8M0FNU}, {"bcomplex32", dtype.BC32},
}

var torchConstants = [...]string{
	"strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "_mkldnn", "jagged",
	"contiguous_format", "channels_last", "channels_last_3d", "preserve_format",
	"per_tensor_affine", "per_channel_affine", "per_tensor_symmetric", "per_channel_symmetric", "per_channel_affine_float_qparams",
	"qint8", "quint8", "qint32", "quint4x2", "quint2x4", // dtypes without a DType: see ops/torch/quantized.go
}

// nativeTorch makes the compiled part of the module torch: dtypes, constants, Tensor with the classes of sparse
// layouts, Size and device. Functions are not here: they come from the records.
func (na *natives) nativeTorch() *value.Attrs {
	h := &na.heap
	a := h.NewAttrs()
	for _, d := range torchDTypes {
		a.Set(h, d.name, value.DType{D: d.d})
	}
	for _, c := range torchConstants {
		a.Set(h, c, value.Constant{Name: "torch." + c})
	}
	object := na.world.Class("object")
	class := func(full, name string, layout value.Layout, bases ...*value.Class) *value.Class {
		c := &value.Class{Name: name, Qualname: name, Module: "torch", Layout: layout, Attrs: h.NewAttrs(), Prelude: true, Bases: bases}
		c.MRO = append([]*value.Class{c}, bases[0].MRO...)
		na.world.Register(full, c)
		a.Set(h, name, c)
		return c
	}
	base := class("torch._C._TensorBase", "_TensorBase", value.TensorLayout, object)
	tensor := class("torch.Tensor", "Tensor", value.TensorLayout, base)
	constructor(na.in, base, na.newTensor)
	constructor(na.in, tensor, na.newTensor)
	na.hookMethods(tensor)
	for _, l := range ops.SparseLayouts {
		c := &value.Class{Name: "Tensor", Qualname: l, Module: "torch", Layout: value.TensorLayout, Attrs: h.NewAttrs(), Prelude: true,
			Bases: []*value.Class{tensor}}
		c.MRO = append([]*value.Class{c}, tensor.MRO...)
		na.world.Register("torch."+l, c)
	}
	size := class("torch.Size", "Size", value.TupleLayout, na.world.Class("tuple"))
	constructor(na.in, size, func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		out := &value.Tuple{Class: size}
		if len(args) < 2 {
			return out, nil
		}
		if value.IsUnknown(args[1]) {
			return args[1], nil
		}
		err := na.in.Iterate(args[1], func(v value.Value) error { out.Elems = append(out.Elems, v); return nil })
		return out, err
	})
	size.Attrs.Set(h, "numel", &value.Builtin{Name: "torch.Size.numel",
		Fn: func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
			n := na.pool.ConstDim(1)
			if t, ok := args[0].(*value.Tuple); ok {
				for _, e := range t.Elems {
					d, ok := value.AsDim(na.pool, e)
					if !ok {
						return na.in.Unknown("the number of elements of a size that is not known"), nil
					}
					n = na.pool.DimMul(n, d)
				}
			}
			return value.FromDim(n), nil
		}})
	dev := class("torch.device", "device", value.ObjectLayout, object)
	constructor(na.in, dev, na.newDevice)
	class("torch.dtype", "dtype", value.ObjectLayout, object)
	class("torch.layout", "layout", value.ObjectLayout, object)
	class("torch.memory_format", "memory_format", value.ObjectLayout, object)
	class("torch.qscheme", "qscheme", value.ObjectLayout, object)
	return a
}

// constructor gives a class a native __new__, and an __init__ that does nothing, as that of object would refuse
// the arguments.
func constructor(th value.Thread, c *value.Class, fn value.NativeFunc) {
	c.Attrs.Set(th.Heap(), "__new__", &value.Builtin{Name: c.FullName() + ".__new__", Fn: fn, Static: true})
	c.Attrs.Set(th.Heap(), "__init__", &value.Builtin{Name: c.FullName() + ".__init__",
		Fn: func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
			return value.None, nil
		}})
}

// newTensor implements torch.Tensor(2, 3), torch.Tensor([..]) and Tensor(tensor).
func (na *natives) newTensor(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
	cls, _ := args[0].(*value.Class)
	args = args[1:]
	name := "torch.empty"
	if len(args) == 1 {
		switch x := args[0].(type) {
		case *value.Tensor:
			if ops.IsArray(x) {
				name = "torch.tensor"
				kw = append(kw[:len(kw):len(kw)], value.Kw{Name: "dtype", Value: value.DType{D: defaultDType(na.in)}})
				break
			}
			if ops.Sparse(x) != "" {
				return x, nil
			}
			t := *x
			t.Header = na.heap.Header()
			t.Class = na.tensorClass(cls)
			return &t, nil
		case *value.Unknown:
			return x, nil
		case *value.List, *value.Tuple:
			name = "torch.tensor"
			if t, ok := x.(*value.Tuple); ok && t.Class != nil {
				name = "torch.empty"
			} else {
				kw = append(kw[:len(kw):len(kw)], value.Kw{Name: "dtype", Value: value.DType{D: defaultDType(na.in)}})
			}
		}
	}
	op, ok := catalog.Lookup(name)
	if !ok {
		return na.in.losses.noRecord(name), nil
	}
	if len(args) == 0 {
		args = []value.Value{value.Int(0)}
	}
	v, err := na.in.applyOp(op, name, args, kw)
	if t, ok := v.(*value.Tensor); ok && err == nil {
		t.Class = na.tensorClass(cls)
	}
	return v, err
}

// tensorClass is nil for torch.Tensor itself.
func (na *natives) tensorClass(c *value.Class) *value.Class {
	if c == na.world.Class("torch.Tensor") {
		return nil
	}
	return c
}

// newDevice implements torch.device("cuda", 0).
func (na *natives) newDevice(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
	args = args[1:]
	for _, k := range kw {
		args = append(args, k.Value)
	}
	if len(args) == 0 {
		return nil, na.in.Raise("TypeError", "device() missing required argument")
	}
	switch x := args[0].(type) {
	case value.Device:
		return x, nil
	case value.Int:
		return value.Device{Name: "cuda:" + itoa(int64(x))}, nil
	case *value.Unknown:
		return x, nil
	case *value.Choice:
		return na.in.distribute(x, func(v value.Value) (value.Value, error) {
			return na.newDevice(na.in, append([]value.Value{value.None, v}, args[1:]...), nil)
		})
	}
	s, ok := value.AsStr(args[0])
	if !ok {
		return na.in.Unknown("the name of a device"), nil
	}
	if len(args) > 1 {
		if n, ok := value.AsInt(args[1]); ok {
			s += ":" + itoa(n)
		}
	}
	kind, _, _ := strings.Cut(s, ":")
	if !strings.Contains(" cpu cuda meta mps xpu hpu xla ipu vulkan mkldnn opengl opencl ideep hip ve fpga ort lazy mtia privateuseone ",
		" "+kind+" ") {
		return nil, na.in.Raise("RuntimeError", "'%s' is no device: expected cpu, cuda, meta, mps, …", s)
	}
	return value.Device{Name: s}, nil
}

// compiledAttrs are the attributes of ScriptModule and ScriptFunction that no
// module or function has.
var compiledAttrs = map[string]bool{
	"graph": true, "graph_for": true, "inlined_graph": true, "code": true, "code_with_constants": true, "original_name": true,
	"qualified_name": true,
	"schema":         true, "save": true, "save_to_buffer": true, "_save_for_lite_interpreter": true, "_save_to_buffer_for_lite_interpreter": true,
	"define": true, "get_debug_state": true, "_c": true, "_debug_flush_compilation_cache": true,
}

// compiledAttr is an attribute of v that only compiled modules and functions have, or nil. What is made of a compiled one, a part or a
// copy, may be compiled, too: where one is, all have these attributes, but for who asks with hasattr or a handler of what nobody compiled.
func (na *natives) compiledAttr(v value.Value, name string) value.Value {
	if na.compiled == nil || !compiledAttrs[name] {
		return nil
	}
	switch v := v.(type) {
	case *value.Func, *value.BoundMethod, *value.Builtin:
	case *value.Instance:
		if m := na.in.Class("torch.nn.Module"); m == nil || !v.Class.IsSubclass(m) {
			return nil
		}
	default:
		return nil
	}
	if !na.compiled[v] && na.in.hasFallback(na.in.noAttr(v, name)) {
		return nil
	}
	if name == "save" || name == "_save_for_lite_interpreter" {
		return &value.Builtin{Name: name, Fn: func(value.Thread, []value.Value, []value.Kw) (value.Value, error) { return value.None, nil }}
	}
	return na.in.Unknown("what TorchScript makes of a module or function")
}
