// This file tests sizes and shapes.

package symshape

import "testing"

func TestDimsPrintBothHalvesAndReadBack(t *testing.T) {
	p := NewPool()
	for in, want := range map[string]string{
		"bsize":                  "bsize",
		"bsize=2":                "2 (bsize)",
		"64":                     "64",
		"?":                      "?",
		"57 ((height + 1)//4)":   "57 ((height + 1) // 4)",
		"H//2 = 16":              "16 (H // 2)",
		"2*H":                    "2*H",
		" 7 ":                    "7",
		"4 = 4":                  "4",
		"ceil(H / 3)":            "ceil(H / 3)",
		"0":                      "0",
		"10 (ceil(H/3))":         "10 (ceil(H / 3))",
		"max(H, W)":              "max(H, W)",
		"112 (ceil(height / 2))": "112 (ceil(height / 2))",
	} {
		d, err := p.ParseDim(in)
		if err != nil || d.String() != want {
			t.Errorf("ParseDim(%q) = %v, %v, want %s", in, d, err, want)
		}
		if back, err := p.ParseDim(d.Compact()); err != nil || back != d {
			t.Errorf("%v reads back as %v, %v", d, back, err)
		}
	}
	for _, in := range []string{"", "H=", "H=W", "4=5", "H (3)", "H=-1", "3 (H", "H/2"} {
		if d, err := p.ParseDim(in); err == nil {
			t.Errorf("ParseDim(%q) = %v", in, d)
		}
	}
}

func TestDimArithmeticKeepsHalvesApart(t *testing.T) {
	p := NewPool()
	h := MakeDimValue(p.Symbol("H"), 227)
	two := p.ConstDim(2)
	unknown := Dim{}
	valueOnly := Dim{Val: 5, Known: true}
	for _, x := range []struct {
		got  Dim
		want string
	}{
		{p.DimFloorDiv(p.DimAdd(h, p.ConstDim(1)), two), "114 (ceil(H / 2))"},
		{p.DimSub(h, h), "0"},
		{p.DimMul(h, two), "454 (2*H)"},
		{p.DimMod(h, two), "1 (H % 2)"},
		{p.DimCeilDiv(h, two), "114 (ceil(H / 2))"},
		{p.DimAdd(h, unknown), "?"},
		{p.DimAdd(valueOnly, two), "7"},
		{p.DimAdd(valueOnly, p.SymDim("W")), "?"},
		{p.DimMul(h, p.SymDim("W")), "H*W"},
		{p.DimMax(h, two), "227 (max(H, 2))"},
		{p.DimMin(h, two), "2 (min(H, 2))"},
		{p.DimFloorDiv(h, p.ConstDim(0)), "?"},
		{p.DimNeg(two), "-2"},
		{p.DimAbs(p.DimNeg(two)), "2"},
		{JoinDim(h, two), "?"},
		{JoinDim(h, MakeDim(h.Expr)), "H"},
		{JoinDim(h, Dim{Val: 227, Known: true}), "227"},
		{p.DimMul(p.ConstDim(1<<62), p.ConstDim(4)), "?"},
	} {
		if x.got.String() != x.want {
			t.Errorf("got %v, want %s", x.got, x.want)
		}
	}
	if d := p.DimAdd(valueOnly, two); d.Expr != nil {
		t.Error("an unknown expression became known")
	}
}

func TestShapesPrintAsInTypeStringsAndReadBack(t *testing.T) {
	p := NewPool()
	for in, want := range map[string]string{
		"[]":                                "[]",
		"[bsize, 64, (H-1)//2+1]":           "[bsize,64,ceil(H/2)]",
		"[bsize=2,64,57 ((height+1)//4),?]": "[2 (bsize),64,57 ((height+1)//4),?]",
		"[max(H, W),3]":                     "[max(H,W),3]",
		"[2*H,W//2,H%3,-1+H]":               "[2*H,W//2,H%3,H-1]",
	} {
		s, err := p.ParseShape(in)
		if err != nil || s.String() != want {
			t.Errorf("ParseShape(%q) = %v, %v, want %s", in, s, err, want)
		}
		back, err := p.ParseShape(s.String())
		if err != nil || back.String() != s.String() {
			t.Errorf("%v reads back as %v, %v", s, back, err)
		}
	}
	s, _ := p.ParseShape("[B,64,H=7]")
	if n := p.Numel(s); n.String() != "64*H*B" {
		t.Errorf("numel %v", n)
	}
}
