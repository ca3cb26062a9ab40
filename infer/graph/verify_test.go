package graph

import (
	"strings"
	"testing"

	"shapecheck/internal/source"
)

func val(b *Builder) *Value { return b.NewValue(TensorKind, TensorType{}, source.Span{}) }

func TestVerifyAcceptsARegionThatUsesOuterValues(t *testing.T) {
	b := NewBuilder()
	x := b.Input("x", TensorType{}, source.Span{})
	then, els := &Region{}, &Region{}
	y, z := val(b), val(b)
	outer := b.Enter(then)
	b.Emit(&Node{Op: "f", Args: []Arg{{"x", x}}, Outputs: []*Value{y}})
	b.Leave(outer)
	then.Results, els.Results = []Operand{y}, []Operand{x}
	b.Emit(&Node{Op: "if", Regions: []*Region{then, els}, Outputs: []*Value{z}})
	g := b.Graph()
	g.Output = z
	if err := Verify(g); err != nil {
		t.Error(err)
	}
}

func TestVerifyRejectsWhatIsNotWellFormed(t *testing.T) {
	for _, c := range []struct {
		name, want string
		build      func(b *Builder)
	}{
		{"use before definition", "before it is defined", func(b *Builder) {
			x, y := val(b), val(b)
			b.Emit(&Node{Op: "g", Args: []Arg{{"x", x}}, Outputs: []*Value{y}})
			b.Emit(&Node{Op: "f", Outputs: []*Value{x}})
		}},
		{"two definitions", "defined twice", func(b *Builder) {
			x := val(b)
			b.Emit(&Node{Op: "f", Outputs: []*Value{x}})
			b.Emit(&Node{Op: "f", Outputs: []*Value{x}})
		}},
		{"a value of a region used outside", "before it is defined", func(b *Builder) {
			x, y := val(b), val(b)
			r := &Region{}
			outer := b.Enter(r)
			b.Emit(&Node{Op: "f", Outputs: []*Value{x}})
			b.Leave(outer)
			b.Emit(&Node{Op: "loop", Regions: []*Region{r}})
			b.Emit(&Node{Op: "g", Args: []Arg{{"x", x}}, Outputs: []*Value{y}})
		}},
		{"results that do not fit the outputs", "results for", func(b *Builder) {
			b.Emit(&Node{Op: "if", Regions: []*Region{{}, {}}, Outputs: []*Value{val(b)}})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := NewBuilder()
			c.build(b)
			if err := Verify(b.Graph()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}
