package trace

// This file computes numbers from the typed graph, on samples of the random inputs that a program
// draws. The samples are those of the package initial, whose random numbers follow the
// distributions of PyTorch and not its bits: what is the same in all samples may still differ in a
// run.

import (
	"slices"
	"strconv"

	"shapecheck/infer/graph"
	"shapecheck/lower/initial"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

// Bounds of what is computed at once: nodes, elements of one value, and elements in all. A value
// that costs more is not computed, so that a check stays as fast as it is without samples.
const (
	mostNodes    = 4000
	mostElements = 1 << 15
	mostInAll    = 1 << 20
)

// seeds are those of the samples.
var seeds = []uint64{1, 2, 3, 4}

// Numbers computes values that nodes made, on samples of the random numbers that they draw: the elements of each value for
// each sample. It is nil where they cannot be computed or cost too much. The first index of the
// result is that of the sample, the second that of the value, and the elements are in row-major
// order. The nodes are those that draw and compute, in the order of the run.
func Numbers(nodes []*graph.Node, pool *symshape.Pool, values ...*graph.Value) [][][]float64 {
	if !affordable(nodes, values) {
		return nil
	}
	var out [][][]float64
	for _, seed := range seeds {
		d := initial.New(&graph.Region{Nodes: nodes}, pool, seed)
		var sample [][]float64
		for i, v := range values {
			x, ok := elements(d, strconv.Itoa(i), v)
			if !ok {
				return nil
			}
			sample = append(sample, x)
		}
		out = append(out, sample)
	}
	return out
}

// elements computes a value. ok is false if an operation on the way is one that cannot be computed.
// Truth values are 0 and 1.
func elements(d *initial.Drawer, name string, v *graph.Value) ([]float64, bool) {
	t, err := d.Tensor(name, v)
	if err != nil {
		return nil, false
	}
	if t.DType == onnx.Bool || t.DType == onnx.Int64 || t.DType == onnx.Int32 {
		ints, err := t.Ints()
		if err != nil {
			return nil, false
		}
		out := make([]float64, len(ints))
		for i, n := range ints {
			out[i] = float64(n)
		}
		return out, true
	}
	out, err := t.Float64s()
	return out, err == nil
}

// affordable reports whether all that values are computed from is small, and made by the nodes. It
// walks from the values to all that they come from. A value without a node is an input or a
// parameter, which costs nothing here. A node of another part of the graph, one with regions, and a
// tensor of a size that is not known end it.
func affordable(nodes []*graph.Node, values []*graph.Value) bool {
	in := make(map[*graph.Node]bool, len(nodes))
	for _, n := range nodes {
		in[n] = true
	}
	seen := map[*graph.Node]bool{}
	total := int64(0)
	work := slices.Clone(values)
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v == nil || v.Def == nil || seen[v.Def] {
			continue
		}
		n := v.Def
		seen[n] = true
		if len(seen) > mostNodes || !in[n] || len(n.Regions) > 0 {
			return false
		}
		for _, o := range n.Outputs {
			if o.Kind != graph.TensorKind {
				continue
			}
			size := int64(1)
			for _, x := range o.Type.Shape {
				k, ok := x.Const()
				if !ok {
					return false
				}
				if size *= k; size > mostElements {
					return false
				}
			}
			total += size
		}
		if total > mostInAll {
			return false
		}
		for _, x := range n.Args {
			graph.Operands(x.Value, func(u *graph.Value) { work = append(work, u) })
		}
	}
	return true
}
