package weights

// This file reads what torch.save writes since PyTorch 1.6: a zip archive with a
// pickle, data.pkl, and an entry for each storage.

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"shapecheck/internal/onnx"
)

// maxPickle bounds data.pkl. That of a model with 10 000 tensors has 2 MB.
const maxPickle = 32 << 20

// A storage is the memory of one or more tensors.
type storage struct {
	dtype onnx.DType // Undefined: bytes without a type
	off   int64
	size  int64
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
	"float8_e4m3fn": onnx.Float8E4M3FN, "float8_e4m3fnuz": onnx.Float8E4M3FNUZ, "float8_e5m2": onnx.Float8E5M2, "float8_e5m2fnuz": onnx.Float8E5M2FNUZ,
}

// torchGlobals is everything that a checkpoint may refer to.
func torchGlobals() map[string]*global {
	g := map[string]*global{}
	add := func(name string, call func(u *unpickler, args []any) (any, error)) {
		g[name] = &global{name, call}
	}
	for name := range storages {
		add("torch."+name, nil)
	}
	for name := range torchTypes {
		add("torch."+name, nil)
	}
	add("torch.storage.UntypedStorage", nil)
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
		return newView(args, nil)
	})
	add("torch._utils._rebuild_tensor", func(_ *unpickler, args []any) (any, error) {
		if len(args) != 4 {
			return nil, errors.New("expected 4 arguments")
		}
		return newView(args, nil)
	})
	add("torch._utils._rebuild_tensor_v3", func(_ *unpickler, args []any) (any, error) {
		if len(args) != 7 && len(args) != 8 {
			return nil, errors.New("expected 7 or 8 arguments")
		}
		d, ok := args[6].(*global)
		if !ok {
			return nil, errors.New("no dtype")
		}
		return newView(args, d)
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
	return g
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

// newView makes a tensor of (storage, offset, size, stride, …).
func newView(args []any, dtype *global) (any, error) {
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
	return v, nil
}

// ints are the items of a tuple or list of sizes.
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

// readPickle gives what was saved in an archive whose entries start with prefix.
func readPickle(a *archive, prefix string) (any, error) {
	if a.byName[prefix+"constants.pkl"] != nil {
		return nil, errors.New("a TorchScript archive (torch.jit.save), which holds a program: save model.state_dict() with torch.save")
	}
	if e := a.byName[prefix+"byteorder"]; e != nil {
		b, err := a.whole(e, 16)
		if err != nil {
			return nil, err
		}
		if string(b) != "little" {
			return nil, fmt.Errorf("elements in byte order %q are not read", b)
		}
	}
	data, err := a.whole(a.byName[prefix+"data.pkl"], maxPickle)
	if err != nil {
		return nil, err
	}
	seen := map[string]*storage{}
	u := &unpickler{data: data, globals: torchGlobals(), persistent: func(id any) (any, error) { return a.storage(prefix, id, seen) }}
	return u.run()
}

// readTorch reads the tensors of an archive whose entries start with prefix.
func readTorch(a *archive, prefix string, o Options) ([]*Tensor, error) {
	root, err := readPickle(a, prefix)
	if err != nil {
		return nil, err
	}
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
		t, err := v.tensor(name, a.r)
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
	return &Tensor{Name: name, DType: v.dtype, Dims: v.dims, size: size, write: func(w io.Writer) (int64, error) { return v.writeTo(w, r, v.s.off) }}, nil
}

// storage finds the entry of ("storage", class, key, location, elements).
func (a *archive) storage(prefix string, id any, seen map[string]*storage) (any, error) {
	t, ok := id.(*tuple)
	if !ok || len(t.items) != 5 || t.items[0] != "storage" {
		return nil, errors.New("a persistent id that is no storage")
	}
	class, ok1 := t.items[1].(*global)
	key, ok2 := t.items[2].(string)
	n, ok3 := t.items[4].(int64)
	if !ok1 || !ok2 || !ok3 || n < 0 {
		return nil, errors.New("a persistent id that is no storage")
	}
	dtype, typed := storages[strings.TrimPrefix(class.name, "torch.")]
	if !typed && class.name != "torch.storage.UntypedStorage" {
		return nil, fmt.Errorf("%s is no class of storages", class.name)
	}
	if s := seen[key]; s != nil {
		if s.dtype != dtype {
			return nil, fmt.Errorf("the storage %q has two types", key)
		}
		return s, nil
	}
	e := a.byName[prefix+"data/"+key]
	if e == nil {
		return nil, fmt.Errorf("the storage %q is not in the archive", key)
	}
	off, size, err := a.stored(e)
	if err != nil {
		return nil, err
	}
	bytes := n
	if typed {
		if bytes, err = onnx.ByteSize(dtype, n); err != nil {
			return nil, err
		}
	}
	if bytes != size {
		return nil, fmt.Errorf("the storage %q has %d bytes where the pickle says %d", key, size, bytes)
	}
	s := &storage{dtype: dtype, off: off, size: size}
	seen[key] = s
	return s, nil
}

// dictKeys are the entries under which checkpoints keep the parameters.
var dictKeys = []string{"state_dict", "model_state_dict", "model", "module", "net", "weights"}

// stateDict finds the dict of tensors: what was saved, or an entry of it.
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
