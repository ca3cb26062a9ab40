package differential

// This file makes the model of a fault small, and writes it.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

func evalNumber(d onnx.DType, x float64) *eval.Tensor {
	return &eval.Tensor{DType: d, Dims: []int64{}, F: []float64{eval.Round(d, x)}}
}

// reduced makes the model smaller as long as the way of that name still is at fault: outputs go,
// and values that are computed become inputs. It writes what is left.
func (s *subject) reduced(name string) string {
	var list []way
	for _, w := range ways(s.seed) {
		if w.name == name || strings.HasSuffix(name, ", 2 threads") && w.name == strings.TrimSuffix(name, ", 2 threads") {
			list = append(list, w)
		}
	}
	bad := func(m *onnx.Model, ins map[string]eval.Value) bool {
		t := &subject{file: marshal(m), ins: ins, seed: s.seed}
		w, _ := t.fault(list)
		return w == name
	}
	m, ins := unmarshal(s.file), maps.Clone(s.ins)
	for _, o := range m.Graph.Outputs {
		one := pruned(m, []*onnx.ValueInfo{o})
		if bad(one, ins) {
			m = one
			break
		}
	}
	known := everything(m, ins)
	for changed := true; changed; {
		changed = false
		for i := len(m.Graph.Nodes) - 1; i >= 0 && i < len(m.Graph.Nodes); i-- {
			for _, v := range m.Graph.Nodes[i].Outputs {
				if known[v] == nil {
					continue
				}
				cut := unmarshal(marshal(m))
				cut.Graph.Inputs = append(cut.Graph.Inputs, &onnx.ValueInfo{Name: v, Type: typeOf(known[v])})
				for k, o := range cut.Graph.Nodes[i].Outputs {
					if o == v {
						cut.Graph.Nodes[i].Outputs[k] = v + "_"
					}
				}
				cut = pruned(cut, cut.Graph.Outputs)
				with := maps.Clone(ins)
				with[v] = known[v]
				if len(cut.Graph.Nodes) < len(m.Graph.Nodes) && bad(cut, with) {
					m, ins, changed = cut, with, true
					break
				}
			}
		}
	}
	var b strings.Builder
	_, what := (&subject{file: marshal(m), ins: ins, seed: s.seed}).fault(list)
	fmt.Fprintf(&b, "reduced: %s\n", what)
	for _, x := range m.Graph.Inputs {
		if v, ok := ins[x.Name].(*eval.Tensor); ok {
			fmt.Fprintf(&b, "  %s: %s%v %s\n", x.Name, v.DType, dimText(x), short(v))
		} else {
			fmt.Fprintf(&b, "  %s: %s\n", x.Name, describe(ins[x.Name]))
		}
	}
	write(&b, m.Graph, "  ")
	return b.String()
}

func dimText(x *onnx.ValueInfo) string {
	var out []string
	if x.Type.Shape != nil {
		for _, d := range x.Type.Shape.Dims {
			if d.Known {
				out = append(out, fmt.Sprint(d.Value))
			} else {
				out = append(out, d.Param)
			}
		}
	}
	return "[" + strings.Join(out, ",") + "]"
}

// everything computes all values of the main graph that can be outputs.
func everything(m *onnx.Model, ins map[string]eval.Value) map[string]eval.Value {
	all := unmarshal(marshal(m))
	all.Graph.Outputs = nil
	var names []string
	for _, n := range all.Graph.Nodes {
		for _, o := range n.Outputs {
			if o != "" {
				all.Graph.Outputs = append(all.Graph.Outputs, &onnx.ValueInfo{Name: o})
				names = append(names, o)
			}
		}
	}
	out := map[string]eval.Value{}
	list, err := eval.Model(all, ins, eval.Config{})
	if err != nil {
		return out
	}
	for i, v := range list {
		out[names[i]] = v
	}
	return out
}

func typeOf(v eval.Value) *onnx.Type {
	switch v := v.(type) {
	case *eval.Tensor:
		t := onnx.TensorOf(v.DType)
		for _, d := range v.Dims {
			t.Shape.Dims = append(t.Shape.Dims, onnx.Static(d))
		}
		return t
	case *eval.Sequence:
		of := onnx.TensorOf(onnx.Float)
		if len(v.Items) > 0 {
			of = typeOf(v.Items[0])
		}
		return &onnx.Type{Kind: onnx.SequenceType, Of: loosened(of)}
	}
	return nil
}

// pruned leaves out the nodes, constants and inputs that some outputs do not need.
func pruned(m *onnx.Model, outs []*onnx.ValueInfo) *onnx.Model {
	m = unmarshal(marshal(m))
	g := m.Graph
	g.Outputs = outs
	used := map[string]bool{}
	for _, o := range outs {
		used[o.Name] = true
	}
	var nodes []*onnx.Node
	for _, n := range slices.Backward(g.Nodes) {
		if slices.ContainsFunc(n.Outputs, func(o string) bool { return used[o] }) {
			namesIn(n, used)
			nodes = append(nodes, n)
		}
	}
	slices.Reverse(nodes)
	g.Nodes = nodes
	g.Initializers = slices.DeleteFunc(g.Initializers, func(x *onnx.Tensor) bool { return !used[x.Name] })
	return m
}

// write writes a graph for people.
func write(b *strings.Builder, g *onnx.Graph, indent string) {
	for _, x := range g.Initializers {
		fmt.Fprintf(b, "%s%s = const %s\n", indent, x.Name, constText(x))
	}
	for _, n := range g.Nodes {
		fmt.Fprintf(b, "%s%s = %s(%s)", indent, strings.Join(n.Outputs, ", "), n.Op, strings.Join(n.Inputs, ", "))
		for _, a := range n.Attrs {
			switch a.Type {
			case onnx.AttrInt:
				fmt.Fprintf(b, " %s=%d", a.Name, a.Int)
			case onnx.AttrFloat:
				fmt.Fprintf(b, " %s=%v", a.Name, a.Float)
			case onnx.AttrInts:
				fmt.Fprintf(b, " %s=%v", a.Name, a.Ints)
			case onnx.AttrString:
				fmt.Fprintf(b, " %s=%s", a.Name, a.String)
			case onnx.AttrTensor:
				fmt.Fprintf(b, " %s=%s", a.Name, constText(a.Tensor))
			case onnx.AttrGraph:
				fmt.Fprintf(b, "\n%s  %s(", indent, a.Name)
				for i, p := range a.Graph.Inputs {
					if i > 0 {
						b.WriteString(", ")
					}
					b.WriteString(p.Name)
				}
				b.WriteString("):\n")
				write(b, a.Graph, indent+"    ")
			}
		}
		b.WriteByte('\n')
	}
	b.WriteString(indent + "return")
	for _, o := range g.Outputs {
		b.WriteString(" " + o.Name)
	}
	b.WriteByte('\n')
}

func constText(x *onnx.Tensor) string {
	v, err := eval.FromONNX(x)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s%v %s", v.DType, v.Dims, short(v))
}

func short(v *eval.Tensor) string {
	list := []string{}
	for i := range min(v.Len(), 24) {
		list = append(list, fmt.Sprint(v.At(i)))
	}
	return strings.Join(list, " ")
}
