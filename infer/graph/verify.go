package graph

// This file checks the invariants of the typed graph. Tests, exports and the command that prints
// graphs run it on each graph: a fault that it finds is one of this program, not of the user's, so
// that its errors name operations and numbers of values and no places in the source.

import (
	"errors"
	"fmt"

	"shapecheck/symshape"
)

// Verify checks that every operand is of a listed type and not a nil pointer, that
// every value is defined once, before its uses and in a region that encloses them, that
// the symbols of numbers are bound where they are used, and that conditions and loops
// have the form that the package comment gives.
// Parameters, inputs and values made before the entry was called (constants and
// buffers of the constructor) are free values and need no definition. It returns an error for the first fault that it
// finds.
func Verify(g *Graph) error {
	v := verifier{defined: map[*Value]bool{}, inGraph: map[*Node]bool{}, params: map[*Value]bool{}, regions: map[*Region]bool{},
		binds: map[*symshape.Expr]bool{}, bound: map[*symshape.Expr]int{}}
	if err := v.collect(g.Body); err != nil {
		return err
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

// A verifier holds what was seen of a graph during one walk over its regions.
type verifier struct {
	// The values that are visible at the present place of the walk.
	defined map[*Value]bool
	// All operations of the graph: a value that one of them makes needs a definition before its
	// use.
	inGraph map[*Node]bool
	// The parameters of all regions, which are values without an operation.
	params map[*Value]bool
	// The regions that were seen; a second time is an error.
	regions map[*Region]bool
	binds   map[*symshape.Expr]bool // the symbols that values of the graph bind
	bound   map[*symshape.Expr]int  // those that are bound at the present place
}

// collect lists all nodes, so that a use can be told from a use of a free value,
// and checks that regions nest.
func (v *verifier) collect(r *Region) error {
	if v.regions[r] {
		return errors.New("a region stands in two places")
	}
	v.regions[r] = true
	for _, p := range r.Params {
		v.params[p] = true
		v.binds[p.Symbol] = true
	}
	for _, n := range r.Nodes {
		v.inGraph[n] = true
		for _, o := range n.Outputs {
			v.binds[o.Symbol] = true
		}
		for _, sub := range n.Regions {
			if err := v.collect(sub); err != nil {
				return err
			}
		}
	}
	return nil
}

// region checks that each value is defined once, before it is used, and not used outside of the region that
// defines it. The error names the operation whose region or operand is at fault.
func (v *verifier) region(r *Region, depth int) error {
	var added []*Value
	// define notes a value as visible, and its symbol as bound; it returns an error for a second
	// definition and for a symbol of a tensor.
	define := func(x *Value, what string) error {
		if v.defined[x] {
			return fmt.Errorf("%s %%%d is defined twice", what, x.ID)
		}
		v.defined[x] = true
		if x.Symbol != nil {
			v.bound[x.Symbol]++
			if x.Kind != ScalarKind {
				return fmt.Errorf("%s %%%d binds a symbol and is no number", what, x.ID)
			}
		}
		added = append(added, x)
		return nil
	}
	for _, p := range r.Params {
		if err := define(p, "parameter"); err != nil {
			return err
		}
	}
	// Operands come before the regions, and the regions before the results: an operation's own
	// results are not visible within it.
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
		}
		if err := form(n); err != nil {
			return err
		}
		for _, o := range n.Outputs {
			if err := define(o, "output"); err != nil {
				return fmt.Errorf("%s: %w", n.Op, err)
			}
		}
	}
	// The results of a region are uses at its end, where its own values are still visible.
	for _, o := range r.Results {
		if err := v.operand(o, nil); err != nil {
			return err
		}
	}
	// The values of the body of the graph itself stay, since the output of the graph uses them.
	if depth > 0 { // not visible outside
		for _, x := range added {
			delete(v.defined, x)
			if x.Symbol != nil {
				v.bound[x.Symbol]--
			}
		}
	}
	return nil
}

// operand checks the values and symbols within an operand. A value that is neither a parameter nor
// made by an operation of the graph is free, and so is a symbol that no value binds. The node is
// nil for results.
func (v *verifier) operand(o Operand, n *Node) error {
	err := checkOperand(o)
	if err != nil {
		return fmt.Errorf("%s: %w", opName(n), err)
	}
	Operands(o, func(x *Value) {
		if err != nil || v.defined[x] || !v.params[x] && (x.Def == nil || !v.inGraph[x.Def]) {
			return
		}
		err = fmt.Errorf("%s uses %%%d before it is defined", opName(n), x.ID)
	})
	Symbols(o, func(s *symshape.Expr) {
		if err == nil && v.binds[s] && v.bound[s] <= 0 {
			err = fmt.Errorf("%s uses the number %s before it is defined", opName(n), s)
		}
	})
	return err
}

// checkOperand checks that an operand is one of the listed types and says what it is: None is
// nil, not a nil pointer of a type.
func checkOperand(o Operand) error {
	each := func(list []Operand) error {
		for _, e := range list {
			if err := checkOperand(e); err != nil {
				return err
			}
		}
		return nil
	}
	switch o := o.(type) {
	case nil, Int, Float, Complex, Bool, Str, DType, Opaque, Dim, Real, Ellipsis:
		return nil
	case *Value:
		if o == nil {
			return errors.New("an operand is a value that does not exist")
		}
		return nil
	case Cond:
		if o.Cond == nil {
			return errors.New("an operand is a condition that does not exist")
		}
		return nil
	case List:
		return each(o)
	case Tuple:
		return each(o)
	case Dict:
		for _, e := range o {
			if err := checkOperand(e.Value); err != nil {
				return err
			}
		}
		return nil
	case Slice:
		return each([]Operand{o.Start, o.Stop, o.Step})
	}
	return fmt.Errorf("an operand is of type %T", o)
}

// opName is how a message names the user of a value: its operation, or the result without one.
func opName(n *Node) string {
	if n == nil {
		return "result"
	}
	return n.Op
}

// form checks that built-in operations have their form; others have no regions.
func form(n *Node) error {
	if b := builtinOf(n.Op); b != nil {
		return b.check(n)
	}
	if len(n.Regions) != 0 {
		return fmt.Errorf("%s has regions", n.Op)
	}
	return nil
}
