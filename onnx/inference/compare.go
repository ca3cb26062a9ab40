package inference

// This file compares what a file declares with what follows from its nodes.

import (
	"fmt"
	"strings"

	"shapecheck/onnx"
	"shapecheck/symshape"
)

// A Report says how far a model's declared types agree with the inferred ones.
type Report struct {
	// Values counts the declared values that are compared; Agreed those that are the
	// same, Weaker those of which the nodes alone say less.
	Values, Agreed, Weaker int
	// Wrong are values whose declared and inferred types contradict each other;
	// Unproved those whose sizes are not known to be equal.
	Wrong, Unproved []Difference
	// Errors are faults of the model.
	Errors []*Error
}

// A Difference is a value with two types.
type Difference struct {
	Graph, Value       string
	Declared, Inferred *Type
	Source             string // of the node that computes it
}

func (d Difference) String() string {
	s := fmt.Sprintf("value %q is declared as %s; its node gives %s", d.Value, d.Declared, d.Inferred)
	if d.Source != "" {
		s = d.Source + ": " + s
	}
	return s
}

// OK reports whether nothing contradicts.
func (r *Report) OK() bool { return len(r.Wrong) == 0 && len(r.Errors) == 0 }

// String lists the disagreements, then the counts.
func (r *Report) String() string {
	var b strings.Builder
	for _, e := range r.Errors {
		fmt.Fprintf(&b, "%s\n", e)
	}
	for _, d := range r.Wrong {
		fmt.Fprintf(&b, "%s\n", d)
	}
	for _, d := range r.Unproved {
		fmt.Fprintf(&b, "%s (not proved to be equal)\n", d)
	}
	fmt.Fprintf(&b, "%d values: %d agree, %d say more than their nodes do, %d not proved, %d wrong\n", r.Values, r.Agreed, r.Weaker,
		len(r.Unproved), len(r.Wrong))
	return b.String()
}

// Compare infers a model from its inputs alone and compares each value's type with
// the declared one, under the conditions of the contract in the metadata. It returns an error only for a model that Run
// cannot walk: one without a graph, or with two functions of one name. Contradictions are in the report.
func Compare(m *onnx.Model) (*Report, error) {
	res, err := Run(m, Config{IgnoreDeclared: true})
	if err != nil {
		return nil, err
	}
	r := &Report{Errors: res.Errors}
	facts := symshape.Facts{}
	if m.ProducerName == producer {
		for _, key := range ContractKeys {
			for _, c := range Conditions(res.Pool, m.Metadata, key, func(string, error) {}) {
				if f, ok := facts.Assume(c.Cond); ok {
					facts = f
				}
			}
		}
	}
	e := &engine{m: m, pool: res.Pool, sized: map[*symshape.Expr]bool{}}
	var walk func(g *onnx.Graph)
	walk = func(g *onnx.Graph) {
		types := res.Graphs[g]
		if types == nil {
			return // in a function's body
		}
		sources := map[string]string{}
		for _, n := range g.Nodes {
			for _, o := range n.Outputs {
				sources[o] = onnx.SourceOf(n)
			}
		}
		for _, list := range [][]*onnx.ValueInfo{g.Outputs, g.Values} {
			for _, v := range list {
				if v.Type == nil || types[v.Name] == nil {
					continue
				}
				r.Values++
				d := Difference{Graph: g.Name, Value: v.Name, Declared: e.typeOf(v.Type, true), Inferred: types[v.Name], Source: sources[v.Name]}
				switch agree(facts, d.Declared, d.Inferred) {
				case agreed:
					r.Agreed++
				case weaker:
					r.Weaker++
				case unproved:
					r.Unproved = append(r.Unproved, d)
				default:
					r.Wrong = append(r.Wrong, d)
				}
			}
		}
		for _, n := range g.Nodes {
			n.Subgraphs(func(_ string, sub *onnx.Graph) { walk(sub) })
		}
	}
	walk(m.Graph)
	return r, nil
}

// A verdict orders how far two types agree; the worst counts.
type verdict uint8

const (
	agreed verdict = iota
	weaker
	unproved
	wrong
)

// agree compares a type that a model declares with the inferred one: they agree, one of them knows less, or
// they contradict each other. Sizes are compared under the facts, so that two expressions that are equal there
// agree.
func agree(facts symshape.Facts, declared, inferred *Type) verdict {
	switch {
	case declared == nil || declared.Kind == onnx.NoType:
		return agreed
	case inferred == nil || inferred.Kind == onnx.NoType:
		return weaker
	case declared.Kind != inferred.Kind:
		return wrong
	}
	out := agreed
	if declared.Elem != inferred.Elem {
		if inferred.Elem != onnx.Undefined && declared.Elem != onnx.Undefined {
			return wrong
		}
		out = weaker
	}
	if declared.Of != nil {
		out = max(out, agree(facts, declared.Of, inferred.Of))
	}
	if !declared.Ranked {
		return out
	}
	if !inferred.Ranked {
		return max(out, weaker)
	}
	if len(declared.Dims) != len(inferred.Dims) {
		return wrong
	}
	for i, d := range declared.Dims {
		x := inferred.Dims[i]
		if d == x || unknownDim(d) {
			continue
		}
		answer := facts.Decide(d.Pool().Eq(d, x)).Answer
		switch {
		case answer == symshape.Yes:
		case answer == symshape.No:
			return wrong
		case unknownDim(x):
			out = max(out, weaker)
		default:
			out = max(out, unproved)
		}
	}
	return out
}
