// Command vmopsdoc writes docs/vm-ops.md from the tables of opcodes, operators and kernels,
// and from ancestor.txt, which says where each instruction of chainer-compiler's machine
// went. Run it from the root of the repository: go run ./tools/vmopsdoc.
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"slices"
	"strings"

	"shapecheck/codegen/isa"
	"shapecheck/codegen/op"
	"shapecheck/onnx/schema"
	"shapecheck/runtime/kernel"
)

// document is the path from the root of the repository.
const document = "docs/vm-ops.md"

//go:embed ancestor.txt
var ancestor string

// An instruction is one of the ancestor's, in the order of its numbers.
type instruction struct {
	name string
	to   []string // our instructions
	note string
}

// instructions reads the list.
func instructions() (out []instruction) {
	for _, line := range strings.Split(strings.TrimSpace(ancestor), "\n") {
		f := append(strings.Split(line, "\t"), "", "")
		x := instruction{name: f[0], note: f[2]}
		if f[1] != "" {
			x.to = strings.Split(f[1], ",")
		}
		out = append(out, x)
	}
	return out
}

// lookup finds an instruction by its name in the text form.
func lookup(name string) isa.Op {
	for _, domain := range []string{isa.MachineDomain, "", schema.Chainer} {
		if o := isa.Lookup(domain, name); o != 0 {
			return o
		}
	}
	return 0
}

func main() {
	if err := os.WriteFile(document, generate(), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, "vmopsdoc:", err)
		os.Exit(1)
	}
}

// generate writes docs/vm-ops.md: a row for each instruction with its operands, attributes and meaning from isa's records, and
// the fast kernels that take it.
func generate() []byte {
	var b bytes.Buffer
	infos := isa.Ops()
	fmt.Fprintf(&b, `# Instructions

<!-- written by go run ./tools/vmopsdoc -->

The %d instructions of programs. An operator of ONNX or ONNX+ (org.chainer) is an instruction of its own, in the form of its newest version, and means what the
specification says. Numbers never change. An operand with ? may be absent (~), one with … stands for any number. *Kernels* are those of the fast engine;
an instruction without one runs on the reference.

| Number | Instruction | Operands → results | Attributes | Kernels | What it does |
|---|---|---|---|---|---|
`, len(infos))
	names := map[isa.Op][]string{}
	for _, e := range kernel.Entries(kernel.AVX512) { // which has all
		if !slices.Contains(names[e.Op], e.Name) {
			names[e.Op] = append(names[e.Op], e.Name)
		}
	}
	for _, i := range infos {
		if f := kernel.FinderOf(i.Op); f != nil {
			names[i.Op] = append(names[i.Op], f.Name)
		}
		doc := i.Doc
		switch i.Domain {
		case isa.MachineDomain:
		case "":
			doc = "ONNX"
		default:
			doc = i.Domain
		}
		if r := op.Lookup(i.Domain, i.Name); r != nil && r.Via != "" {
			doc += "; becomes " + r.Via
		}
		fmt.Fprintf(&b, "| %d | %s | %s → %s | %s | %s | %s |\n", i.Op, i.Name, operands(i.In), operands(i.Out), attrs(i.Attrs),
			strings.Join(names[i.Op], ", "), strings.ReplaceAll(doc, "|", `\|`))
	}
	list := instructions()
	fmt.Fprintf(&b, `
## Where the instructions of chainer-compiler went

The %d instructions of its machine by number, and what does the same here.

| Number | Instruction | Here | Note |
|---|---|---|---|
`, len(list))
	for k, x := range list {
		to := strings.Join(x.to, ", ")
		if to == "" {
			to = "none"
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", k+1, x.name, to, x.note)
	}
	return b.Bytes()
}

// operands lists operands for a table: "?" marks optional ones, "…" those that may repeat.
func operands(list []isa.Operand) string {
	if len(list) == 0 {
		return "–"
	}
	var out []string
	for _, o := range list {
		name := o.Name
		if o.Variadic {
			name += "…"
		} else if o.Optional {
			name += "?"
		}
		out = append(out, name)
	}
	return strings.Join(out, ", ")
}

func attrs(list []isa.AttrSpec) string {
	var out []string
	for _, a := range list {
		name := a.Name
		if a.Required {
			name += "!"
		}
		out = append(out, name)
	}
	return strings.Join(out, ", ")
}
