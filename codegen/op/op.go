// Package op is what the compiler knows of operators: a record for each operator of ONNX
// and ONNX+ in the form of the newest opset, and for the machine's own.
//
//	op.go        Lookup, All, what the tables have in common
//	pointwise.go one element at a time       reduce.go   folds of axes, norms, softmax
//	product.go   products and convolutions   move.go     views, moves and selections
//	control.go   If, Loop, Scan, sequences   random.go   random numbers, quantisation, the rest
//	domains.go   ONNX's other domains
//	chainer.go   org.chainer                 machine.go  the machine's own
//	work.go      Flops: the work of an instruction that runs
//
// To add an operator, add its row to the table of its family; its schema, its rule of
// inference and its kernel in onnx/eval are in the packages of these.
package op

import (
	"slices"
	"strings"
	"sync"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx/schema"
	"shapecheck/symshape"
)

// A row is a line of a family's table: what a Record has that the schema does not say.
type row struct {
	name   string
	traits ir.Traits
	sizes  []int // operands that are sizes
	flops  func(*symshape.Pool, *ir.Node) *symshape.Expr
	// perElement counts as many operations for each element of the first result, where there is no formula.
	perElement int64
	unranked   bool
	via        string // what it is rewritten to; it has no instruction
	doc        string
}

type key struct{ domain, name string }

// A family is a table of a domain.
type family struct {
	domain string
	rows   []row
}

// families lists the tables.
func families() []family {
	return []family{
		{"", pointwiseOps()}, {"", reduceOps}, {"", productOps}, {"", moveOps}, {"", controlOps}, {"", randomOps},
		{schema.Chainer, chainerOps}, {isa.TrainingDomain, trainingOps}, {isa.LearningDomain, learningOps},
	}
}

var index = sync.OnceValue(func() map[key]*ir.Record {
	out := map[key]*ir.Record{}
	for _, f := range families() {
		for i := range f.rows {
			r := &f.rows[i]
			flops := r.flops
			if r.perElement > 0 {
				flops = perElement(r.perElement)
			}
			out[key{f.domain, r.name}] = &ir.Record{
				Name: r.name, Domain: f.domain, Traits: r.traits, Unranked: r.unranked, Sizes: r.sizes,
				InPlace: inPlace(isa.InPlaceOf(f.domain, r.name)), Flops: flops,
				Schema: schema.Last(f.domain, r.name), Opcode: isa.Lookup(f.domain, r.name), Via: r.via, Doc: r.doc,
			}
		}
	}
	for _, r := range machine() {
		out[key{r.Domain, r.Name}] = r
	}
	return out
})

// Lookup finds the record of an operator: of the standard domain "" or "ai.onnx", of
// org.chainer, or of the machine (isa.MachineDomain). It is nil for one that has none.
func Lookup(domain, name string) *ir.Record {
	if domain == "ai.onnx" {
		domain = ""
	}
	return index()[key{domain, name}]
}

// All lists the records by domain and name.
func All() []*ir.Record {
	var out []*ir.Record
	for _, r := range index() {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b *ir.Record) int {
		if c := strings.Compare(a.Domain, b.Domain); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

// sameAs gives the operands among those asked for that have the first result's element
// type and dimensions, so that its memory may be theirs.
func sameAs(n *ir.Node, which ...int) []int {
	var out []int
	for _, i := range which {
		if i < len(n.Ins) && n.Ins[i] != nil && len(n.Outs) > 0 && n.Outs[0] != nil && sameType(n.Ins[i], n.Outs[0]) {
			out = append(out, i)
		}
	}
	return out
}

func sameType(a, b *ir.Value) bool {
	return a.Type.Elem == b.Type.Elem && a.Type.Ranked && b.Type.Ranked && slices.Equal(a.Type.Dims, b.Type.Dims)
}

// inPlace gives, of some operands, those whose memory a node's result may take.
func inPlace(places []int) func(*ir.Node) []int {
	if places == nil {
		return nil
	}
	return func(n *ir.Node) []int { return sameAs(n, places...) }
}

// size is the number of elements of a value; nil when its rank is not known.
func size(p *symshape.Pool, v *ir.Value) *symshape.Expr {
	if v == nil || !v.Type.Ranked {
		return nil
	}
	return p.Product(append([]*symshape.Expr{p.Const(1)}, v.Type.Dims...)...)
}
