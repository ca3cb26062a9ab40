package infer

// This file reads attributes and methods of tensors, and makes function objects of operations.

import (
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/ops/torch"
	"shapecheck/infer/value"
)

// TensorMethod finds a method or property of tensors by name. ok is false, without an error, where there is none; an
// error is what the operation of a property raises.
func (in *Interp) TensorMethod(t *value.Tensor, name string) (value.Value, bool, error) {
	if ops.IsArray(t) {
		return in.arrayAttr(t, name)
	}
	if chainer.IsVariable(t) {
		return in.variables.variableAttr(t, name)
	}
	full := ops.Torch.Method(name)
	if in.versions.tooNew(full) != "" {
		return nil, false, nil
	}
	if op, ok := catalog.Lookup(full + ".get"); ok {
		v, err := in.applyOp(op, full+".get", []value.Value{t}, nil)
		return v, err == nil, err
	}
	if _, ok := catalog.Lookup(full); ok {
		return &value.BoundMethod{Self: t, Func: in.opFunc(full)}, true, nil
	}
	switch name {
	case "__class__":
		return in.TypeOf(t), true, nil
	case "__dict__":
		return in.losses.dictView(ensureAttrs(in, t)), true, nil
	}
	if knownTensorAttr(name) {
		return in.losses.noRecord(full), true, nil
	}
	return nil, false, nil
}

// knownTensorAttr reports whether real tensors have the attribute, though there
// is no record of it: the result is unknown instead of an AttributeError.
func knownTensorAttr(name string) bool { return torch.KnownTensorAttr(name) }

// opFunc gives the function object of a record.
func (in *Interp) opFunc(name string) *value.Builtin {
	if b := in.opFuncs[name]; b != nil {
		return b
	}
	op, _ := catalog.Lookup(name)
	b := &value.Builtin{Name: name, Fn: func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if c := choiceIn(args, kw); c != nil {
			return in.applyToChoice(c, name, args, kw)
		}
		if strings.HasPrefix(name, numpy.Library.Prefix) {
			if v, done, err := in.ofWrapped(name, args, kw); done || err != nil {
				return v, err
			}
		}
		return in.applyOp(op, name, args, kw)
	}}
	in.opFuncs[name] = b
	return b
}
