package infer

// This file decides which disagreements of a comment with a value are
// contradictions, and writes the shape that is right.

import (
	"slices"
	"strings"

	"shapecheck/infer/annot"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// A commentCheck is a claim that disagrees with a tensor.
type commentCheck struct {
	an      *annotations
	frame   *frame
	comment *lineComment
	claim   *annot.Claim
	tensor  *graph.TensorType
}

// contradicts decides whether the disagreement is a contradiction.
func (k *commentCheck) contradicts(m *shapeMatch) bool {
	axes := k.claim.Shape.Axes
	if m.rank {
		// Without the batch axis a shape may be that of one sample.
		return !k.claim.Numbers && (k.claim.Explicit || len(axes) > 0 && axes[0].IsBatch()) && k.tensor.Ranked
	}
	if k.claim.Numbers && !k.claim.Explicit && m.compared == 0 {
		return false
	}
	if k.relabels(m) {
		return false
	}
	for _, x := range m.faults {
		if k.counts(x) {
			return true
		}
	}
	return false
}

// relabels reports whether the letters of a claim are labels of its own, not the variables that have these names: two or more letters are
// variables, all of them have other sizes than the axes, and none of these sizes is anywhere in the tensor.
func (k *commentCheck) relabels(m *shapeMatch) bool {
	look := k.an.commentLook(k.frame)
	letters := 0
	for _, a := range k.claim.Shape.Axes {
		if name, ok := a.Expr.Name(); ok {
			if b, known, _ := look(name, false); known {
				if !isLetter(name) || b.by != byCode {
					return false
				}
				letters++
			}
		}
	}
	if letters < 2 || len(m.faults) != letters {
		return false
	}
	for _, x := range m.faults {
		if _, ok := k.claim.Shape.Axes[x.axis].Expr.Name(); !ok || slices.ContainsFunc(k.tensor.Shape, func(d symshape.Dim) bool {
			return k.an.sameDim(d, x.want) != symshape.No
		}) {
			return false
		}
	}
	return true
}

// isLetter reports whether a name is one letter, with a number or a mark behind it.
func isLetter(name string) bool { return len(strings.TrimRight(name, "0123456789'")) == 1 }

// counts decides whether one axis contradicts.
func (k *commentCheck) counts(x axisFault) bool {
	if x.at < 0 {
		return false
	}
	a := k.claim.Shape.Axes[x.axis]
	if _, number := a.Expr.Const(); number {
		return true
	}
	if n, ok := x.got.Const(); ok && n == 1 {
		return false // an axis that will be broadcast
	}
	if _, ok := a.Expr.Name(); ok {
		return x.swapped || k.firm(a, x.name) || k.swapped(x)
	}
	firm := true
	look := k.an.commentLook(k.frame)
	annot.Shape{Axes: []annot.Axis{a}}.Names(func(n string) {
		b, known, _ := look(n, false)
		firm = firm && known && k.firm(annot.Axis{Expr: annot.Named(n)}, b)
	})
	return firm
}

// loose are the letters that label axes more often than they name sizes.
const loose = "CHWDLN"

// firm reports whether a name stands for one size in this claim: an annotation's
// name, a word, or a letter that got its size in a shape of this rank.
func (k *commentCheck) firm(a annot.Axis, b boundName) bool {
	name, _ := a.Expr.Name()
	letter := isLetter(name)
	switch {
	case b.by == byAnnotation:
		return true
	case b.by == byComment && b.at == k.comment.at.Start:
		return false // the same line of a loop, another time
	case b.by == byCode && !letter:
		return true
	case k.isLayout():
		return false
	case b.rank >= 0:
		return b.rank == k.tensor.Rank()
	}
	return b.by == byCode && !strings.Contains(loose, strings.ToUpper(name[:1]))
}

// layout matches the orders of axes of images, volumes and signals. Comments use
// them as labels from layer to layer.
var layout = lazyregexp.New(`^[BN](?:C[LT]|C[DTF]?HW|[DTF]?HWC)$`)

// isLayout recognises comments such as NCHW, which name an order of axes and claim no sizes.
func (k *commentCheck) isLayout() bool {
	s := ""
	for _, a := range k.claim.Shape.Axes {
		n, ok := a.Expr.Name()
		if !ok || a.Kind != annot.Size {
			return false
		}
		s += strings.TrimRight(n, "0123456789'")
	}
	return layout.MatchString(strings.ToUpper(s))
}

// swapped reports whether the size that a name stands for is at another axis,
// which the claim gives to another name: (B, T, C) for a value that is (B, C, T).
func (k *commentCheck) swapped(x axisFault) bool {
	for j, a := range k.claim.Shape.Axes {
		at := j + x.at - x.axis
		if j == x.axis || at < 0 || at >= len(k.tensor.Shape) || a.Kind != annot.Size {
			continue
		}
		if k.an.sameDim(k.tensor.Shape[at], x.want) != symshape.Yes {
			continue
		}
		n, ok := a.Expr.Name()
		if !ok {
			continue
		}
		b, known, _ := k.an.commentLook(k.frame)(n, false)
		if known && k.an.sameDim(b.dim, x.want) == symshape.Yes {
			continue // it is that size by right
		}
		if known && k.an.sameDim(b.dim, x.got) == symshape.Yes {
			return true
		}
		if _, number := x.want.Const(); !number { // numbers may agree by chance
			return true
		}
	}
	return false
}

// misplaced makes faults of the undecided axes whose name has its size at another
// axis.
func (k *commentCheck) misplaced(m *shapeMatch) {
	var open []axisFault
	for _, x := range m.open {
		if x.named && !x.want.Unknown() && !x.got.Unknown() && k.swapped(x) {
			x.swapped = true
			m.faults = append(m.faults, x)
			m.answer = symshape.No
			continue
		}
		open = append(open, x)
	}
	m.open = open
}

// corrected writes the axes that are right: those of the claim where they hold.
func (k *commentCheck) corrected(m *shapeMatch) (string, bool) {
	t := k.tensor
	if !t.Ranked || len(t.Shape) == 0 {
		return "", false
	}
	axes := k.claim.Shape.Axes
	if m.rank {
		if k.claim.Shape.Rest() >= 0 {
			return "", false
		}
		parts := make([]string, len(t.Shape))
		for i, d := range t.Shape {
			text, ok := k.an.renderDim(k.frame, d)
			if !ok {
				return "", false
			}
			parts[i] = text
		}
		text := strings.Join(parts, k.claim.Sep)
		if len(parts) == 1 {
			text += ","
		}
		return text, true
	}
	text := k.comment.text
	out, last := "", k.claim.From
	wrong := map[int]symshape.Dim{}
	for _, x := range m.faults {
		if x.at < 0 {
			return "", false
		}
		wrong[x.axis] = x.got
	}
	for i, a := range axes {
		d, ok := wrong[i]
		if !ok {
			continue
		}
		s, ok := k.an.renderDim(k.frame, d)
		if !ok {
			return "", false
		}
		out += text[last:a.From] + s
		last = a.To
	}
	return out + text[last:k.claim.To], true
}

var nameInText = lazyregexp.New(`[\p{L}_][\p{L}\p{N}_]*`)

// renderDim writes a size in the names of a function: a number, a name that
// stands for it, or an expression over names that stand for its symbols.
func (an *annotations) renderDim(f *frame, d symshape.Dim) (string, bool) {
	if n, ok := d.Const(); ok {
		return symshape.Dim{Val: n, Known: true}.String(), true
	}
	if d.Expr == nil {
		return "", false
	}
	names := an.namesOfSizes(f)
	if n, ok := names[d.Expr]; ok {
		return n, true
	}
	to := map[string]string{}
	for _, s := range d.Expr.Symbols() {
		own := s.String()
		if n, ok := names[s]; ok {
			to[own] = n
			continue
		}
		if b, known, hidden := an.commentLook(f)(own, false); hidden || known && b.dim.Expr != s {
			return "", false // the name means something else here
		}
		to[own] = own
	}
	text := nameInText.ReplaceAllStringFunc(d.Expr.Compact(), func(w string) string {
		if n, ok := to[w]; ok {
			return n
		}
		return w
	})
	_, err := annot.ParseExpr(text, true)
	return text, err == nil
}

// namesOfSizes gives the names in a function by the sizes that they stand for:
// variables first, then names of annotations and comments.
func (an *annotations) namesOfSizes(f *frame) map[*symshape.Expr]string {
	out := map[*symshape.Expr]string{}
	add := func(name string, d symshape.Dim) {
		if _, number := d.Const(); d.Expr != nil && !number && out[d.Expr] == "" {
			out[d.Expr] = name
		}
	}
	if f.code != nil && f.ns == nil {
		for _, n := range f.code.scope.Locals {
			if b, known, _ := an.commentLook(f)(n, false); known && b.by == byCode {
				add(n, b.dim)
			}
		}
	}
	for i := range f.names.Len() {
		name := f.names.Name(i)
		if b, ok := an.nameOf(f, name); ok {
			if c, known, _ := an.commentLook(f)(name, false); known && c.dim == b.dim {
				add(name, b.dim)
			}
		}
	}
	return out
}

// An uncommented is a statement that makes a tensor and has no comment.
type uncommented struct {
	at      source.Pos
	text    string
	differs bool
}

// noteUncommented keeps the comment that a statement may be given.
func (an *annotations) noteUncommented(f *frame, s ast.Node, list []written) {
	if !an.cfg.InsertComments || len(list) != 1 || list[0].name == "" && !isReturn(s) {
		return
	}
	t, ok := list[0].value.(*value.Tensor)
	if !ok || !t.Type().Ranked || len(t.Type().Shape) == 0 {
		return
	}
	file, end := f.unit.file, s.Span().End
	line, col := file.LineCol(end)
	if strings.TrimSpace(file.Line(line)[col:]) != "" {
		return
	}
	var parts []string
	for _, d := range t.Type().Shape {
		p, ok := an.renderDim(f, d)
		if !ok {
			return
		}
		parts = append(parts, p)
	}
	text := "(" + strings.Join(parts, ", ") + ")"
	if len(parts) == 1 {
		text = "(" + parts[0] + ",)"
	}
	if c := annot.Comment("# " + text); len(c) != 1 || len(c[0].Doubts) > 0 {
		text = "shape: " + text
	}
	if an.uncommented == nil {
		an.uncommented = map[source.Pos]*uncommented{}
	}
	if u := an.uncommented[end]; u != nil {
		u.differs = u.differs || u.text != text
		return
	}
	an.uncommented[end] = &uncommented{at: end, text: text}
	an.uncommentedOrder = append(an.uncommentedOrder, end)
}

func isReturn(s ast.Node) bool {
	_, ok := s.(*ast.Return)
	return ok
}

// missingComments are the findings that insert comments.
func (an *annotations) missingComments() []*diag.Diagnostic {
	var out []*diag.Diagnostic
	for _, at := range an.uncommentedOrder {
		u := an.uncommented[at]
		if u.differs {
			continue
		}
		span := source.Span{Start: at, End: at}
		d := diag.New(diag.MissingComment, span, "the shape is "+strings.TrimPrefix(u.text, "shape: "), u.text)
		d.Fixes = []diag.Fix{{Title: "Add the comment # " + u.text, Safe: true, Edits: []diag.Edit{{At: span, NewText: "  # " + u.text}}}}
		out = append(out, d)
	}
	return out
}
