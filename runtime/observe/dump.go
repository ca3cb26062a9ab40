package observe

// This file writes a file for each result of a run.

import (
	"fmt"
	"path/filepath"
	"strings"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// A Dump writes the results of instructions into a folder that exists, as
// <order>_<name>.npy: order counts results from 0 in five digits, name is the model's node, or
// the opcode and the number of the value. Values that npy has no form for become pb files.
type Dump struct {
	Dir string
	n   int
	err error
}

// Err is the first error, after which nothing was written.
func (d *Dump) Err() error { return d.err }

// Hooks are those of the run.
func (d *Dump) Hooks(p *isa.Program) *vm.Hooks {
	return &vm.Hooks{After: func(pc int, i *isa.Instruction, _, out []tensor.Value) {
		for k, r := range i.Out {
			if d.err != nil || r.Value < 0 || k >= len(out) || out[k] == nil {
				continue
			}
			name := fmt.Sprintf("%s_%d", isa.Op(i.Op), r.Value)
			if _, nodes := vm.Origin(p, pc); len(nodes) > 0 {
				name = nodes[0]
				if k > 0 {
					name += fmt.Sprintf("_%d", k)
				}
			}
			path := filepath.Join(d.Dir, fmt.Sprintf("%05d_%s", d.n, clean(name)))
			d.n++
			if _, ok := out[k].(*tensor.Tensor); ok && tensor.WriteFile(path+".npy", name, out[k]) == nil {
				continue
			}
			d.err = tensor.WriteFile(path+".pb", name, out[k])
		}
	}}
}

// clean makes a name that every file system takes.
func clean(name string) string {
	name = strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, name)
	return name[:min(len(name), 100)]
}
