package isa

// This file writes the text form. Parse reads it back to the same bytes. A program that is
// broken is written as far as it goes, so that faults of a compiler can be looked at.
//
// Sizes have two forms: one that is used once stands where it is used, one that is used several
// times has a line and a name s0, s1 and so on. Otherwise an expression that is made of shared
// parts could grow exponentially in the text.

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"shapecheck/onnx"
)

// Text gives the text form of the program's canonical form. The program is not changed. It returns an error if the
// program's tables refer to what is not there. It works on a copy in canonical form, so that
// equal programs have equal texts.
func Text(p *Program) (string, error) {
	if err := p.checkTables(); err != nil {
		return "", err
	}
	p = p.Clone()
	p.Canonicalize()
	w := &printer{p: p, shape: p.shapeOfSizes()}
	w.nameSizes()
	w.head()
	w.tables()
	w.code()
	return w.String(), nil
}

type printer struct {
	strings.Builder
	p     *Program
	shape sizeShape
	names []string // of sizes
}

func (w *printer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// sizeOps are the operations as they are written.
var sizeOps = [...]string{SizeOp_ADD: "+", SizeOp_SUB: "-", SizeOp_MUL: "*", SizeOp_FLOORDIV: "//", SizeOp_MOD: "%", SizeOp_MAX: "max",
	SizeOp_MIN: "min"}

// opText is how an operation is written; empty for what is none.
func opText(k SizeOp_Kind) string {
	if k < 0 || int(k) >= len(sizeOps) {
		return ""
	}
	return sizeOps[k]
}

// symPrefix stands before symbols that look like numbered sizes.
const symPrefix = "sym."

// isSizeName reports whether s is s and digits. Such a name of a symbol gets the prefix symPrefix
// in the text.
func isSizeName(s string) bool {
	if len(s) < 2 || s[0] != 's' {
		return false
	}
	for _, c := range s[1:] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// nameSizes gives every entry its text: those with a line are numbered. Entries come after those
// that they are made of, so their texts are known.
func (w *printer) nameSizes() {
	w.names = make([]string, len(w.p.Sizes))
	n := 0
	for i := range w.p.Sizes {
		w.names[i] = w.expr(i, false)
		if w.shape.line[i] {
			w.names[i] = "s" + strconv.Itoa(n)
			n++
		}
	}
}

// expr writes an entry with the texts of those that it uses. Binary operations are in parentheses
// except at the outer level, so no precedence is needed when they are read.
func (w *printer) expr(i int, outer bool) string {
	switch e := w.p.Sizes[i].E.(type) {
	case *Size_Const:
		if e.Const < 0 {
			return "(" + strconv.FormatInt(e.Const, 10) + ")"
		}
		return strconv.FormatInt(e.Const, 10)
	case *Size_Symbol:
		return w.symbol(e.Symbol)
	case *Size_Op:
		a, b, op := w.names[e.Op.A], w.names[e.Op.B], opText(e.Op.Kind)
		switch {
		case e.Op.Kind == SizeOp_MAX || e.Op.Kind == SizeOp_MIN:
			return op + "(" + a + ", " + b + ")"
		case outer:
			return a + " " + op + " " + b
		}
		return "(" + a + " " + op + " " + b + ")"
	case *Size_Real:
		return e.Real.text(w.names)
	}
	return "?"
}

func (w *printer) symbol(i uint32) string {
	name := w.p.Symbols[i].Name
	if isSizeName(name) {
		return symPrefix + name
	}
	return name
}

// head writes all but the code. Sizes that are used several times, or have a range, have a line and a name;
// others are written where they are used.
func (w *printer) head() {
	p := w.p
	w.line("program %s format %d.%d", strconv.Quote(p.Name), p.Major, p.Minor)
	if p.Producer != "" {
		w.line("producer %s", strconv.Quote(p.Producer))
	}
	for _, f := range p.Features {
		w.line("feature %s", strconv.Quote(f))
	}
	for _, m := range p.Metadata {
		w.line("meta %s = %s", strconv.Quote(m.Key), strconv.Quote(m.Value))
	}
	for _, s := range p.Symbols {
		fmt.Fprintf(w, "sym %s %d..", s.Name, s.Lo)
		if s.Hi != 0 {
			fmt.Fprint(w, s.Hi)
		}
		w.WriteByte('\n')
	}
	for i := range p.Sizes {
		if w.shape.line[i] {
			w.line("size %s = %s", w.names[i], w.expr(i, true))
		}
	}
	for i, s := range p.Symbols {
		if s.Upper > 0 {
			w.line("bound %s <= %s", w.symbol(uint32(i)), w.names[s.Upper-1])
		}
	}
	for _, c := range p.Contract {
		fmt.Fprintf(w, "require %s", strconv.Quote(c.Cond))
		for _, b := range c.Because {
			fmt.Fprintf(w, " because %s", strconv.Quote(b))
		}
		w.WriteByte('\n')
	}
}

// tables writes the tables of a program, a row a line: inputs, outputs, segments with what is packed in
// them, constants, whose data are written where they are in no segment, and classes of memory.
func (w *printer) tables() {
	p := w.p
	for _, x := range p.Inputs {
		fmt.Fprintf(w, "input %s %s", strconv.Quote(x.Name), w.typ(x.Type))
		if x.State > 0 {
			fmt.Fprintf(w, " state %d", x.State-1)
		}
		w.WriteByte('\n')
	}
	for _, x := range p.Outputs {
		w.line("output %s %s", strconv.Quote(x.Name), w.typ(x.Type))
	}
	for i, s := range p.Segments {
		fmt.Fprintf(w, "segment %d %s", i, strconv.Quote(s.Kind))
		if s.Tier != "" {
			fmt.Fprintf(w, " tier %s", strconv.Quote(s.Tier))
		}
		fmt.Fprintf(w, " at %d length %d", s.Offset, s.Length)
		if len(s.Sha256) > 0 {
			fmt.Fprintf(w, " sha256 0x%s", hex.EncodeToString(s.Sha256))
		}
		if s.File != "" {
			fmt.Fprintf(w, " file %s", strconv.Quote(s.File))
		}
		if s.Name != "" {
			fmt.Fprintf(w, " name %s", strconv.Quote(s.Name))
		}
		w.WriteByte('\n')
		for _, x := range s.Packed {
			w.line("packed @%d %s op %d flags %d at %d length %d", x.Constant, strconv.Quote(x.Form), x.Op, x.Flags, x.Offset, x.Length)
		}
	}
	for i, c := range p.Constants {
		fmt.Fprintf(w, "const @%d", i)
		if c.Name != "" {
			fmt.Fprintf(w, " %s", strconv.Quote(c.Name))
		}
		fmt.Fprintf(w, " %s = ", w.typ(c.Type))
		if c.Segment > 0 {
			w.line("segment %d at %d", c.Segment-1, c.Offset)
		} else {
			w.line("0x%s", hex.EncodeToString(c.Data))
		}
	}
	for i, c := range p.Classes {
		fmt.Fprintf(w, "class c%d = %s", i, w.names[c.Bytes])
		if c.Offset > 0 {
			fmt.Fprintf(w, " at %d", c.Offset-1)
		}
		w.WriteByte('\n')
	}
}

// code writes instructions, indented by loops and branches.
func (w *printer) code() {
	p := w.p
	w.line("values %d", p.Values)
	labels := w.labels()
	depth := 0
	for pc, i := range p.Code {
		op := Op(i.Op)
		if op == LoopNext || op == LoopEnd {
			depth--
		}
		for _, l := range labels[uint32(pc)] {
			w.line("%s", l)
			depth--
		}
		depth = max(depth, 0)
		w.line("%s%s", strings.Repeat("  ", min(depth, MaxNesting)), w.inst(i))
		isIf := i.Region > 0 && p.Regions[i.Region-1].Kind == Region_IF
		if op == LoopBegin || op == LoopNext || isIf && (op == Jmpf || op == Jmpt || op == Jmp) {
			depth++
		}
	}
	for _, l := range labels[uint32(len(p.Code))] {
		w.line("%s", l)
	}
}

// labels are the lines where arms begin and If regions end, inner ones first, by the next
// instruction. They are gone through backwards, so that at one place an inner region's end comes
// before an outer one's.
func (w *printer) labels() map[uint32][]string {
	out := map[uint32][]string{}
	for k, r := range slices.Backward(w.p.Regions) {
		if r.Kind != Region_IF {
			continue
		}
		if r.Middle != r.End {
			out[r.Middle] = append(out[r.Middle], fmt.Sprintf("else r%d:", k))
		}
		out[r.End] = append(out[r.End], fmt.Sprintf("end r%d:", k))
	}
	return out
}

func (w *printer) operand(v int32) string {
	if c, ok := ConstIndex(v); ok {
		return "@" + strconv.Itoa(c)
	}
	if v < 0 {
		return "~"
	}
	return "%" + strconv.Itoa(int(v))
}

// inst returns the text of an instruction, which assembler.instruction reads back.
func (w *printer) inst(i *Instruction) string {
	var b strings.Builder
	b.WriteString(Op(i.Op).String())
	var outs, ins, types []string
	for _, r := range i.Out {
		outs = append(outs, w.operand(r.Value))
		t := w.typ(r.Type)
		if r.Class > 0 {
			t += fmt.Sprintf(" c%d", r.Class-1)
		}
		if r.Alias > 0 {
			t += fmt.Sprintf(" alias %d", r.Alias-1)
		}
		types = append(types, t)
	}
	for _, v := range i.In {
		ins = append(ins, w.operand(v))
	}
	if len(outs) > 0 {
		b.WriteString(" " + strings.Join(outs, ", ") + " =")
	}
	if len(ins) > 0 {
		b.WriteString(" " + strings.Join(ins, ", "))
	}
	if len(i.Attr) > 0 {
		b.WriteString(" {")
		for k, a := range i.Attr {
			if k > 0 {
				b.WriteString(" ")
			}
			b.WriteString(a.Name + "=" + w.attr(a))
		}
		b.WriteString("}")
	}
	if i.Region > 0 {
		fmt.Fprintf(&b, " r%d", i.Region-1)
	}
	if len(types) > 0 {
		b.WriteString(" -> " + strings.Join(types, ", "))
	}
	for k, s := range i.Binds {
		b.WriteString([]string{" binds ", ", "}[min(k, 1)] + w.symbol(s))
	}
	if i.Debug > 0 {
		b.WriteString(w.origin(w.p.Debug.Origins[i.Debug-1]))
	}
	return b.String()
}

// origin is written at the end of a line; it is also the key by which equal ones are found.
func (w *printer) origin(o *Origin) string {
	var b strings.Builder
	b.WriteString(" ;")
	for _, at := range o.Places {
		x := w.p.Debug.Places[at]
		fmt.Fprintf(&b, " at %s:%d", strconv.Quote(x.File), x.Line)
		if x.Module != "" {
			b.WriteString(" " + strconv.Quote(x.Module))
		}
	}
	return b.String() + originNames(o)
}

func originNames(o *Origin) string {
	var b strings.Builder
	for _, n := range o.Nodes {
		b.WriteString(" node " + strconv.Quote(n))
	}
	if o.Pass != "" {
		b.WriteString(" by " + strconv.Quote(o.Pass))
	}
	return b.String()
}

// originKey tells origins apart whose places have the numbers of one table.
func originKey(o *Origin) string { return fmt.Sprint(o.Places) + originNames(o) }

// typ writes a type; sizes stand as their texts, which names has for each entry.
func (w *printer) typ(t *Type) string {
	switch t.GetKind() {
	case Type_TENSOR:
		s := onnx.DType(t.Elem).String() + "["
		if t.Unranked {
			s += "..."
		}
		for k, d := range t.Dims {
			if k > 0 {
				s += ","
			}
			s += w.names[d]
		}
		return s + "]"
	case Type_SEQUENCE:
		return "seq(" + w.typ(t.Of) + ")"
	case Type_OPTIONAL:
		return "opt(" + w.typ(t.Of) + ")"
	}
	return "?"
}

// It is the shortest text that reads back to the same number, with a point or an exponent so that
// it is not taken for an integer.
func floatText(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if math.IsInf(f, 1) {
		return "inf"
	}
	if math.IsInf(f, -1) {
		return "-inf"
	}
	if math.IsNaN(f) {
		return "nan"
	}
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

func list[T any](open string, items []T, text func(T) string) string {
	words := make([]string, len(items))
	for i, x := range items {
		words[i] = text(x)
	}
	return open + strings.Join(words, ",") + "]"
}

// attr writes a value such that its form can be seen: lists of other things than integers
// begin with a letter.
func (w *printer) attr(a *Attr) string {
	switch v := a.V.(type) {
	case *Attr_I:
		return strconv.FormatInt(v.I, 10)
	case *Attr_F:
		return floatText(v.F)
	case *Attr_S:
		return strconv.Quote(string(v.S))
	case *Attr_Ints:
		return list("[", v.Ints.GetList(), func(x int64) string { return strconv.FormatInt(x, 10) })
	case *Attr_Floats:
		return list("f[", v.Floats.GetList(), floatText)
	case *Attr_Strings:
		return list("t[", v.Strings.GetList(), func(x []byte) string { return strconv.Quote(string(x)) })
	case *Attr_Type:
		return ":" + w.typ(v.Type)
	case *Attr_Sizes:
		return list("z[", v.Sizes.GetList(), func(x uint32) string { return w.names[x] })
	case *Attr_Constant:
		return "@" + strconv.Itoa(int(v.Constant))
	}
	return "?"
}
