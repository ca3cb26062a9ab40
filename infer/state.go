package infer

// This file lists the entries of a model's state_dict. Names and order are those of the files that
// PyTorch and Chainer write, so that weights can be matched to parameters by name.

import (
	"iter"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/value"
)

// stateDict lists what Module.state_dict returns, in its order: of each module
// the parameters, then the persistent buffers, then the modules inside. A module that stands in two
// places is listed under both names, as PyTorch does; a module within itself ends there.
func stateDict(root *value.Instance) []NamedTensor {
	var out []NamedTensor
	open := map[*value.Instance]bool{} // a module inside itself
	separator := "."
	dict := func(m *value.Instance, name string) *value.Dict {
		v, _ := m.Attrs.Get(name)
		d, _ := v.(*value.Dict)
		return d
	}
	if isLinkTable(root) { // Chainer's names, as its npz files have them
		separator = "/"
	}
	w := value.Visit{Repeats: value.SomeRepeats}
	var walk func(m *value.Instance, prefix string)
	walk = func(m *value.Instance, prefix string) {
		if open[m] || !w.Enter(m) {
			return
		}
		defer w.Leave()
		open[m] = true
		defer delete(open, m)
		add := func(d *value.Dict, skip *value.Set) {
			for i := range d.Len() {
				t, ok := d.At(i).(*value.Tensor)
				k, isStr := value.AsStr(d.Key(i))
				if ok && isStr && !holds(skip, k) {
					out = append(out, NamedTensor{prefix + k, t})
				}
			}
		}
		// A parameter that is None has no entry.
		if d := dict(m, "_parameters"); d != nil {
			add(d, nil)
		}
		if d := dict(m, "_buffers"); d != nil && d.Len() > 0 {
			v, _ := m.Attrs.Get("_non_persistent_buffers_set")
			skip, _ := v.(*value.Set)
			add(d, skip)
		}
		if d := dict(m, "_modules"); d != nil {
			for i := range d.Len() {
				if c, ok := d.At(i).(*value.Instance); ok {
					k, _ := value.AsStr(d.Key(i))
					walk(c, prefix+k+separator)
				}
			}
		}
	}
	walk(root, "")
	return out
}

// persistentNumbers gives the persistent values of a tree of links that are no arrays: their names,
// the link and the attribute. Chainer's links keep such values by add_persistent, as the number of
// updates of a batch normalization; names are in the order in which they were added.
func persistentNumbers(root *value.Instance) iter.Seq2[string, numberOf] {
	return func(yield func(string, numberOf) bool) {
		open := map[*value.Instance]bool{}
		w := value.Visit{Repeats: value.SomeRepeats}
		var walk func(m *value.Instance, prefix string) bool
		walk = func(m *value.Instance, prefix string) bool {
			if open[m] || !w.Enter(m) {
				return true
			}
			defer w.Leave()
			open[m] = true
			defer delete(open, m)
			v, _ := m.Attrs.Get("_persistent")
			names, ok := v.(*value.Set)
			if !ok {
				return true
			}
			for _, e := range names.Inserted() {
				name, _ := value.AsStr(e)
				x, ok := m.Attrs.Get(name)
				if _, array := x.(*value.Tensor); ok && !array && !yield(prefix+name, numberOf{m, name, x}) {
					return false
				}
			}
			v, _ = m.Attrs.Get("_modules")
			d, ok := v.(*value.Dict)
			for i := 0; ok && i < d.Len(); i++ {
				k, _ := value.AsStr(d.Key(i))
				if c, ok := d.At(i).(*value.Instance); ok && !walk(c, prefix+k+"/") {
					return false
				}
			}
			return true
		}
		walk(root, "")
	}
}

// A numberOf is a persistent value with the link whose attribute it is.
type numberOf struct {
	link *value.Instance
	name string
	v    value.Value
}

// loadSaved gives persistent numbers the values of Config.Saved, in their own types as Chainer does, and parameters
// without a shape the types of its arrays. An error is a usage error of an array with a type that
// cannot be read, or that of the assignment.
func (en *entry) loadSaved() error {
	if len(en.cfg.Saved) == 0 || en.in.rec.root == nil {
		return nil
	}
	for _, p := range stateDict(en.in.rec.root) {
		a, ok := en.cfg.Saved[p.Name].(*Array)
		// Only a parameter that waits for its first input takes a shape from the file.
		if !ok || !chainer.IsPending(p.Tensor) {
			continue
		}
		v, err := en.in.args.tensorArg(p.Name, a.DType, strings.Join(a.Dims, ","))
		if err != nil {
			return usagef("--weights %s: %v", p.Name, err)
		}
		if x, ok := v.(*value.Tensor); ok {
			giveType(en.in, p.Tensor, x)
		}
	}
	for path, n := range persistentNumbers(en.in.rec.root) {
		x, ok := en.cfg.Saved[path]
		if !ok {
			continue
		}
		// The file has a whole or a real number; anything else is passed over.
		whole, isWhole := x.(int64)
		real, isReal := x.(float64)
		if !isWhole && !isReal {
			continue
		}
		if isWhole {
			real = float64(whole)
		} else {
			whole = int64(real)
		}
		// The value keeps the type that the program gave it.
		var v value.Value
		switch n.v.(type) {
		case value.Int:
			v = value.Int(whole)
		case value.Float:
			v = value.Float(real)
		case value.Bool:
			v = value.Bool(real != 0)
		default:
			continue
		}
		if err := en.in.SetAttr(n.link, n.name, v); err != nil {
			return err
		}
	}
	return nil
}

// IsLink reports whether the model is a link of Chainer: the names of its State are paths, "l1/W".
// The separator of paths differs from PyTorch's dot.
func (r *Result) IsLink() bool { return r.Model != nil && isLinkTable(r.Model) }

// valuesAtCall gives the values of the tensors of the state_dict. Those of lazy
// layers have no shape before the call and are left out. They are noted since the entry may write
// to a buffer, which then has another value in the graph.
func valuesAtCall(state []NamedTensor) map[*value.Tensor]*graph.Value {
	out := make(map[*value.Tensor]*graph.Value, len(state))
	for _, n := range state {
		if n.Tensor.Type().Ranked {
			out[n.Tensor] = n.Tensor.V
		}
	}
	return out
}

// AtCall is the value of a parameter or buffer when the entry was called, which may
// have written to it.
func (r *Result) AtCall(t *value.Tensor) *graph.Value {
	if v := r.before[t]; v != nil {
		return v
	}
	return t.V
}

// holds reports whether a set has a text.
func holds(s *value.Set, text string) bool {
	if s == nil {
		return false
	}
	for i := range s.Len() {
		if k, ok := value.AsStr(s.At(i)); ok && k == text {
			return true
		}
	}
	return false
}
