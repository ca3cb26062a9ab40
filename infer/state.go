package infer

// This file lists the entries of a model's state_dict.

import (
	"iter"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/value"
)

// stateDict lists what Module.state_dict returns, in its order: of each module
// the parameters, then the persistent buffers, then the modules inside.
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

// persistentNumbers gives the persistent values of a tree of links that are no arrays: their names, the link and the attribute.
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

type numberOf struct {
	link *value.Instance
	name string
	v    value.Value
}

// loadSaved gives persistent numbers the values of Config.Saved, in their own types as Chainer does, and parameters
// without a shape the types of its arrays.
func (in *Interp) loadSaved() error {
	if len(in.cfg.Saved) == 0 || in.rec.root == nil {
		return nil
	}
	for _, p := range stateDict(in.rec.root) {
		a, ok := in.cfg.Saved[p.Name].(*Array)
		if !ok || !chainer.IsPending(p.Tensor) {
			continue
		}
		v, err := in.args.tensorArg(p.Name, a.DType, strings.Join(a.Dims, ","))
		if err != nil {
			return usagef("--weights %s: %v", p.Name, err)
		}
		if x, ok := v.(*value.Tensor); ok {
			giveType(in, p.Tensor, x)
		}
	}
	for path, n := range persistentNumbers(in.rec.root) {
		x, ok := in.cfg.Saved[path]
		if !ok {
			continue
		}
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
		if err := in.SetAttr(n.link, n.name, v); err != nil {
			return err
		}
	}
	return nil
}

// IsLink reports whether the model is a link of Chainer: the names of its State are paths, "l1/W".
func (r *Result) IsLink() bool { return r.Model != nil && isLinkTable(r.Model) }

// valuesAtCall gives the values of the tensors of the state_dict. Those of lazy
// layers have no shape before the call and are left out.
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
