package graph

// This file lists the built-in operations of the graph: those that are no functions of
// a library. The package comment says what they mean; Verify holds them to their rows.

import (
	"errors"
	"fmt"
	"strings"
)

// The names of the built-in operations.
const (
	If             = "if"
	Loop           = "loop"
	Item           = "item"
	Truth          = "truth"
	SequenceAppend = "sequence.append"
	SequenceConcat = "sequence.concat"
	SequenceAt     = "sequence.at"
	SequenceInsert = "sequence.insert"
	SequenceErase  = "sequence.erase"
	SequenceSlice  = "sequence.slice"
	// InitPrefix begins the names of the nodes that initialise parameters.
	InitPrefix = "init."
)

// A builtin is a row of the table.
type builtin struct {
	op string // ends in "." where it is the beginning of several names
	// args are the names of the arguments, in order.
	args []string
	// outputs is their number, -1 for any.
	outputs int
	// kind is what the first output holds.
	kind Kind
	// regions is the number of regions.
	regions int
	// form checks what else must hold; nil: nothing.
	form func(n *Node) error
}

var builtins = [...]builtin{
	{op: If, args: []string{"cond"}, outputs: -1, regions: 2, form: ifForm},
	{op: Loop, args: []string{"trips", "init"}, outputs: -1, regions: 1, form: loopForm},
	{op: Item, args: []string{"input"}, outputs: 1, kind: ScalarKind},
	{op: Truth, args: []string{"input"}, outputs: 1, kind: ScalarKind},
	{op: SequenceAppend, args: []string{"input", "element"}, outputs: 1, kind: SequenceKind},
	{op: SequenceConcat, args: []string{"input", "other"}, outputs: 1, kind: SequenceKind},
	{op: SequenceAt, args: []string{"input", "index"}, outputs: 1, kind: TensorKind},
	{op: SequenceInsert, args: []string{"input", "element", "index"}, outputs: 1, kind: SequenceKind},
	{op: SequenceErase, args: []string{"input", "index"}, outputs: 1, kind: SequenceKind},
	{op: SequenceSlice, args: []string{"input", "start", "step", "length"}, outputs: 1, kind: SequenceKind},
	{op: InitPrefix, args: []string{"self", "args"}},
}

// IsBuiltin reports whether an operation is one of the graph's own.
func IsBuiltin(op string) bool { return builtinOf(op) != nil }

func builtinOf(op string) *builtin {
	for i := range builtins {
		b := &builtins[i]
		if b.op == op || strings.HasSuffix(b.op, ".") && strings.HasPrefix(op, b.op) {
			return b
		}
	}
	return nil
}

// check holds a node to its row.
func (b *builtin) check(n *Node) error {
	if len(n.Args) != len(b.args) {
		return fmt.Errorf("%s has %d arguments, not %d", n.Op, len(n.Args), len(b.args))
	}
	for i, a := range n.Args {
		if a.Name != b.args[i] {
			return fmt.Errorf("argument %d of %s is %s, not %s", i, n.Op, a.Name, b.args[i])
		}
	}
	if len(n.Regions) != b.regions {
		return fmt.Errorf("%s has %d regions", n.Op, len(n.Regions))
	}
	if b.outputs >= 0 && len(n.Outputs) != b.outputs {
		return fmt.Errorf("%s has %d outputs, not %d", n.Op, len(n.Outputs), b.outputs)
	}
	if b.outputs == 1 && n.Outputs[0].Kind != b.kind {
		return fmt.Errorf("the output of %s is of another kind", n.Op)
	}
	if b.form != nil {
		return b.form(n)
	}
	return nil
}

func ifForm(n *Node) error {
	if n.Args[0].Value == nil {
		return errors.New("if has one argument, cond")
	}
	for _, r := range n.Regions {
		if len(r.Params) != 0 {
			return errors.New("a region of if has parameters")
		}
		if len(r.Results) != len(n.Outputs) {
			return fmt.Errorf("a region of if has %d results for %d outputs", len(r.Results), len(n.Outputs))
		}
		for i, x := range r.Results {
			if x == nil && n.Outputs[i].Kind == TensorKind {
				return fmt.Errorf("output %%%d of if may be missing and is no optional value", n.Outputs[i].ID)
			}
		}
	}
	return nil
}

func loopForm(n *Node) error {
	init, ok := n.Args[1].Value.(List)
	body := n.Regions[0]
	if !ok || len(init) != len(n.Outputs) || len(body.Params) != len(init)+1 || len(body.Results) != len(init)+1 {
		return fmt.Errorf("loop has %d values before it, %d after it, %d parameters and %d results of its body", len(init), len(n.Outputs),
			len(body.Params), len(body.Results))
	}
	if body.Params[0].Kind != ScalarKind {
		return errors.New("the first parameter of a loop's body is the number of the iteration")
	}
	if body.Results[0] == nil {
		return errors.New("the first result of a loop's body says whether another iteration follows")
	}
	for i, o := range n.Outputs {
		if o.Kind != body.Params[i+1].Kind {
			return fmt.Errorf("carried value %d of loop is of two kinds", i)
		}
		if o.Kind == TensorKind && (init[i] == nil || body.Results[i+1] == nil) {
			return fmt.Errorf("carried value %d of loop may be missing and is no optional value", i)
		}
	}
	return nil
}

// IsSequence reports whether an operation works on a sequence.
func IsSequence(op string) bool {
	return strings.HasPrefix(op, "sequence.")
}
