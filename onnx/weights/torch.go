package weights

// This file makes tensors of what torch.save writes: the functions and classes to which its pickles refer, and the
// dict of tensors in what was saved. Since PyTorch 1.6 that is a zip archive with a pickle, data.pkl, and an entry for each
// storage; legacy.go reads what it was before.
//
// A tensor in a pickle is a call of a rebuild function with a storage, an offset, sizes and
// strides, all in elements. The storage is a persistent id, which the archive's reader resolves
// to a place in the file. So tensors are views here until they are written: nothing is read but
// the pickle, and tensors that share a storage are read from it each.

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"shapecheck/onnx"
)

// maxPickle bounds data.pkl. That of a model with 10 000 tensors has 2 MB.
const maxPickle = 32 << 20

// A storage is the memory of one or more tensors. off and size are in bytes, off from the
// beginning of the file.
type storage struct {
	dtype onnx.DType // Undefined: bytes without a type
	off   int64
	size  int64
	big   bool // the elements are big endian
}

// A view is a tensor of the pickle.
type view struct {
	s     *storage
	dtype onnx.DType
	layout
}

// storages are the classes of storages and their dtypes.
var storages = map[string]onnx.DType{
	"DoubleStorage": onnx.Double, "FloatStorage": onnx.Float, "HalfStorage": onnx.Float16, "BFloat16Storage": onnx.BFloat16,
	"LongStorage": onnx.Int64, "IntStorage": onnx.Int32, "ShortStorage": onnx.Int16, "CharStorage": onnx.Int8,
	"ByteStorage": onnx.Uint8, "BoolStorage": onnx.Bool, "ComplexFloatStorage": onnx.Complex64, "ComplexDoubleStorage": onnx.Complex128,
}

// torchTypes are the dtypes of newer tensors, whose storages have none.
var torchTypes = map[string]onnx.DType{
	"float64": onnx.Double, "float32": onnx.Float, "float16": onnx.Float16, "bfloat16": onnx.BFloat16,
	"int64": onnx.Int64, "int32": onnx.Int32, "int16": onnx.Int16, "int8": onnx.Int8, "uint8": onnx.Uint8, "bool": onnx.Bool,
	"uint16": onnx.Uint16, "uint32": onnx.Uint32, "uint64": onnx.Uint64, "complex64": onnx.Complex64, "complex128": onnx.Complex128,
	"float8_e4m3fn": onnx.Float8E4M3FN, "float8_e4m3fnuz": onnx.Float8E4M3FNUZ, "float8_e5m2": onnx.Float8E5M2,
	"float8_e5m2fnuz": onnx.Float8E5M2FNUZ,
}

// torchGlobals is everything that a checkpoint may refer to. Classes of storages and dtypes are
// referred to and never called. Rebuild functions check the number of their arguments, which is
// what has changed between versions of PyTorch.
func torchGlobals() map[string]*global {
	g := map[string]*global{}
	add := func(name string, call func(u *unpickler, args []any) (any, error)) {
		g[name] = &global{name: name, call: call}
	}
	for name := range storages {
		add("torch."+name, nil)
	}
	for name := range torchTypes {
		add("torch."+name, nil)
	}
	add(untypedStorage, nil)
	add("torch.Tensor", nil)
	add("collections.OrderedDict", orderedDict)
	add("torch.Size", func(_ *unpickler, args []any) (any, error) {
		if len(args) == 1 {
			if t, ok := args[0].(*tuple); ok {
				return t, nil
			}
		}
		return nil, errors.New("expected a tuple")
	})
	add("torch.device", func(_ *unpickler, args []any) (any, error) { return &tuple{args}, nil })
	add("torch._utils._rebuild_tensor_v2", func(_ *unpickler, args []any) (any, error) {
		if len(args) != 6 && len(args) != 7 {
			return nil, errors.New("expected 6 or 7 arguments")
		}
		return newView(args[:6], nil, args[6:])
	})
	add("torch._utils._rebuild_tensor", func(_ *unpickler, args []any) (any, error) {
		if len(args) != 4 {
			return nil, errors.New("expected 4 arguments")
		}
		return newView(args, nil, nil)
	})
	add("torch._utils._rebuild_tensor_v3", func(_ *unpickler, args []any) (any, error) {
		if len(args) != 7 && len(args) != 8 {
			return nil, errors.New("expected 7 or 8 arguments")
		}
		d, ok := args[6].(*global)
		if !ok {
			return nil, errors.New("no dtype")
		}
		return newView(args[:6], d, args[7:])
	})
	parameter := func(_ *unpickler, args []any) (any, error) {
		if len(args) > 0 {
			if v, ok := args[0].(*view); ok {
				return v, nil
			}
		}
		return nil, errors.New("expected a tensor")
	}
	add("torch._utils._rebuild_parameter", parameter)
	add("torch._utils._rebuild_parameter_with_state", parameter)
	add("torch.nn.parameter.Parameter", parameter)
	add("torch._tensor._rebuild_from_type_v2", fromType)
	for name, why := range refusedGlobals {
		add(name, nil)
		g[name].refused = why
	}
	return g
}

// refusedGlobals are what torch.save refers to for tensors that are not read, and what to do about them.
var refusedGlobals = map[string]string{
	"torch._utils._rebuild_sparse_tensor":                 sparseTensor,
	"torch._utils._rebuild_sparse_csr_tensor":             sparseTensor,
	"torch._utils._rebuild_nested_tensor":                 "a nested tensor: save its parts (unbind) or a padded one (to_padded_tensor)",
	"torch._utils._rebuild_qtensor":                       "a quantized tensor: save it again with dequantize()",
	"torch._utils._rebuild_meta_tensor_no_storage":        "a tensor on the device meta, which has no elements: save it again when the model has its weights",
	"torch._utils._rebuild_wrapper_subclass":              tensorSubclass,
	"torch._tensor._rebuild_from_type":                    tensorSubclass,
	"torch._utils._rebuild_device_tensor_from_numpy":      otherDevice,
	"torch._utils._rebuild_device_tensor_from_cpu_tensor": otherDevice,
	"torch._utils._rebuild_xla_tensor":                    otherDevice,
	"torch.nn.parameter.UninitializedParameter":           uninitialized,
	"torch.nn.parameter.UninitializedBuffer":              uninitialized,
	"torch.storage.TypedStorage":                          "a storage without a tensor: save the tensor",
	"numpy.core.multiarray._reconstruct":                  numpyArray,
	"numpy._core.multiarray._reconstruct":                 numpyArray,
	"numpy.core.multiarray.scalar":                        numpyArray,
	"numpy._core.multiarray.scalar":                       numpyArray,
}

const (
	sparseTensor   = "a sparse tensor: save it again with to_dense()"
	tensorSubclass = "a tensor of a class of its own: save it again as a plain tensor"
	otherDevice    = "a tensor of another kind of device: save it again with cpu()"
	uninitialized  = "a parameter of a lazy module, which has no elements: save it again after the first call"
	numpyArray     = "an array of NumPy: save it again as a tensor (torch.as_tensor)"
)

// fromType makes a tensor that has attributes: (function, class, arguments, attributes). Other classes than PyTorch's own
// are no globals. The function must be one of the table that makes a tensor, and not this one
// again, so nothing nests.
func fromType(u *unpickler, args []any) (any, error) {
	if len(args) != 4 {
		return nil, errors.New("expected 4 arguments")
	}
	f, ok1 := args[0].(*global)
	class, ok2 := args[1].(*global)
	t, ok3 := args[2].(*tuple)
	if !ok1 || !ok2 || !ok3 || f.call == nil || f.name == "torch._tensor._rebuild_from_type_v2" {
		return nil, errors.New("expected a function, a class and arguments")
	}
	if class.name != "torch.Tensor" && class.name != "torch.nn.parameter.Parameter" {
		return nil, fmt.Errorf("%s is no class of tensors", class.name)
	}
	v, err := f.call(u, t.items)
	if err != nil {
		return nil, err
	}
	if _, ok := v.(*view); !ok {
		return nil, errors.New("expected a tensor")
	}
	return v, nil
}

// signs reads what a tensor's last argument says of its elements: {"neg": True, "conj": True}.
// PyTorch keeps negation and conjugation as lazy bits of a tensor; another property that it adds
// some day changes elements in a way that is not known, and is an error.
func signs(metadata []any) (negative, conjugate bool, err error) {
	if len(metadata) == 0 || metadata[0] == nil {
		return false, false, nil
	}
	d, ok := metadata[0].(*dict)
	if !ok {
		return false, false, errors.New("the last argument is no dict")
	}
	for i, k := range d.keys {
		set, ok := d.values[i].(bool)
		switch {
		case k == "neg" && ok:
			negative = set
		case k == "conj" && ok:
			conjugate = set
		default:
			return false, false, fmt.Errorf("the property %v of a tensor is not known", k)
		}
	}
	return negative, conjugate, nil
}

// orderedDict makes a dict, of pairs when there are some.
func orderedDict(u *unpickler, args []any) (any, error) {
	d := &dict{}
	if len(args) == 0 {
		return d, nil
	}
	pairs, ok := args[0].(*list)
	if !ok || len(args) > 1 {
		return nil, errors.New("expected a list of pairs")
	}
	if err := u.spend(2 * len(pairs.items)); err != nil {
		return nil, err
	}
	for _, p := range pairs.items {
		var pair []any
		switch p := p.(type) {
		case *tuple:
			pair = p.items
		case *list:
			pair = p.items
		}
		if len(pair) != 2 {
			return nil, errors.New("expected a list of pairs")
		}
		d.keys, d.values = append(d.keys, pair[0]), append(d.values, pair[1])
	}
	return d, nil
}

// newView makes a tensor of (storage, offset, size, stride, …) and of what may be said about its
// elements. Errors: arguments of other types, a tensor without a dtype, sizes that overflow, and
// a view that goes beyond its storage.
func newView(args []any, dtype *global, metadata []any) (any, error) {
	v := &view{}
	var ok1, ok2 bool
	v.s, ok1 = args[0].(*storage)
	v.off, ok2 = args[1].(int64)
	dims, err := ints(args[2])
	if err != nil {
		return nil, err
	}
	strides, err := ints(args[3])
	if err != nil {
		return nil, err
	}
	if !ok1 || !ok2 {
		return nil, errors.New("expected a storage and an offset")
	}
	v.dims, v.strides = dims, strides
	if v.dtype = v.s.dtype; dtype != nil {
		v.dtype = torchTypes[strings.TrimPrefix(dtype.name, "torch.")]
	}
	if v.dtype == onnx.Undefined {
		return nil, errors.New("a tensor without a dtype")
	}
	if _, err := sizeOf(v.dtype, v.dims); err != nil {
		return nil, err
	}
	v.elem = int64(v.dtype.Bits()) / 8
	if err := v.check(v.s.size / v.elem); err != nil {
		return nil, err
	}
	negative, conjugate, err := signs(metadata)
	if err != nil {
		return nil, err
	}
	if v.alter, err = signed(v.dtype, negative, conjugate); err != nil {
		return nil, err
	}
	if v.s.big {
		v.alter = both(swapped(v.s.dtype), v.alter)
	}
	return v, nil
}

// ints are the items of a tuple or list of sizes. Numbers below zero are errors too; strides of
// tensors are never negative.
func ints(x any) ([]int64, error) {
	var items []any
	switch x := x.(type) {
	case *tuple:
		items = x.items
	case *list:
		items = x.items
	default:
		return nil, errors.New("expected a tuple of sizes")
	}
	if len(items) > maxRank {
		return nil, fmt.Errorf("%d dimensions are more than %d", len(items), maxRank)
	}
	out := make([]int64, len(items))
	for i, e := range items {
		n, ok := e.(int64)
		if !ok || n < 0 {
			return nil, errors.New("expected a tuple of sizes")
		}
		out[i] = n
	}
	return out, nil
}

// torchTensors are the tensors of what was saved, whose storages lie in r. Other entries than
// tensors are left out. The error names the tensor, or the key that is no text.
func torchTensors(root any, r io.ReaderAt, o Options) ([]*Tensor, error) {
	d, err := stateDict(root, o.Key)
	if err != nil {
		return nil, err
	}
	var out []*Tensor
	for i, k := range d.keys {
		v, ok := d.values[i].(*view)
		if !ok {
			continue // epochs and the like
		}
		name, ok := k.(string)
		if !ok {
			return nil, fmt.Errorf("a tensor under the key %v, which is no text", k)
		}
		t, err := v.tensor(name, r)
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		out = append(out, t)
	}
	return out, nil
}

func (v *view) tensor(name string, r io.ReaderAt) (*Tensor, error) {
	size, err := sizeOf(v.dtype, v.dims)
	if err != nil {
		return nil, err
	}
	return &Tensor{Name: name, DType: v.dtype, Dims: v.dims, size: size,
		write: func(w io.Writer) (int64, error) { return v.writeTo(w, r, v.s.off) }}, nil
}

// A storageID is the persistent id of a storage: ("storage", class, key, location, elements), before PyTorch 1.6 with a
// part of the storage behind.
type storageID struct {
	key   string
	dtype onnx.DType // Undefined: bytes
	size  int64      // in bytes
	part  any
}

// parseStorageID reads a persistent id of n parts. class says the element type, and elements are
// counted in it; untyped storages count bytes. A module that was saved with its source is an
// error that says what to save instead.
func parseStorageID(id any, n int) (s storageID, err error) {
	t, ok := id.(*tuple)
	if !ok || len(t.items) == 0 {
		return s, errors.New("a persistent id that is no storage")
	}
	if t.items[0] == "module" {
		return s, errors.New("a module with its source: save model.state_dict()")
	}
	if t.items[0] != "storage" || len(t.items) != n {
		return s, errors.New("a persistent id that is no storage")
	}
	class, ok1 := t.items[1].(*global)
	key, ok2 := t.items[2].(string)
	count, ok3 := t.items[4].(int64)
	if !ok1 || !ok2 || !ok3 || count < 0 {
		return s, errors.New("a persistent id that is no storage")
	}
	dtype, typed := storages[strings.TrimPrefix(class.name, "torch.")]
	if !typed && class.name != untypedStorage {
		return s, fmt.Errorf("%s is no class of storages", class.name)
	}
	s = storageID{key: key, dtype: dtype, size: count}
	if typed {
		if s.size, err = onnx.ByteSize(dtype, count); err != nil {
			return s, err
		}
	}
	if n > 5 {
		s.part = t.items[5]
	}
	return s, nil
}

const untypedStorage = "torch.storage.UntypedStorage"

// dictKeys are the entries under which checkpoints keep the parameters.
var dictKeys = []string{"state_dict", "model_state_dict", "model", "module", "net", "weights"}

// stateDict finds the dict of tensors: what was saved, or an entry of it. With a key the entry is
// found by its dotted path. Without one the dict itself is taken when it has tensors, else the
// entry that usual checkpoints have, by the order of dictKeys, else the only entry with tensors.
// The error lists the entries when there are several, and what to save when there is none.
func stateDict(root any, key string) (*dict, error) {
	if key != "" {
		at := root
		for _, k := range strings.Split(key, ".") {
			d, ok := at.(*dict)
			if ok {
				at, ok = d.get(k)
			}
			if !ok {
				return nil, fmt.Errorf("the checkpoint has no entry %q", key)
			}
		}
		d, ok := at.(*dict)
		if !ok || !holdsTensors(d) {
			return nil, fmt.Errorf("the entry %q holds no tensors", key)
		}
		return d, nil
	}
	d, ok := root.(*dict)
	if !ok {
		return nil, errors.New("what was saved is no state_dict: save model.state_dict()")
	}
	if holdsTensors(d) || len(d.keys) == 0 {
		return d, nil
	}
	var found []string
	for _, k := range d.keys {
		name, ok := k.(string)
		if !ok {
			continue
		}
		x, _ := d.get(name)
		if sub, ok := x.(*dict); ok && holdsTensors(sub) {
			found = append(found, name)
		}
	}
	for _, k := range dictKeys {
		if slices.Contains(found, k) {
			x, _ := d.get(k)
			return x.(*dict), nil
		}
	}
	switch len(found) {
	case 0:
		return nil, errors.New("the checkpoint has no dict of tensors, neither itself nor in an entry")
	case 1:
		x, _ := d.get(found[0])
		return x.(*dict), nil
	}
	return nil, fmt.Errorf("the entries %s hold tensors: name the one that is meant", strings.Join(found, ", "))
}

// holdsTensors reports whether a dict has tensors among its values.
func holdsTensors(d *dict) bool {
	return slices.ContainsFunc(d.values, func(v any) bool { _, ok := v.(*view); return ok })
}
