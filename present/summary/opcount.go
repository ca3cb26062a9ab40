package summary

// This file counts the multiply-adds of the operators in the typed graph: each
// multiplication with its addition once, as torch.utils.flop_counter and
// torchvision's _ops do (which give twice and the same number). Convolutions,
// matrix products, attention and recurrent layers count; what works on single
// elements, pools or normalises does not.

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/symshape"
)

// A counter holds the tables' helpers.
type counter struct {
	p *symshape.Pool
	n *graph.Node
}

// multiplyAdds has the formula of each form of operation that counts.
var multiplyAdds = map[graph.Form]func(c *counter) symshape.Dim{
	graph.Conv:       conv,
	graph.ConvTransp: convTranspose,
	graph.ConvTime: func(c *counter) symshape.Dim { // weight: kernel, in, out
		w := c.shape("weight")
		return c.mul(c.out(), at(w, 0), at(w, 1))
	},
	graph.Linear: func(c *counter) symshape.Dim { return c.mul(c.out(), at(c.shape("input"), -1)) },
	graph.Bilinear: func(c *counter) symshape.Dim {
		one, two := at(c.shape("input1"), -1), at(c.shape("input2"), -1)
		return c.mul(c.out(), one, c.p.DimAdd(two, c.p.ConstDim(1)))
	},
	graph.MatMul:     product(0),
	graph.Product:    product(0),
	graph.ProductOf:  product(1),
	graph.AddProduct: product(1),
	graph.AddProducts: func(c *counter) symshape.Dim {
		b := c.nth(1)
		return c.mul(c.out(), at(b, 0), at(b, -1))
	},
	graph.Outer:     func(c *counter) symshape.Dim { return c.out() },
	graph.Einsum:    einsum,
	graph.Recurrent: recurrent,
	graph.Cell:      cell,
	graph.Attention: attention,
	graph.MultiHead: multiHead,
}

// countOps sums over the graph. Of a condition the branch that needs more counts;
// the body of a loop of unknown length counts once, and that is said.
func (s *Summary) countOps() {
	s.OpMultAdds = s.countRegion(s.res.Graph.Body)
}

func (s *Summary) countRegion(r *graph.Region) symshape.Dim {
	p := s.res.Pool
	sum := p.ConstDim(0)
	for _, n := range r.Nodes {
		switch {
		case n.Op == graph.If && len(n.Regions) == 2:
			sum = p.DimAdd(sum, p.DimMax(s.countRegion(n.Regions[0]), s.countRegion(n.Regions[1])))
		case n.Op == graph.Loop && len(n.Regions) == 1:
			if body := s.countRegion(n.Regions[0]); !body.Known || body.Val != 0 {
				s.uncounted(n, "the loop runs an unknown number of times: its operators count once")
				sum = p.DimAdd(sum, body)
			}
		default:
			if n.Is.Has(graph.Uncounted) {
				s.uncounted(n, n.Op+" is not counted")
				continue
			}
			count := multiplyAdds[n.Form]
			if count == nil {
				continue
			}
			d := count(&counter{p, n})
			if d.Expr == nil && !d.Known {
				s.uncounted(n, n.Op+" has sizes that are not known")
				continue
			}
			sum = p.DimAdd(sum, d)
		}
	}
	return sum
}

func (s *Summary) uncounted(n *graph.Node, what string) {
	if p := s.res.Files.Position(n.At.Start); p.File != nil {
		what = p.Place() + ": " + what
	}
	if !slices.Contains(s.Uncounted, what) {
		s.Uncounted = append(s.Uncounted, what)
	}
}

func (c *counter) arg(name string) graph.Operand {
	for _, a := range c.n.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// shape is the shape of an argument; nil when it is not known.
func (c *counter) shape(name string) symshape.Shape { return shapeOf(c.arg(name)) }

// nth is the shape of an argument by its number.
func (c *counter) nth(i int) symshape.Shape {
	if i >= len(c.n.Args) {
		return nil
	}
	return shapeOf(c.n.Args[i].Value)
}

func shapeOf(o graph.Operand) symshape.Shape {
	if v, ok := o.(*graph.Value); ok && v != nil && v.Type.Ranked {
		return v.Type.Shape
	}
	return nil
}

// out is the number of elements of the first result.
func (c *counter) out() symshape.Dim {
	if len(c.n.Outputs) == 0 || !c.n.Outputs[0].Type.Ranked {
		return symshape.Dim{}
	}
	return c.p.Numel(c.n.Outputs[0].Type.Shape)
}

func (c *counter) mul(list ...symshape.Dim) symshape.Dim {
	out := c.p.ConstDim(1)
	for _, d := range list {
		out = c.p.DimMul(out, d)
	}
	return out
}

// at is a dimension, counted from the end when i is negative; unknown when there
// is none.
func at(s symshape.Shape, i int) symshape.Dim {
	if i < 0 {
		i += len(s)
	}
	if i < 0 || i >= len(s) {
		return symshape.Dim{}
	}
	return s[i]
}

// conv: each element of the result is a sum over the kernel and the channels of
// its group: the weight is [out, in/groups, kernel…].
func conv(c *counter) symshape.Dim {
	w := c.shape("weight")
	if len(w) < 2 {
		return symshape.Dim{}
	}
	return c.mul(c.out(), c.p.Numel(w[1:]))
}

// convTranspose: each element of the input goes into that many results: the
// weight is [in, out/groups, kernel…].
func convTranspose(c *counter) symshape.Dim {
	w, x := c.shape("weight"), c.shape("input")
	if len(w) < 2 || x == nil {
		return symshape.Dim{}
	}
	return c.mul(c.p.Numel(x), c.p.Numel(w[1:]))
}

// product: each element of the result is a sum over the last dimension of the left
// operand, which is argument number left.
func product(left int) func(c *counter) symshape.Dim {
	return func(c *counter) symshape.Dim { return c.mul(c.out(), at(c.nth(left), -1)) }
}

// einsum of at most two operands: the product of the sizes of all subscripts.
// With more the order of the products decides, which PyTorch chooses.
func einsum(c *counter) symshape.Dim {
	args, ok := c.arg("args").(graph.Tuple)
	if !ok || len(args) < 2 || len(args) > 3 {
		return symshape.Dim{}
	}
	text, ok := args[0].(graph.Str)
	if !ok || strings.Contains(string(text), ".") {
		return symshape.Dim{}
	}
	left, _, _ := strings.Cut(strings.ReplaceAll(string(text), " ", ""), "->")
	terms := strings.Split(left, ",")
	if len(terms) != len(args)-1 {
		return symshape.Dim{}
	}
	if len(terms) == 1 { // sums and diagonals multiply nothing
		return c.p.ConstDim(0)
	}
	sizes := map[rune]symshape.Dim{}
	var order []rune
	for i, t := range terms {
		s := shapeOf(args[i+1])
		if len(s) != len(t) {
			return symshape.Dim{}
		}
		for j, l := range t {
			if old, met := sizes[l]; !met {
				order = append(order, l)
				sizes[l] = s[j]
			} else if n, ok := At(old, nil); ok && n == 1 { // it is broadcast
				sizes[l] = s[j]
			}
		}
	}
	out := c.p.ConstDim(1)
	for _, l := range order {
		out = c.p.DimMul(out, sizes[l])
	}
	return out
}

// recurrent: at each step of each sequence every weight matrix is multiplied with
// a vector: those of all layers, gates and directions, and projections.
func recurrent(c *counter) symshape.Dim {
	weights := c.arg("params")
	x := c.shape("input")
	if weights == nil {
		weights = c.arg("_flat_weights")
	}
	if len(x) < 2 || weights == nil {
		return symshape.Dim{}
	}
	return c.mul(c.p.Numel(x[:len(x)-1]), c.matrices(weights))
}

func cell(c *counter) symshape.Dim {
	x := c.shape("input")
	if len(x) == 0 {
		return symshape.Dim{}
	}
	return c.mul(c.p.Numel(x[:len(x)-1]), c.matrices(graph.List{c.arg("w_ih"), c.arg("w_hh")}))
}

// matrices is the number of elements of all operands of two dimensions.
func (c *counter) matrices(o graph.Operand) symshape.Dim {
	sum := c.p.ConstDim(0)
	found := false
	graph.Operands(o, func(v *graph.Value) {
		if len(v.Type.Shape) == 2 {
			sum, found = c.p.DimAdd(sum, c.p.Numel(v.Type.Shape)), true
		}
	})
	if !found {
		return symshape.Dim{}
	}
	return sum
}

// attention of queries [.., L, E] with keys [.., S, E] and values [.., S, Ev]:
// L·S·E for the scores and L·S·Ev for the result.
func attention(c *counter) symshape.Dim {
	q, k, v := c.shape("query"), c.shape("key"), c.shape("value")
	if len(q) < 2 || len(k) < 2 || len(v) < 2 {
		return symshape.Dim{}
	}
	return c.mul(c.p.Numel(q[:len(q)-1]), at(k, -2), c.p.DimAdd(at(q, -1), at(v, -1)))
}

// multiHead is the attention of nn.MultiheadAttention: queries [L, N, E], keys and
// values [S, N, …], the four projections and the products between them.
func multiHead(c *counter) symshape.Dim {
	p := c.p
	q, k, v := c.shape("query"), c.shape("key"), c.shape("value")
	if len(q) < 2 || len(k) < 2 || len(v) < 2 {
		return symshape.Dim{}
	}
	e := at(q, -1)
	rows := p.Numel(q[:len(q)-1]) // L·N
	sum := p.DimMul(p.DimMul(p.ConstDim(2), rows), p.DimMul(e, e))
	for _, x := range []symshape.Shape{k, v} {
		sum = p.DimAdd(sum, c.mul(p.Numel(x[:len(x)-1]), at(x, -1), e))
	}
	keys := k[0]
	if c.arg("bias_k") != nil {
		keys = p.DimAdd(keys, p.ConstDim(1))
	}
	if zero, _ := c.arg("add_zero_attn").(graph.Bool); bool(zero) {
		keys = p.DimAdd(keys, p.ConstDim(1))
	}
	return p.DimAdd(sum, c.mul(p.ConstDim(2), rows, keys, e))
}
