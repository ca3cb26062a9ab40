package value

// This file defines tensors and the small values of torch.

import (
	"shapecheck/infer/graph"
	"shapecheck/symshape/dtype"
)

// A Tensor is a tensor object. In-place operations change V; several Tensors may
// share a Storage.
type Tensor struct {
	Header
	Class *Class // nil: torch.Tensor
	V     *graph.Value
	// Elems are the contents in row-major order where they are tracked: each an
	// Int, SymInt, Bool, SymBool, Float or SymFloat. Nil when unknown.
	Elems []Value
	// Storage is shared by a tensor and its views.
	Storage *Storage
	// version is the storage's version when Elems were right.
	version int
	// Leaf parameters and what requires_grad_ set.
	RequiresGrad bool
	// Locked says that numpy's flags forbid to write to it; views made of it later inherit that.
	Locked bool
	Attrs  *Attrs // user-set attributes; may be nil
}

// A Storage is the memory that a tensor and its views share. Version counts
// in-place changes, so that the tracked contents of views go stale.
type Storage struct {
	Header
	Version int
	// Placed says that the program chose where the memory lies: shared by processes, or locked.
	Placed bool
}

// Type returns what is known of the tensor.
func (t *Tensor) Type() *graph.TensorType { return &t.V.Type }

// EachSize calls do with each size of the type: its number, or the symbols of one that is none.
func (t *Tensor) EachSize(do func(n int64, isNumber bool, symbols []string)) { t.V.Type.EachSize(do) }

// Contents returns the tracked elements, or nil when they are not known. A tensor that surely has none has known ones.
func (t *Tensor) Contents() []Value {
	if t.Fresh() && t.Elems != nil {
		return t.Elems
	}
	if t.V != nil && t.V.Type.Ranked {
		for _, d := range t.V.Type.Shape {
			if n, ok := d.Const(); ok && n == 0 {
				return []Value{}
			}
		}
	}
	return nil
}

// Fresh reports that no other view changed the elements since t was made.
func (t *Tensor) Fresh() bool { return t.Storage == nil || t.Storage.Version == t.version }

// SetContents records what the elements are now; nil means unknown.
func (t *Tensor) SetContents(elems []Value) {
	t.Elems = elems
	if t.Storage != nil {
		t.version = t.Storage.Version
	}
}

// Mutate makes v the new value of t after an in-place operation. The contents
// of all views become unknown; elems are those of t itself, or nil.
func (t *Tensor) Mutate(h *Heap, v *graph.Value, elems []Value) {
	h.Touch(t)
	if v.Base == nil && v != t.V {
		v.Base = t.V
	}
	t.V = v
	if t.Storage == nil {
		t.Storage = &Storage{Header: t.Header}
	}
	h.Touch(t.Storage)
	t.Storage.Version++
	if elems != nil && v.Type.Overlaps() { // what was written shows in other elements of t itself
		elems = nil
	}
	t.SetContents(elems)
}

// Place notes that the program asked for memory of another kind.
func (t *Tensor) Place(h *Heap) {
	if t.Storage == nil {
		h.Touch(t)
		t.Storage = &Storage{Header: t.Header}
		t.version = 0
	}
	t.Storage.Placed = true
}

// Lock forbids to write to t, or allows it again.
func (t *Tensor) Lock(h *Heap, locked bool) {
	h.Touch(t)
	t.Locked = locked
}

// ShareStorage makes t a view of base.
func (t *Tensor) ShareStorage(h *Heap, base *Tensor) {
	if base.Storage == nil {
		h.Touch(base)
		base.Storage = &Storage{Header: base.Header}
		base.version = 0
	}
	t.Storage = base.Storage
	t.version = t.Storage.Version
	t.Locked = base.Locked
	if t.V.Base == nil && t.V != base.V {
		t.V.Base = base.V
	}
}

// MaxElems is the number of elements up to which contents are tracked.
const MaxElems = 4096

type (
	// DType is a torch.dtype (or numpy dtype) object.
	DType struct{ D dtype.DType }
	// Device is a torch.device: "cpu", "cuda:0", "meta"; empty when it is not known.
	Device struct {
		Name string
		// Assumed says that a tensor of which nothing was said is taken to be there.
		Assumed bool
	}
	// Constant is a named object without behaviour: torch.strided, torch.channels_last …
	Constant struct{ Name string }
)

func (*Tensor) value()  {}
func (DType) value()    {}
func (Device) value()   {}
func (Constant) value() {}

// constantTypes are the types of PyTorch's constants that are no layouts.
var constantTypes = map[string]string{
	"torch.contiguous_format": "torch.memory_format", "torch.channels_last": "torch.memory_format",
	"torch.channels_last_3d": "torch.memory_format", "torch.preserve_format": "torch.memory_format",
	"torch.per_tensor_affine": "torch.qscheme", "torch.per_channel_affine": "torch.qscheme",
}

// Type names the class of the constant.
func (c Constant) Type() string {
	if t, ok := constantTypes[c.Name]; ok {
		return t
	}
	return "torch.layout"
}
