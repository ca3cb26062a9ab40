package compare

// This file says which parameter of one model is which of the other.

import (
	"fmt"
	"strings"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
)

// Names say which parameters correspond: each the name of a parameter or the path of a
// layer in the first model, then in the second. The parts of a path are separated by
// "." or "/".
type Names [][2]string

// ParseNames reads "l1=fc1", "bn.gamma=norm.weight". It returns an error where a text is not NAME=NAME, or where a name
// is given twice on the same side.
func ParseNames(list []string) (Names, error) {
	var out Names
	met := [2]map[string]bool{{}, {}}
	for _, text := range list {
		a, b, ok := strings.Cut(text, "=")
		pair := [2]string{canonical(a), canonical(b)}
		if !ok || pair[0] == "" || pair[1] == "" {
			return nil, fmt.Errorf("%q: expected NAME=NAME, as in l1=fc1", text)
		}
		for i, n := range pair {
			if met[i][n] {
				return nil, fmt.Errorf("%q: %s is given twice", text, n)
			}
			met[i][n] = true
		}
		out = append(out, pair)
	}
	return out, nil
}

// canonical writes a path with dots.
func canonical(name string) string {
	return strings.Trim(strings.ReplaceAll(strings.TrimSpace(name), "/", "."), ".")
}

// check reports names that no parameter has.
func (n Names) check(runs ...*infer.Result) error {
	for _, pair := range n {
		for i, r := range runs {
			found := false
			for _, p := range r.Parameters {
				found = found || isInLayer(p.Name, pair[i])
			}
			if !found {
				return fmt.Errorf("--map %s=%s: the %s model, %s, has no parameter %s and none below it", pair[0], pair[1],
					[...]string{"first", "second"}[i], r.Entry, pair[i])
			}
		}
	}
	return nil
}

// isInLayer reports whether a parameter has a name, or is in the layer of that name.
func isInLayer(param, name string) bool {
	return param == name || strings.HasPrefix(param, name+".")
}

// allows reports whether two parameters may be the same by what the names say; the
// longest name counts. A parameter of which these are only some rows may correspond to several.
func (n Names) allows(a, b parameter) (ok bool, says [2]string) {
	for i, x := range [2]parameter{a, b} {
		name := x.name
		best := -1
		for k, pair := range n {
			if isInLayer(name, pair[i]) && (best < 0 || len(pair[i]) > len(n[best][i])) {
				best = k
			}
		}
		if best < 0 {
			continue
		}
		pair, other := n[best], [2]string{b.name, a.name}[i]
		whole := name == pair[i] && other != pair[1-i]
		if whole && x.rows != "" {
			continue
		}
		if whole || !isInLayer(other, pair[1-i]) {
			return false, pair
		}
	}
	return true, says
}

// parameters knows which were found to be the same.
type parameters struct {
	names *Names
	runs  [2]*infer.Result
	// called are the names of each model's parameters.
	called [2]map[*value.Tensor]string
	// partner gives of each parameter, or of its rows, those of the other model.
	partner map[part]part
	// paired are the parameters of which some rows have a partner.
	paired map[*value.Tensor]bool
	pairs  []Pair
}

func newParameters(a, b *infer.Result, names *Names) *parameters {
	p := &parameters{names: names, runs: [2]*infer.Result{a, b}, partner: map[part]part{}, paired: map[*value.Tensor]bool{}}
	for i, r := range p.runs {
		p.called[i] = map[*value.Tensor]string{}
		for _, x := range r.Parameters {
			p.called[i][x.Tensor] = x.Name
		}
	}
	return p
}

// A parameter is one of a layer.
type parameter struct {
	key    string // in the layer: "weight"
	name   string // in the model: "fc1.weight"
	tensor *value.Tensor
	// rows are those that a gate has of it, "[0:64]", and their type; nil: it is whole.
	rows     string
	rowsType *graph.TensorType
}

// A part is a parameter, or rows of one.
type part struct {
	tensor *value.Tensor
	rows   string
}

func (x *parameter) memoryPart() part { return part{x.tensor, x.rows} }

func (x *parameter) typ() *graph.TensorType {
	if x.rowsType != nil {
		return x.rowsType
	}
	return x.tensor.Type()
}

// ofModule are the parameters of a module itself.
func (p *parameters) ofModule(side int, m *value.Instance) []parameter {
	v, _ := m.Attrs.Get("_parameters")
	d, ok := v.(*value.Dict)
	if !ok {
		return nil
	}
	var out []parameter
	for i := range d.Len() {
		t, ok := d.At(i).(*value.Tensor)
		if !ok {
			continue
		}
		key, _ := value.AsStr(d.Key(i))
		x := parameter{key: key, name: p.called[side][t], tensor: t}
		if x.name == "" {
			x.name = m.Class.Name + "." + key // of a module that is no part of the model
		}
		out = append(out, x)
	}
	return out
}

// ofLayers are the parameters of the layers in a layer.
func (p *parameters) ofLayers(side int, layer string) []parameter {
	var out []parameter
	path := canonical(layer)
	for _, x := range p.runs[side].Parameters {
		if name := canonical(x.Name); path != "" && strings.HasPrefix(name, path+".") {
			out = append(out, parameter{key: name[len(path)+1:], name: x.Name, tensor: x.Tensor})
		}
	}
	return out
}

// roles are Chainer's names under PyTorch's.
var roles = map[string]string{"W": "weight", "gamma": "weight", "b": "bias", "beta": "bias"}

func role(key string) string {
	if r, ok := roles[key]; ok {
		return r
	}
	return key
}

// arrange puts the second layer's parameters in the order of the first's: by name where
// both have the same names.
func (p *parameters) arrange(a, b []parameter) []parameter {
	at := map[string]parameter{}
	for _, x := range b {
		at[role(x.key)] = x
	}
	out := make([]parameter, 0, len(b))
	for _, x := range a {
		y, ok := at[role(x.key)]
		if !ok {
			return b
		}
		out = append(out, y)
		delete(at, role(x.key))
	}
	return out
}

// match makes two parameters the same, or says why they cannot be.
func (c *comparison) match(a, b parameter) *finding {
	p := c.parameters
	f := c.types(a.typ(), b.typ(), "")
	if f == nil {
		if ok, says := p.names.allows(a, b); !ok {
			f = &finding{Different, Difference{What: fmt.Sprintf("not as --map %s=%s has it", says[0], says[1])}}
		}
	}
	mate, used := p.partner[a.memoryPart()]
	_, taken := p.partner[b.memoryPart()]
	switch {
	case f != nil:
	case !used && !taken:
		p.partner[a.memoryPart()], p.partner[b.memoryPart()] = b.memoryPart(), a.memoryPart()
		p.paired[a.tensor], p.paired[b.tensor] = true, true
		p.pairs = append(p.pairs, Pair{[2]string{a.name + a.rows, b.name + b.rows}, a.typ().String()})
	case !used:
		f = &finding{Different, Difference{What: "the second is used again, the first is not"}}
	case mate != b.memoryPart():
		f = &finding{Different, Difference{What: "the first is used again, and was another one before"}}
	}
	if f != nil {
		f.What = fmt.Sprintf("the parameters %s and %s: %s", a.name+a.rows, b.name+b.rows, f.What)
		for i, x := range []parameter{a, b} {
			if at, ok := place(c.runs[i], x.tensor.V.At, x.typ().String()); ok {
				f.Places[i] = append(f.Places[i], at)
			}
		}
	}
	return f
}

// uncalled compares the parameters that no call of a layer has.
func (c *comparison) uncalled() *finding {
	var left [2][]parameter
	for i, r := range c.runs {
		for _, x := range r.Parameters {
			if !c.parameters.paired[x.Tensor] {
				left[i] = append(left[i], parameter{key: x.Name, name: x.Name, tensor: x.Tensor})
			}
		}
	}
	for k := range max(len(left[0]), len(left[1])) {
		if k < len(left[0]) && k < len(left[1]) {
			if f := c.match(left[0][k], left[1][k]); f != nil {
				return f
			}
			continue
		}
		i, which := 0, "first"
		if k >= len(left[0]) {
			i, which = 1, "second"
		}
		x := left[i][k]
		f := &finding{Different, Difference{What: fmt.Sprintf(
			"the parameter %s: only the %s model has it, where no layer that is called has it", x.name, which)}}
		if at, ok := place(c.runs[i], x.tensor.V.At, x.tensor.Type().String()); ok {
			f.Places[i] = append(f.Places[i], at)
		}
		return f
	}
	return nil
}
