// Package lower turns the typed graph into an ONNX model.
//
// Each library call becomes a call of a model-local function that package aten
// writes, conditions and loops become If and Loop. Sizes that depend on symbols are
// computed from the shapes of the inputs, or of the value that first has them. Every
// value gets its inferred type, with expressions over the symbols as dimensions.
//
// Memory is followed here and not while the program is interpreted, where views would have to be refreshed at each use,
// also in programs that nobody exports.
//
// Lower is the way in.
//
//	nodes              lower.go: the walk; function.go: library calls; control.go: conditions and loops;
//	                   sequence.go: lists, and tensors that may be None; plus.go: operators of ONNX+
//	sizes              sizes.go, folder.go: their nodes
//	parameters         foldnorm.go: convolutions that take in a normalisation
//	types              types.go, declare.go: of computed values; results.go: of the entry's results
//	memory             memory.go: what operations read; place.go: where tensors have their elements;
//	                   statistics.go: running statistics that are read
//	writes to views    views.go: made explicit; viewmemory.go viewwrite.go viewread.go: writing and reading;
//	                   viewcopy.go: view or copy; viewif.go viewloop.go viewsetup.go: through conditions,
//	                   loops, constructors
package lower

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/internal/source"
	"shapecheck/lower/aten"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/onnx/schema"
	"shapecheck/symshape"
)

// A Named is a parameter or buffer under its state_dict name.
type Named struct {
	Name  string
	Value *graph.Value
	// Data has the elements and their type, or Draw makes them when the graph uses
	// the value; both nil: they are an input of the model.
	Data *onnx.Tensor
	Draw func() (*onnx.Tensor, error)
}

// An Input is what is lowered and how.
type Input struct {
	Graph *graph.Graph
	Pool  *symshape.Pool
	Files *source.FileSet
	// Params are the model's parameters and buffers in the order of its
	// state_dict. Those that the graph uses become inputs of the ONNX model, or
	// initializers when they have data.
	Params []Named
	// Name is the name of the ONNX graph.
	Name string
	// Opset is the version of the standard operators; 0 means DefaultOpset.
	Opset int64
	// Plus writes ONNX+: see plus.go.
	Plus bool
	// FoldNorms multiplies batch normalisation in evaluation into the convolution before it,
	// where their parameters have data.
	FoldNorms bool
	// Metadata is added to the model: the contract and the like.
	Metadata []onnx.Entry
	// Version is shapecheck's.
	Version string
}

// Versions of the standard operators, and of the file format that has them.
const (
	DefaultOpset = 18
	MinOpset     = 17
	MaxOpset     = schema.Newest
)

// irVersions is the file format version from which an opset is allowed: the table
// of releases in ONNX's Versioning.md.
var irVersions = map[int64]int64{17: 8, 18: 8, 19: 9, 20: 9, 21: 10, 22: 10, 23: 11, 24: 12, 25: 13, 26: 13, 27: 13, 28: 14}

// An Error is something in the program that has no form in ONNX.
type Error struct {
	At     source.Span
	Reason string
}

func (e *Error) Error() string { return e.Reason }

// Lower makes the model. An error joins all places that cannot be lowered, each
// an *Error, or is a bug. The graph that is given stays as it is: passes change a copy
// (views.go).
func Lower(in Input) (*onnx.Model, error) {
	if in.Opset == 0 {
		in.Opset = DefaultOpset
	}
	if irVersions[in.Opset] == 0 {
		return nil, fmt.Errorf("opset %d is not supported: give %d to %d", in.Opset, MinOpset, MaxOpset)
	}
	l := &lowerer{Input: in, names: map[*graph.Value]string{}, named: map[*graph.Value]string{}, taken: map[string]bool{},
		numbers: map[string]int{}, params: map[*graph.Value]string{}, sources: map[*symshape.Expr]size{},
		functions: map[string]*onnx.Function{}, types: map[string]*onnx.Type{}, natural: map[string]bool{}}
	l.copyGraph()
	for _, at := range in.Graph.Incomplete {
		l.fail(at.At, "%s", at.Why)
	}
	g := &onnx.Graph{Name: in.Name}
	if g.Name == "" {
		g.Name = "main"
	}
	l.main = newBlock(g, nil)
	l.views()
	if l.FoldNorms {
		l.foldNorms()
	}
	l.inputs()
	l.nameResults()
	live := l.live()
	l.statistics(live)
	if l.Graph.Setup != nil {
		l.region(l.main, l.Graph.Setup, live)
	}
	l.region(l.main, l.Graph.Body, live)
	l.outputs()
	l.numberInputs()
	if len(l.errs) > 0 {
		return nil, errors.Join(l.errs...)
	}
	m := &onnx.Model{
		IRVersion: irVersions[in.Opset], ProducerName: "shapecheck", ProducerVersion: in.Version, Graph: g,
		Opsets: []onnx.Opset{{Version: in.Opset}}, Metadata: in.Metadata, Functions: l.order,
	}
	if in.Plus {
		m.Opsets = append(m.Opsets, onnx.Opset{Domain: inference.Chainer, Version: plusVersion})
	}
	if len(m.Functions) > 0 {
		m.Opsets = append(m.Opsets, onnx.Opset{Domain: functionDomain, Version: 1})
	}
	return m, nil
}

// copyGraph makes a copy of the graph the one that is lowered.
func (l *lowerer) copyGraph() {
	g, values := l.Graph.Clone()
	l.Graph = g
	l.Params = slices.Clone(l.Params)
	for i, p := range l.Params {
		if v := values[p.Value]; v != nil {
			l.Params[i].Value = v
		}
	}
}

type lowerer struct {
	Input
	main  *block
	names map[*graph.Value]string
	// results are the tensors that the entry returns, with the names that they shall have.
	results []result
	// named are those results that the values themselves are called by.
	named map[*graph.Value]string
	// types are those of the named values.
	types map[string]*onnx.Type
	// natural are computed sizes that are not negative.
	natural map[string]bool
	taken   map[string]bool
	// numbers are the last numbers given to names that were taken.
	numbers map[string]int
	params  map[*graph.Value]string // state_dict names
	// sources says where the value of a symbol can be read.
	sources   map[*symshape.Expr]size
	functions map[string]*onnx.Function // by their text
	order     []*onnx.Function
	// integers are the names of the inputs that integers among the arguments become.
	integers map[*symshape.Expr]string
	errs     []error
	failed   map[string]bool
}

// fail notes an error, once for a place and a reason: an operation in a loop that was unrolled
// would say it for each trip.
func (l *lowerer) fail(at source.Span, format string, args ...any) {
	e := &Error{at, fmt.Sprintf(format, args...)}
	key := fmt.Sprint(at, e.Reason)
	if l.failed[key] {
		return
	}
	if l.failed == nil {
		l.failed = map[string]bool{}
	}
	l.failed[key] = true
	l.errs = append(l.errs, e)
}

// inputs declares the entry's arguments and the model's parameters.
func (l *lowerer) inputs() {
	for _, v := range l.Graph.Inputs {
		name := l.unique(orElse(v.Name, "input"))
		l.names[v] = name
		if v.Type.DType.IsComplex() {
			l.fail(v.At, "the input %s is complex: take its real and imaginary parts as one tensor, and torch.view_as_complex of it", name)
		}
		l.main.g.Inputs = append(l.main.g.Inputs, l.info(name, v))
		l.bindSymbols(v, name)
	}
	l.integers = map[*symshape.Expr]string{}
	for _, s := range l.Graph.Numbers {
		symbol, _ := s.IsSymbol()
		l.integers[s] = l.unique(symbol)
		l.types[l.integers[s]] = onnx.TensorOf(onnx.Int64)
	}
	for _, p := range l.Params {
		l.params[p.Value] = p.Name
	}
	used := l.used()
	for _, p := range l.Params {
		if _, done := l.names[p.Value]; done || !used[p.Value] {
			continue
		}
		name := l.unique(p.Name)
		l.names[p.Value] = name
		if p.Data == nil && p.Draw != nil {
			var err error
			if p.Data, err = p.Draw(); err != nil {
				l.errs = append(l.errs, err)
				continue
			}
		}
		if p.Data != nil {
			t := *p.Data
			t.Name = name
			if part, ok := aten.Stored(p.Value.Type.DType); ok { // the elements lie as the parts do
				t.DType, t.Dims = part, append(slices.Clone(t.Dims), 2)
			}
			l.main.g.Initializers = append(l.main.g.Initializers, &t)
			continue
		}
		l.main.g.Inputs = append(l.main.g.Inputs, l.info(name, p.Value))
	}
}

// numberInputs makes those integers among the arguments inputs that were read, behind the tensors. What is a
// tensor's size is read from that.
func (l *lowerer) numberInputs() {
	at := len(l.Graph.Inputs)
	for _, s := range l.Graph.Numbers {
		symbol, _ := s.IsSymbol()
		if name := l.integers[s]; name != "" && l.main.sizes[symbol] == name {
			l.main.g.Inputs = slices.Insert(l.main.g.Inputs, at, &onnx.ValueInfo{Name: name, Type: onnx.TensorOf(onnx.Int64)})
			at++
		}
	}
}

func orElse(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

// used lists the values that the nodes and results of the entry refer to.
func (l *lowerer) used() map[*graph.Value]bool {
	used := map[*graph.Value]bool{}
	note := func(v *graph.Value) { used[v] = true }
	l.eachUse(note)
	if l.Graph.Setup != nil { // what a used value is computed from
		for i := len(l.Graph.Setup.Nodes) - 1; i >= 0; i-- {
			n := l.Graph.Setup.Nodes[i]
			for _, o := range n.Outputs {
				if _, param := l.params[o]; used[o] && !param {
					for _, a := range n.Args {
						graph.Operands(a.Value, note)
					}
				}
			}
		}
	}
	return used
}

// eachUse notes each value that the nodes and results of the entry refer to, as often as they do.
func (l *lowerer) eachUse(note func(v *graph.Value)) {
	var walk func(r *graph.Region)
	walk = func(r *graph.Region) {
		if r == nil {
			return
		}
		for _, n := range r.Nodes {
			for _, a := range n.Args {
				graph.Operands(a.Value, note)
			}
			for _, sub := range n.Regions {
				walk(sub)
			}
		}
		for _, o := range r.Results {
			graph.Operands(o, note)
		}
	}
	walk(l.Graph.Body)
	graph.Operands(l.Graph.Output, note)
}

// live lists the nodes whose results reach the outputs: PyTorch's bookkeeping
// (running statistics, counters) and unused results leave no trace in the model.
func (l *lowerer) live() map[*graph.Node]bool {
	live := map[*graph.Node]bool{}
	binders := l.binders()
	var work []*graph.Value
	value := func(v *graph.Value) { work = append(work, v) }
	symbol := func(s *symshape.Expr) { work = append(work, binders[s]...) }
	need := func(o graph.Operand) {
		graph.Operands(o, value)
		graph.Symbols(o, symbol)
	}
	need(l.Graph.Output)
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if _, param := l.params[v]; param || v.Def == nil || live[v.Def] {
			continue
		}
		live[v.Def] = true
		for _, a := range v.Def.Args {
			need(a.Value)
		}
		for _, r := range v.Def.Regions {
			for _, o := range r.Results {
				need(o)
			}
		}
		for _, o := range v.Def.Outputs { // sizes of the results may be arguments of the rule
			for _, d := range o.Type.Shape {
				need(graph.Dim{Dim: d})
			}
		}
	}
	return live
}

// binders lists the values that are numbers for which symbols stand.
func (l *lowerer) binders() map[*symshape.Expr][]*graph.Value {
	out := map[*symshape.Expr][]*graph.Value{}
	var walk func(r *graph.Region)
	walk = func(r *graph.Region) {
		if r == nil {
			return
		}
		for _, n := range r.Nodes {
			for _, o := range n.Outputs {
				if o.Symbol != nil {
					out[o.Symbol] = append(out[o.Symbol], o)
				}
			}
			for _, sub := range n.Regions {
				walk(sub)
			}
		}
	}
	walk(l.Graph.Setup)
	walk(l.Graph.Body)
	return out
}

// region lowers the live nodes of a region into a block.
func (l *lowerer) region(b *block, r *graph.Region, live map[*graph.Node]bool) {
	for _, n := range r.Nodes {
		if !live[n] {
			continue
		}
		switch n.Op {
		case graph.If:
			l.ifNode(b, n, live)
		case graph.Loop:
			l.loopNode(b, n, live)
		case graph.Truth, graph.Item:
			l.number(b, n)
		case graph.SequenceAppend, graph.SequenceConcat, graph.SequenceAt, graph.SequenceInsert, graph.SequenceErase, graph.SequenceSlice:
			l.sequenceNode(b, n)
		default:
			l.call(b, n)
		}
	}
}

// bindOutputs names the results of a node.
func (l *lowerer) bindOutputs(n *graph.Node) []string {
	names := make([]string, len(n.Outputs))
	for i, o := range n.Outputs {
		base := o.Name
		if base == "" {
			base = nodePath(n) + lastName(n.Op)
		} else if n.Module != "" {
			base = nodePath(n) + base
		}
		if names[i] = l.named[o]; names[i] == "" {
			names[i] = l.unique(base)
		}
		l.names[o] = names[i]
	}
	return names
}

// nodePath is the path of the module that made a call, as a prefix of names:
// "/layer1/0/conv1/".
func nodePath(n *graph.Node) string {
	if n.Module == "" {
		return "/"
	}
	path := strings.Trim(n.Module, "/") // a link's name is a path
	if path == "" {
		return "/"
	}
	return "/" + strings.ReplaceAll(path, ".", "/") + "/"
}

func lastName(op string) string {
	op = strings.Trim(op, "_")
	if i := strings.LastIndexByte(op, '.'); i >= 0 {
		op = op[i+1:]
	}
	return strings.Trim(op, "_")
}

// unique returns name, with a number when it is taken.
func (l *lowerer) unique(name string) string {
	s := name
	for l.taken[s] {
		l.numbers[name]++
		s = fmt.Sprintf("%s_%d", name, l.numbers[name])
	}
	l.taken[s] = true
	return s
}

// defined notes what holds of a node's results once they are there.
func (l *lowerer) defined(b *block, n *graph.Node, names []string) {
	for i, o := range n.Outputs {
		l.bindNumber(b, o, names[i])
		l.bindSymbols(o, names[i])
		if l.named[o] == names[i] { // declared as a result
			l.types[names[i]] = typeOf(o)
			continue
		}
		l.declare(b, names[i], typeOf(o))
	}
}

// value returns the name of a value of the typed graph.
func (l *lowerer) value(v *graph.Value, at source.Span) string {
	if name, ok := l.names[v]; ok {
		return name
	}
	if !at.IsValid() {
		at = v.At
	}
	l.fail(at, "the value %%%d (%s) is not made by the entry or its constructor: it is a gradient, or comes from elsewhere", v.ID, &v.Type)
	return ""
}
