// This file measures the operations the interpreter uses most.

package symshape

import "testing"

// convChain builds the size after 11 convolutions and poolings, as a model of the ResNet kind does.
func convChain(p *Pool) *Expr {
	h := p.Symbol("H")
	one, two, three := p.Const(1), p.Const(2), p.Const(3)
	for i := range 11 {
		if i%3 == 0 {
			// (h + 2·1 - 3) // 2 + 1
			h = p.Add(p.FloorDiv(p.Sub(p.Add(h, p.Mul(two, one)), three), two), one)
		} else {
			h = p.Add(p.FloorDiv(p.Sub(p.Add(h, p.Mul(two, one)), three), one), one)
		}
	}
	return h
}

func BenchmarkConvChainColdPool(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		convChain(NewPool())
	}
}

func BenchmarkConvChainWarmPool(b *testing.B) {
	p := NewPool()
	b.ReportAllocs()
	for b.Loop() {
		convChain(p)
	}
}

func BenchmarkConstants(b *testing.B) {
	p := NewPool()
	x, y := p.ConstDim(224), p.ConstDim(2)
	b.ReportAllocs()
	for b.Loop() {
		p.DimFloorDiv(p.DimAdd(x, y), y)
	}
}

func BenchmarkNumel(b *testing.B) {
	p := NewPool()
	s, err := p.ParseShape("[B,64,(H+1)//2,(W+1)//2]")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		p.Numel(s)
	}
}

func benchDecide(b *testing.B, cond string, facts ...string) {
	p := NewPool()
	f := Facts{}
	for _, s := range facts {
		c, err := p.ParseCond(s)
		if err != nil {
			b.Fatal(err)
		}
		f, _ = f.Assume(c)
	}
	c, err := p.ParseCond(cond)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		f.decide(c, 3) // not the remembered answer
	}
}

func BenchmarkDecideByForm(b *testing.B)    { benchDecide(b, "N*(X//N) == X", "X % N == 0") }
func BenchmarkDecideUNet(b *testing.B)      { benchDecide(b, "(H//16)*16 == H") }
func BenchmarkDecideSwin(b *testing.B)      { benchDecide(b, "ceil(H/224)*224 - H < 225") }
func BenchmarkDecideTwo(b *testing.B)       { benchDecide(b, "H//2 + W//2 <= (H+W)//2") }
func BenchmarkDecideUndecided(b *testing.B) { benchDecide(b, "a*b*c == d*(e//a)") }
func BenchmarkDecideWorst(b *testing.B)     { benchDecide(b, "(H//45)*45 + (W//44)*44 <= H + W") }

func BenchmarkSolveUNet(b *testing.B) {
	p := NewPool()
	c, _ := p.ParseCond("((((H//2)//2)//2)//2)*16 == H")
	b.ReportAllocs()
	for b.Loop() {
		Facts{}.Solve(c)
	}
}
