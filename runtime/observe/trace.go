package observe

// This file writes a line for each instruction that has run.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"shapecheck/codegen/isa"
	"shapecheck/internal/safetext"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// A Detail says what a trace has: the types of all instructions' operands and results, elements
// of all results, and both for the instructions of the operators in Verbose.
type Detail struct {
	Types, Elements bool
	Verbose         []string
}

// Trace writes instructions with their places in the source and the types of operands and
// results; with elements, each result's elements on a line of its own. Frees are left out.
// Errors of w are the caller's to see.
func Trace(w io.Writer, p *isa.Program, d Detail) *vm.Hooks {
	return &vm.Hooks{After: func(pc int, i *isa.Instruction, in, out []tensor.Value) {
		op := isa.Op(i.Op)
		verbose := slices.Contains(d.Verbose, op.String())
		if op == isa.Free || !d.Types && !d.Elements && !verbose {
			return
		}
		elements := d.Elements || verbose
		var b strings.Builder
		place, nodes := vm.Origin(p, pc)
		fmt.Fprintf(&b, "%4d  %-16s", pc, op)
		for k, v := range in {
			if k > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, " %s %s", operandName(i.In[k]), typeOf(v))
		}
		sep := " ->"
		for k, r := range i.Out {
			if r.Value >= 0 && k < len(out) {
				fmt.Fprintf(&b, "%s %%%d %s", sep, r.Value, typeOf(out[k]))
				sep = ","
			}
		}
		if place != "" {
			b.WriteString("  ; " + safetext.Line(place))
		} else if len(nodes) > 0 {
			b.WriteString("  ;")
		}
		if len(nodes) > 0 {
			b.WriteString(" " + safetext.Line(strings.Join(nodes, ", ")))
		}
		b.WriteByte('\n')
		if elements {
			for k, r := range i.Out {
				if r.Value >= 0 && k < len(out) && out[k] != nil {
					if text := Describe(out[k]); text != "" {
						fmt.Fprintf(&b, "      %%%d%s\n", r.Value, text)
					}
				}
			}
		}
		io.WriteString(w, b.String())
	}}
}

func operandName(x int32) string {
	if c, ok := isa.ConstIndex(x); ok {
		return fmt.Sprintf("@%d", c)
	}
	if x < 0 {
		return "~"
	}
	return fmt.Sprintf("%%%d", x)
}

func typeOf(v tensor.Value) string {
	if v == nil {
		return ""
	}
	return v.Type()
}
