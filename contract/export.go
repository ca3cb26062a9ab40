package contract

// This file writes contracts in the notations of other tools: annotations of
// jaxtyping, and the dynamic_shapes of torch.export.

import (
	"fmt"
	"strconv"
	"strings"

	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// An Annotation is one of a tensor's parameter in jaxtyping's notation.
type Annotation struct {
	// Name is the parameter's, Kind jaxtyping's name for the dtypes ("Float").
	Name, Kind string
	// Dims are the sizes ("B 3 H W").
	Dims string
}

func (a Annotation) String() string { return fmt.Sprintf("%s[Tensor, %q]", a.Kind, a.Dims) }

// Annotations are those of the entry's parameters that are tensors. Sizes that the contract says
// are equal have one name. Tensors of unknown rank are written with "...".
func Annotations(r *infer.Result, c *Contract) []Annotation {
	names, _ := c.equal(r.Pool)
	return annotations(r, names)
}

// The kind follows from the element type alone; jaxtyping has no widths in these names.
func annotations(r *infer.Result, names map[*symshape.Expr]*symshape.Expr) []Annotation {
	var out []Annotation
	seen := map[string]bool{}
	for _, a := range r.Inputs {
		t, ok := a.Value.(*value.Tensor)
		if !ok {
			continue
		}
		ty := t.Type()
		var dims []string
		if !ty.Ranked {
			dims = append(dims, "...")
		}
		for _, d := range ty.Shape {
			dims = append(dims, jaxDim(r.Pool, d, names, seen))
		}
		kind := "Float"
		switch s := ty.DType.String(); {
		case s == "bool":
			kind = "Bool"
		case s[0] == 'i' || s[0] == 'u':
			kind = "Int"
		case s[0] == 'c':
			kind = "Complex"
		}
		out = append(out, Annotation{a.Name, kind, strings.Join(dims, " ")})
	}
	return out
}

// Jaxtyping writes the entry's parameters with annotations of jaxtyping, and
// those conditions that annotations cannot express as assertions. Symbols that a condition
// mentions are read from the shapes first. The text is a skeleton of a function for people to
// copy.
func Jaxtyping(r *infer.Result, c *Contract) string {
	var b strings.Builder
	names, rest := c.equal(r.Pool)
	b.WriteString("from jaxtyping import Bool, Complex, Float, Int\nfrom torch import Tensor\n\n\ndef forward(self")
	list := annotations(r, names)
	for _, a := range r.Inputs {
		fmt.Fprintf(&b, ", %s", a.Name)
		if len(list) > 0 && list[0].Name == a.Name {
			fmt.Fprintf(&b, ": %s", list[0])
			list = list[1:]
		}
	}
	b.WriteString("):\n")
	where := places(r)
	for _, name := range symbols(rest) {
		if at, ok := where[name]; ok {
			fmt.Fprintf(&b, "    %s = %s\n", name, at)
		}
	}
	for _, x := range rest {
		fmt.Fprintf(&b, "    assert %s\n", x.Cond)
	}
	b.WriteString("    ...\n")
	return b.String()
}

// jaxDim writes a size. jaxtyping binds names at their first use and evaluates
// expressions after that. Expressions that jaxtyping cannot evaluate, as ceilings, become "_",
// which takes any size.
func jaxDim(p *symshape.Pool, d symshape.Dim, names map[*symshape.Expr]*symshape.Expr, seen map[string]bool) string {
	if d.Expr == nil {
		return "_"
	}
	e := p.Subst(d.Expr, func(s *symshape.Expr) *symshape.Expr { return names[s] })
	if e == nil {
		return "_"
	}
	s := strings.ReplaceAll(e.String(), " ", "")
	if _, ok := e.IsSymbol(); ok {
		seen[s] = true
		return s
	}
	if strings.ContainsAny(s, "(/") && strings.Contains(s, "ceil") {
		return "_"
	}
	return s
}

// equal takes the equations that define a symbol by another symbol or a number
// out of the contract. names maps each such symbol to what it is equal to, without chains.
func (c *Contract) equal(p *symshape.Pool) (names map[*symshape.Expr]*symshape.Expr, rest []Condition) {
	names = map[*symshape.Expr]*symshape.Expr{}
	for _, x := range c.Conditions {
		sym, to := x.Cond.Definition()
		if sym != nil {
			_, isSym := to.IsSymbol()
			_, isConst := to.Const()
			if (isSym || isConst) && names[sym] == nil && names[to] == nil {
				for k, v := range names {
					if v == sym {
						names[k] = to
					}
				}
				names[sym] = to
				continue
			}
		}
		rest = append(rest, x)
	}
	return names, rest
}

// places gives for each symbol an expression that has its value: x.shape[2].
func places(r *infer.Result) map[string]string {
	out := map[string]string{}
	for _, a := range r.Inputs {
		t, ok := a.Value.(*value.Tensor)
		if !ok || !t.Type().Ranked {
			continue
		}
		for i, d := range t.Type().Shape {
			if name, ok := d.Expr.IsSymbol(); ok && out[name] == "" {
				out[name] = fmt.Sprintf("%s.shape[%d]", a.Name, i)
			}
		}
	}
	return out
}

func symbols(list []Condition) []string {
	var out []string
	seen := map[string]bool{}
	for _, x := range list {
		for _, s := range x.Cond.Symbols() {
			if name := s.String(); !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// A dimSpec is what torch.export can say of a size: factor·k with bounds of k. The bounds are
// those of the size itself, and are divided by factor when they are written.
type dimSpec struct {
	factor   int64
	min, max int64 // 0: none
}

// TorchExport writes Dim objects and dynamic_shapes for torch.export.export.
// Conditions that Dims cannot express become comments. Divisibility is written as 32*_H with a
// Dim _H, which is the only form that torch.export has for it.
func TorchExport(r *infer.Result, c *Contract) string {
	var b, tail strings.Builder
	p := r.Pool
	names, rest := c.equal(p)
	specs := map[string]*dimSpec{}
	for _, x := range append(assumedConditions(c.Given), rest...) {
		if !specs[name1(x.Cond)].add(p, x.Cond, specs) {
			fmt.Fprintf(&tail, "# not expressed: %s\n", x.Cond)
		}
	}
	b.WriteString("from torch.export import Dim\n\n")
	done := map[string]bool{}
	dim := func(e *symshape.Expr) string {
		if e == nil {
			return "None"
		}
		if e = p.Subst(e, func(s *symshape.Expr) *symshape.Expr { return names[s] }); e == nil {
			return "None"
		}
		if _, ok := e.Const(); ok {
			return "None"
		}
		for _, s := range e.Symbols() {
			name := s.String()
			if done[name] {
				continue
			}
			done[name] = true
			declare(&b, name, specs[name])
		}
		return e.String()
	}
	var shapes []string
	for _, a := range r.Inputs {
		t, ok := a.Value.(*value.Tensor)
		if !ok || !t.Type().Ranked {
			shapes = append(shapes, strconv.Quote(a.Name)+": None")
			continue
		}
		var dims []string
		for i, d := range t.Type().Shape {
			if s := dim(d.Expr); s != "None" {
				dims = append(dims, fmt.Sprintf("%d: %s", i, s))
			}
		}
		shapes = append(shapes, fmt.Sprintf("%q: {%s}", a.Name, strings.Join(dims, ", ")))
	}
	return b.String() + tail.String() + "dynamic_shapes = {" + strings.Join(shapes, ", ") + "}\n"
}

func assumedConditions(list []*symshape.Cond) []Condition {
	var out []Condition
	for _, c := range list {
		for _, x := range c.Conjuncts() {
			out = append(out, Condition{Cond: x})
		}
	}
	return out
}

func name1(c *symshape.Cond) string {
	if syms := c.Symbols(); len(syms) == 1 {
		return syms[0].String()
	}
	return ""
}

// add takes in a bound or a divisibility; false when c is neither. d may be nil for a symbol that
// has no specification yet.
func (d *dimSpec) add(p *symshape.Pool, c *symshape.Cond, specs map[string]*dimSpec) bool {
	name := name1(c)
	if name == "" {
		return false
	}
	if d == nil {
		d = &dimSpec{factor: 1}
		specs[name] = d
	}
	s := c.Symbols()[0]
	for _, x := range c.Conjuncts() {
		if lo, hi, ok := x.Bound(s); ok {
			if lo != symshape.NegInf {
				d.min = max(d.min, lo)
			}
			if hi != symshape.PosInf && (d.max == 0 || hi < d.max) {
				d.max = hi
			}
			continue
		}
		found := false
		for n := int64(2); n <= 4096 && !found; n++ {
			if x == p.Divides(p.Const(n), s) {
				d.factor, found = lcm(d.factor, n), true
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func lcm(a, b int64) int64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// Bounds are rounded inwards to multiples.
func declare(b *strings.Builder, name string, d *dimSpec) {
	if d == nil {
		fmt.Fprintf(b, "%s = Dim(%q)\n", name, name)
		return
	}
	inner := name
	if d.factor > 1 {
		inner = "_" + name
	}
	args := strconv.Quote(inner)
	if d.min > 0 {
		args += fmt.Sprintf(", min=%d", (d.min+d.factor-1)/d.factor)
	}
	if d.max > 0 {
		args += fmt.Sprintf(", max=%d", d.max/d.factor)
	}
	fmt.Fprintf(b, "%s = Dim(%s)\n", inner, args)
	if d.factor > 1 {
		fmt.Fprintf(b, "%s = %d*%s\n", name, d.factor, inner)
	}
}
