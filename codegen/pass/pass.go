// Package pass holds the compiler's passes: each takes a module and leaves a better one
// that means the same.
//
//	pass.go     Pass, the list and its order    run.go    Run: the passes of a level, checks, report
//	make.go     nodes made within passes        loops.go  Scan and SequenceMap as Loops
//	sizes.go    computations of sizes           canon.go  simplification, by the rules in rules_*.go
//	fold.go     nodes of constants              cse.go    nodes that compute the same
//	foldmoves.go their slices and concatenations
//	cleanup.go  nodes that nobody uses          merge.go  neighbours of convolutions and products
//	control.go  conditions and loops whose way is known
//	rules_plus.go operators of ONNX+            types.go   types beside what inference says of them
//	recognise.go composites that exporters have taken apart
//	heads.go    heads that are repeated for groups
//	refused.go  attentions that stay apart, and why
//	algorithm.go ways to compute that round otherwise
//	schedule.go the order of nodes              alias.go  memory that results share with operands
//
// To add a pass, write it in a file of its own and put it into the list, with what must
// come before and after it.
package pass

import (
	"context"
	"fmt"
	"slices"

	"shapecheck/codegen/ir"
)

// A Class says what a pass may do to the numbers.
type Class uint8

// The classes.
const (
	// Exact passes leave the outputs' bits as the reference engine computes them.
	Exact Class = iota
	// Rounding passes may change roundings, within the bound that their Doc states.
	Rounding
	// None computes nothing: it reports or checks.
	None
)

func (c Class) String() string { return [...]string{"exact", "rounding", "none"}[c] }

// A Pass is one step of the compiler.
type Pass struct {
	Name string
	Doc  string // what it does, in one line
	// Class of the pass; rules of a pass that are of another class say so themselves.
	Class Class
	// After names passes that must have run before, wherever they are in the list.
	After []string
	// Always says that the pass runs at every level and cannot be turned off: without it
	// nothing can be emitted.
	Always bool
	Run    func(*Context) error
}

// A Context is what a pass works on.
type Context struct {
	Module *ir.Module
	// Level is what is asked for.
	Level Level
	// ctx ends long computations of a pass.
	ctx context.Context
	// pass is the one that runs, report its line.
	pass   *Pass
	report *Line
	run    *runner
	at     *ir.Node // which a rule looks at, where passes say it
}

// A Level says how much may be changed.
type Level uint8

// The levels.
const (
	Fast   Level = iota // everything
	ExactO              // exact passes and rules only
	NoneO               // what is needed to emit
)

// ParseLevel reads none, exact or fast. It returns an error for any other text but the empty one, which is fast.
func ParseLevel(s string) (Level, error) {
	switch s {
	case "", "fast":
		return Fast, nil
	case "exact":
		return ExactO, nil
	case "none":
		return NoneO, nil
	}
	return 0, fmt.Errorf("level %q: expected none, exact or fast", s)
}

// Passes lists the passes in the order in which they run. A pass may stand in it more
// than once.
func Passes() []*Pass {
	return []*Pass{&loops, &sizes, &canon, &fold, &control, &sizes, &canon, &fold, &cse, &cleanup, &recognise, &canon, &cleanup, &merge,
		&algorithm, &cleanup, &schedule, &alias, &simulate}
}

// CheckOrder reports a pass that the list has before one that must precede it. The error names the first such pass; nil
// if the order is right.
func CheckOrder(list []*Pass) error {
	for i, p := range list {
		for _, a := range p.After {
			if !slices.ContainsFunc(list[:i], func(q *Pass) bool { return q.Name == a }) {
				return fmt.Errorf("the pass %s must run after %s", p.Name, a)
			}
		}
	}
	return nil
}

// Allow reports whether a rule of the running pass, of a class, may be applied now, and
// counts it if so. Rules ask before they change anything; the report counts them, and the
// options turn single rules off or stop after a number of applications.
func (c *Context) Allow(rule string, class Class) bool {
	if class == Rounding && c.Level != Fast {
		return false
	}
	return c.run.allow(c, rule)
}
