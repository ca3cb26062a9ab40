package weights

// This file compares what a model wants with what a file has: all differences at
// once, with what may have been meant.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/internal/closest"
	"shapecheck/onnx"
)

// A Want is an entry of a model's state_dict.
type Want struct {
	Name  string
	DType onnx.DType // Undefined: not known, anything fits
	Dims  []int64    // nil: not known; -1: a size that is not known
	// Optional entries may be missing in the file: PyTorch fills them in.
	Optional bool
}

// A Kind says how a file and a model differ.
type Kind uint8

const (
	Missing    Kind = iota // the model's, not in the file
	Unexpected             // the file's, not in the model
	WrongShape
	WrongDType
	Renamed // all names of one side begin with Name; what else differs is compared without it
	Wrapped // so it is by a wrapper: DataParallel, torch.compile
)

// A Mismatch is one difference.
type Mismatch struct {
	Kind  Kind
	Name  string
	Want  int // index of the wanted entry; -1 for an unexpected one
	Msg   string
	Notes []string
}

// Find returns the tensor with a name, or nil.
func (f *File) Find(name string) *Tensor {
	for _, t := range f.Tensors {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// A Naming says how the names of a file and those of a model correspond: one side may have
// a prefix before them.
type Naming struct {
	prefix  string
	inModel bool // the model's names have it
}

// InFile is the name in the file of an entry of the model.
func (n Naming) InFile(name string) string {
	if n.inModel {
		return strings.TrimPrefix(name, n.prefix)
	}
	return n.prefix + name
}

// wrappers are prefixes that come from no module of the model, with who adds them.
var wrappers = map[string]string{
	"module.": "DistributedDataParallel or DataParallel", "_orig_mod.": "torch.compile",
	"module._orig_mod.": "DistributedDataParallel and torch.compile", "_orig_mod.module.": "torch.compile and DistributedDataParallel",
}

// mismatch is the difference that a prefix makes.
func (n Naming) mismatch() Mismatch {
	m := Mismatch{Kind: Renamed, Name: n.prefix, Want: -1}
	by := wrappers[n.prefix]
	switch {
	case n.inModel:
		m.Msg = fmt.Sprintf("the names of the model start with %q, those in the file do not", n.prefix)
	default:
		m.Msg = fmt.Sprintf("the names in the file start with %q, those of the model do not", n.prefix)
		m.Notes = append(m.Notes, fmt.Sprintf("load_state_dict takes {k.removeprefix(%q): v for k, v in state.items()}", n.prefix))
	}
	if by != "" {
		m.Kind = Wrapped
		m.Notes = append([]string{"the prefix is what " + by + " puts before them"}, m.Notes...)
	}
	return m
}

// NamingOf finds out whether most names agree but for a prefix.
func NamingOf(f *File, wants []Want) Naming {
	have := make(map[string]bool, len(f.Tensors))
	for _, t := range f.Tensors {
		have[t.Name] = true
	}
	wanted := make(map[string]bool, len(wants))
	var missing, unexpected []string
	for _, w := range wants {
		wanted[w.Name] = true
		if !have[w.Name] && !w.Optional {
			missing = append(missing, w.Name)
		}
	}
	for _, t := range f.Tensors {
		if !wanted[t.Name] {
			unexpected = append(unexpected, t.Name)
		}
	}
	if len(missing) == 0 || len(unexpected) == 0 {
		return Naming{}
	}
	if p := commonPrefix(missing, unexpected); p != "" {
		return Naming{prefix: p}
	}
	return Naming{prefix: commonPrefix(unexpected, missing), inModel: true}
}

// Compare lists all differences: a prefix that one side has, then in the order of the
// model, then those of the file. With convert, float types may differ.
func Compare(f *File, wants []Want, convert bool) []Mismatch {
	naming := NamingOf(f, wants)
	have := make(map[string]*Tensor, len(f.Tensors))
	for _, t := range f.Tensors {
		have[t.Name] = t
	}
	wanted := make(map[string]bool, len(wants))
	for _, w := range wants {
		wanted[naming.InFile(w.Name)] = true
	}
	var unexpected []string
	for _, t := range f.Tensors {
		if !wanted[t.Name] {
			unexpected = append(unexpected, t.Name)
		}
	}
	var out []Mismatch
	if naming.prefix != "" {
		out = append(out, naming.mismatch())
	}
	for i, w := range wants {
		t := have[naming.InFile(w.Name)]
		if t == nil {
			if w.Optional {
				continue
			}
			m := Mismatch{Kind: Missing, Name: w.Name, Want: i, Msg: fmt.Sprintf("the file has no tensor %q (%s)", w.Name,
				typeText(w.DType, w.Dims))}
			if other := closestTensor(w, unexpected, have); other != "" {
				m.Notes = append(m.Notes, fmt.Sprintf("did you mean %q, which the model does not have?", other))
			}
			out = append(out, m)
			continue
		}
		if !fits(t.Dims, w.Dims) {
			m := Mismatch{Kind: WrongShape, Name: w.Name, Want: i, Msg: fmt.Sprintf("%q is %s in the file and %s in the model", w.Name,
				typeText(t.DType, t.Dims), typeText(w.DType, w.Dims))}
			if len(t.Dims) == 2 && len(w.Dims) == 2 && t.Dims[0] == w.Dims[1] && t.Dims[1] == w.Dims[0] {
				m.Notes = append(m.Notes, "it is transposed")
			}
			out = append(out, m)
		}
		if w.DType != onnx.Undefined && t.DType != w.DType && !(convert && CanConvert(t.DType, w.DType)) {
			m := Mismatch{Kind: WrongDType, Name: w.Name, Want: i, Msg: fmt.Sprintf("%q has elements of type %s in the file and %s in the model",
				w.Name, t.DType, w.DType)}
			if CanConvert(t.DType, w.DType) {
				m.Notes = append(m.Notes, "--convert-weights rounds the elements to the model's float type")
			}
			out = append(out, m)
		}
	}
	for _, name := range unexpected {
		t := have[name]
		out = append(out, Mismatch{Kind: Unexpected, Name: name, Want: -1,
			Msg: fmt.Sprintf("the model has no %q (%s), which is in the file", name, typeText(t.DType, t.Dims))})
	}
	return out
}

// fits compares sizes; those that are not known fit.
func fits(have, want []int64) bool {
	if want == nil {
		return true
	}
	return slices.EqualFunc(have, want, func(h, w int64) bool { return w < 0 || h == w })
}

// typeText is the type string of a tensor: f32[3,4].
func typeText(d onnx.DType, dims []int64) string {
	if dims == nil {
		return d.String() + "[*]"
	}
	list := make([]string, len(dims))
	for i, n := range dims {
		if list[i] = fmt.Sprint(n); n < 0 {
			list[i] = "?"
		}
	}
	return d.String() + "[" + strings.Join(list, ",") + "]"
}

// commonPrefix finds p so that for most names in short, p + name is in long.
func commonPrefix(short, long []string) string {
	count := map[string]int{}
	byLast := map[string][]string{} // long names by what is after their last dot
	for _, l := range long {
		k := l[strings.LastIndexByte(l, '.')+1:]
		byLast[k] = append(byLast[k], l)
	}
	for _, s := range short {
		tries := 0
		for _, l := range byLast[s[strings.LastIndexByte(s, '.')+1:]] {
			if p, ok := strings.CutSuffix(l, s); ok && strings.HasSuffix(p, ".") {
				count[p]++
			}
			if tries++; tries == 1000 { // names by the thousand: a part of them tells
				break
			}
		}
	}
	best := ""
	for p, n := range count {
		if n > count[best] || n == count[best] && p < best {
			best = p
		}
	}
	if 2*count[best] <= len(short) {
		return ""
	}
	return best
}

// closestTensor finds an unexpected tensor that may be the wanted one: the closest name
// with the same shape.
func closestTensor(w Want, unexpected []string, have map[string]*Tensor) string {
	best, dist := "", max(len(w.Name)/3, 1)+1
	for i, n := range unexpected {
		if i == 2000 {
			break
		}
		if !fits(have[n].Dims, w.Dims) {
			continue
		}
		if d := closest.Distance(w.Name, n, dist); d < dist {
			best, dist = n, d
		}
	}
	return best
}
