package infer

// This file applies the modes of PyTorch that change what its functions do: autocast,
// which converts arguments before a function sees them, and the default device. The
// prelude's torch._modes keeps them in a dict of the heap, so that they are undone like
// everything else where a branch ends: "device" is the default device, "autocast:cpu" the
// dtype of autocast on the CPU.

import (
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/torch"
	"shapecheck/infer/value"
	"shapecheck/symshape/dtype"
)

// deviceMode is the device on which tensors are made that are given none, or "".
func (na *natives) deviceMode() string {
	if na.modes == nil || na.modes.Len() == 0 {
		return ""
	}
	v, _ := na.modes.GetStr("device")
	if d, ok := v.(value.Device); ok {
		return d.Name
	}
	return ""
}

// An applier applies a record.
type applier func(args []value.Value, kw []value.Kw) (value.Value, error)

// autocast applies op to what autocast makes of the arguments. In-place forms and
// calls with out= are left alone, as PyTorch registers functions alone.
func (na *natives) autocast(op *ops.Op, name string, args []value.Value, kw []value.Kw, apply applier) (value.Value, error) {
	if na.modes == nil || na.modes.Len() == 0 || ops.IsInPlace(name) {
		return apply(args, kw)
	}
	for _, k := range kw {
		if k.Name == "out" && k.Value != value.None {
			return apply(args, kw)
		}
	}
	var result *autocaster
	on := false
	for i := range na.modes.Len() {
		key, _ := value.AsStr(na.modes.Key(i))
		device, ok := strings.CutPrefix(key, "autocast:")
		if !ok {
			continue
		}
		on = true
		to := na.modes.At(i)
		policy := torch.AutocastOf(strings.HasPrefix(na.in.versions.torchVersion(), "1."), device, op.Names[0], args, kw)
		if policy == torch.AutocastNone {
			continue
		}
		c := &autocaster{in: na.in, device: device, to: to}
		if policy == torch.AutocastLost {
			return na.in.Unknown("the dtype that " + name + " has under autocast"), nil
		}
		if policy == torch.AutocastResult {
			result = &autocaster{in: na.in, device: device, to: to}
		}
		if policy == torch.AutocastFloat || policy == torch.AutocastResult {
			c.to = value.DType{D: dtype.F32}
		}
		args, kw = append([]value.Value(nil), args...), append([]value.Kw(nil), kw...)
		if policy == torch.AutocastWidest {
			for _, a := range args {
				c.widen(a)
			}
			for _, k := range kw {
				c.widen(k.Value)
			}
		}
		for j, a := range args {
			args[j] = c.cast(a)
		}
		for j, k := range kw {
			kw[j].Value = c.cast(k.Value)
		}
		if c.err != nil {
			return nil, c.err
		}
	}
	v, err := apply(args, kw)
	if on && op.Names[0] == "torch.tensordot" && err == nil && oneElement(v) {
		return na.in.Unknown("the dtype that tensordot with one element has under autocast"), nil
	}
	if result != nil && err == nil {
		v, err = result.cast(v), result.err
	}
	return v, err
}

// oneElement reports whether v is a tensor whose sizes are all 1.
func oneElement(v value.Value) bool {
	t, ok := v.(*value.Tensor)
	if !ok || !t.Type().Ranked {
		return false
	}
	for _, d := range t.Type().Shape {
		if n, known := ops.DimVal(d); !known || n != 1 {
			return false
		}
	}
	return true
}

// An autocaster converts the arguments of one call.
type autocaster struct {
	in     *Interp
	device string
	to     value.Value // a dtype, or what is not known
	err    error
}

// eligible reports whether autocast for the device converts t: it has floating point
// elements of at most 32 bits there.
func (c *autocaster) eligible(t *value.Tensor) bool {
	ty := t.Type()
	if ops.IsArray(t) || ops.Sparse(t) != "" || !ty.DType.IsFloat() || ty.DType == dtype.F64 {
		return false
	}
	return ty.Device == "" || strings.HasPrefix(ty.Device+":", c.device+":")
}

// widen makes float32 the dtype if a tensor of v has it.
func (c *autocaster) widen(v value.Value) {
	for x := range value.Walk(v, 1, value.Sequences) {
		if t, ok := x.(*value.Tensor); ok && c.eligible(t) && t.Type().DType == dtype.F32 {
			c.to = value.DType{D: dtype.F32}
		}
	}
}

// castTensor converts an operand as torch.autocast does for the functions of its lists: floats only, and none
// that has the dtype already.
func (c *autocaster) castTensor(t *value.Tensor) value.Value {
	if !c.eligible(t) || c.err != nil {
		return t
	}
	if d, ok := c.to.(value.DType); ok && d.D == t.Type().DType {
		return t
	}
	op, ok := catalog.Lookup("torch.Tensor.to")
	if !ok {
		return t
	}
	r, err := catalog.Apply(c.in, op, "torch.Tensor.to", []value.Value{t}, []value.Kw{{Name: "dtype", Value: c.to}})
	if err != nil {
		c.err = err
		return t
	}
	return r
}

// cast converts a tensor, or the tensors of a list or tuple.
func (c *autocaster) cast(v value.Value) value.Value {
	each := func(elems []value.Value) ([]value.Value, bool) {
		out, changed := make([]value.Value, len(elems)), false
		for i, e := range elems {
			out[i] = e
			if t, ok := e.(*value.Tensor); ok {
				out[i] = c.castTensor(t)
			}
			changed = changed || out[i] != e
		}
		return out, changed
	}
	switch v := v.(type) {
	case *value.Tensor:
		return c.castTensor(v)
	case *value.Tuple:
		if e, changed := each(v.Elems); changed && v.Class == nil {
			return value.NewTuple(e...)
		}
	case *value.List:
		if e, changed := each(v.Elems); changed && v.Open == nil {
			return c.in.heap.NewList(e)
		}
	}
	return v
}
