package graph

// This file checks the invariants of the typed graph.

import (
	"errors"
	"fmt"
)

// Verify checks that every value is defined once, before its uses and in a
// region that encloses them, and that the regions of a node fit its outputs.
// Parameters, inputs and values made before the entry was called (constants and
// buffers of the constructor) are free values and need no definition.
func Verify(g *Graph) error {
	v := verifier{defined: map[*Value]bool{}, inGraph: map[*Node]bool{}, regions: map[*Region]bool{}}
	if err := v.collect(g.Body); err != nil {
		return err
	}
	if len(g.Incomplete) > 0 { // what leaves a loop's body has no place to be visible in
		v.inGraph = map[*Node]bool{}
	}
	for _, in := range g.Inputs {
		if v.defined[in] {
			return fmt.Errorf("input %%%d is listed twice", in.ID)
		}
		v.defined[in] = true
	}
	if err := v.region(g.Body, 0); err != nil {
		return err
	}
	return v.operand(g.Output, nil)
}

type verifier struct {
	defined map[*Value]bool
	inGraph map[*Node]bool
	regions map[*Region]bool
}

// collect lists all nodes, so that a use can be told from a use of a free value,
// and checks that regions nest.
func (v *verifier) collect(r *Region) error {
	if v.regions[r] {
		return errors.New("a region stands in two places")
	}
	v.regions[r] = true
	for _, n := range r.Nodes {
		v.inGraph[n] = true
		for _, sub := range n.Regions {
			if err := v.collect(sub); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v *verifier) region(r *Region, depth int) error {
	var added []*Value
	define := func(x *Value, what string) error {
		if v.defined[x] {
			return fmt.Errorf("%s %%%d is defined twice", what, x.ID)
		}
		v.defined[x] = true
		added = append(added, x)
		return nil
	}
	for _, p := range r.Params {
		if err := define(p, "parameter"); err != nil {
			return err
		}
	}
	for _, n := range r.Nodes {
		for _, a := range n.Args {
			if err := v.operand(a.Value, n); err != nil {
				return err
			}
		}
		for _, sub := range n.Regions {
			if err := v.region(sub, depth+1); err != nil {
				return fmt.Errorf("%s: %w", n.Op, err)
			}
			if n.Op == "if" && len(sub.Results) != len(n.Outputs) {
				return fmt.Errorf("a region of if has %d results for %d outputs", len(sub.Results), len(n.Outputs))
			}
		}
		for _, o := range n.Outputs {
			if err := define(o, "output"); err != nil {
				return fmt.Errorf("%s: %w", n.Op, err)
			}
		}
	}
	for _, o := range r.Results {
		if err := v.operand(o, nil); err != nil {
			return err
		}
	}
	if depth > 0 { // not visible outside
		for _, x := range added {
			delete(v.defined, x)
		}
	}
	return nil
}

func (v *verifier) operand(o Operand, n *Node) error {
	var err error
	Operands(o, func(x *Value) {
		if err != nil || v.defined[x] || x.Def == nil || !v.inGraph[x.Def] {
			return
		}
		op := "result"
		if n != nil {
			op = n.Op
		}
		err = fmt.Errorf("%s uses %%%d before it is defined", op, x.ID)
	})
	return err
}
