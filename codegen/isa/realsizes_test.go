package isa

import (
	"fmt"
	"strings"
	"testing"
)

// one is a program of one size.
func one(size, more string) string {
	return fmt.Sprintf("program \"\" format 1.1\n%ssym H 1..\nsym W 1..\nsize s0 = %s\ninput \"x\" f32[H,W]\noutput \"y\" i64[1]\n"+
		"in %%0 = {port=0} -> f32[H,W]\nsizes %%1 = {of=z[s0]} -> i64[1]\nout %%1 {port=0}\nfree %%1\nfree %%0\n", more, size)
}

// The values are CPython's.
func TestSizesOfFloatsAreWhatPythonComputes(t *testing.T) {
	for _, c := range []struct {
		size string
		h, w int64
		want int64
	}{
		{"int(float(H) * 0.7)", 10, 3, 7},
		{"int(float(H) * 0.7)", 7, 10, 4},
		{"int(float(H) * 0.7)", 225, 224, 157},
		{"int(float(H) * 0.7)", 1, 2, 0},
		{"int(float(H) * 0.7)", 1000003, 7, 700002},
		{"int(float(H) * 0.7)", 30, 70, 21},
		{"floor(float(H) * 1.1)", 10, 3, 11},
		{"floor(float(H) * 1.1)", 7, 10, 7},
		{"floor(float(H) * 1.1)", 225, 224, 247},
		{"floor(float(H) * 1.1)", 1, 2, 1},
		{"floor(float(H) * 1.1)", 1000003, 7, 1100003},
		{"floor(float(H) * 1.1)", 30, 70, 33},
		{"ceil(float(H) * 1.1)", 10, 3, 11},
		{"ceil(float(H) * 1.1)", 7, 10, 8},
		{"ceil(float(H) * 1.1)", 225, 224, 248},
		{"ceil(float(H) * 1.1)", 1, 2, 2},
		{"ceil(float(H) * 1.1)", 1000003, 7, 1100004},
		{"ceil(float(H) * 1.1)", 30, 70, 33},
		{"round(float(H) / float(W))", 10, 3, 3},
		{"round(float(H) / float(W))", 7, 10, 1},
		{"round(float(H) / float(W))", 225, 224, 1},
		{"round(float(H) / float(W))", 1, 2, 0},
		{"round(float(H) / float(W))", 1000003, 7, 142858},
		{"round(float(H) / float(W))", 30, 70, 0},
		{"round(float(W) * 0.5)", 10, 3, 2},
		{"round(float(W) * 0.5)", 7, 10, 5},
		{"round(float(W) * 0.5)", 225, 224, 112},
		{"round(float(W) * 0.5)", 1, 2, 1},
		{"round(float(W) * 0.5)", 1000003, 7, 4},
		{"round(float(W) * 0.5)", 30, 70, 35},
		{"int(neg(float(H)) * 0.3)", 10, 3, -3},
		{"int(neg(float(H)) * 0.3)", 7, 10, -2},
		{"int(neg(float(H)) * 0.3)", 225, 224, -67},
		{"int(neg(float(H)) * 0.3)", 1, 2, 0},
		{"int(neg(float(H)) * 0.3)", 1000003, 7, -300000},
		{"int(neg(float(H)) * 0.3)", 30, 70, -9},
		{"floor(float(H) // 0.1)", 10, 3, 99},
		{"floor(float(H) // 0.1)", 7, 10, 69},
		{"floor(float(H) // 0.1)", 225, 224, 2249},
		{"floor(float(H) // 0.1)", 1, 2, 9},
		{"floor(float(H) // 0.1)", 1000003, 7, 10000029},
		{"floor(float(H) // 0.1)", 30, 70, 299},
		{"floor((float(H) % 0.3) * 1000.0)", 10, 3, 100},
		{"floor((float(H) % 0.3) * 1000.0)", 7, 10, 100},
		{"floor((float(H) % 0.3) * 1000.0)", 225, 224, 0},
		{"floor((float(H) % 0.3) * 1000.0)", 1, 2, 100},
		{"floor((float(H) % 0.3) * 1000.0)", 1000003, 7, 100},
		{"floor((float(H) % 0.3) * 1000.0)", 30, 70, 0},
		{"int(pow(float(H), 2.0) / 3.0)", 10, 3, 33},
		{"int(pow(float(H), 2.0) / 3.0)", 7, 10, 16},
		{"int(pow(float(H), 2.0) / 3.0)", 225, 224, 16875},
		{"int(pow(float(H), 2.0) / 3.0)", 1, 2, 0},
		{"int(pow(float(H), 2.0) / 3.0)", 1000003, 7, 333335333336},
		{"int(pow(float(H), 2.0) / 3.0)", 30, 70, 300},
		{"int(max(float(H), float(W)) - min(float(H), 1.5))", 10, 3, 8},
		{"int(max(float(H), float(W)) - min(float(H), 1.5))", 7, 10, 8},
		{"int(max(float(H), float(W)) - min(float(H), 1.5))", 225, 224, 223},
		{"int(max(float(H), float(W)) - min(float(H), 1.5))", 1, 2, 1},
		{"int(max(float(H), float(W)) - min(float(H), 1.5))", 1000003, 7, 1000001},
		{"int(max(float(H), float(W)) - min(float(H), 1.5))", 30, 70, 68},
		{"floor(sqrt(float(H)) * 100.0)", 10, 3, 316},
		{"floor(sqrt(float(H)) * 100.0)", 7, 10, 264},
		{"floor(sqrt(float(H)) * 100.0)", 225, 224, 1500},
		{"floor(sqrt(float(H)) * 100.0)", 1, 2, 100},
		{"floor(sqrt(float(H)) * 100.0)", 1000003, 7, 100000},
		{"floor(sqrt(float(H)) * 100.0)", 30, 70, 547},
		{"int(float(H) / float(W))", 9007199254740993, 3, 3002399751580331},
		{"int(float(H) * 1.0)", 9007199254740993, 3, 9007199254740992},
	} {
		p, err := Parse(one(c.size, "feature \"real\"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if err := Verify(p); err != nil {
			t.Fatal(err)
		}
		if text := must(Text(p)); !strings.Contains(text, "size s0 = "+c.size+"\n") {
			t.Errorf("%s is written as\n%s", c.size, text)
		}
		sameForms(t, c.size, p)
		vals := make([]int64, len(p.Sizes))
		if err := p.EvalSizes([]int64{c.h, c.w}, nil, vals, nil); err != nil {
			t.Fatalf("%s: %v", c.size, err)
		}
		if got := vals[p.Code[1].Attr[0].GetSizes().List[0]]; got != c.want {
			t.Errorf("%s at %d, %d is %d, want %d", c.size, c.h, c.w, got, c.want)
		}
	}
}

func TestSizesOfFloatsThatHaveNoValueAreRefused(t *testing.T) {
	const feature = "feature \"real\"\n"
	for _, c := range []struct{ size, more, want string }{
		{"int(float(H) * 0.7)", "", `feature "real"`},
		{"int(0.7 * inf)", feature, "a number that it cannot have"},
		{"int(float(H) ** 2.0)", feature, ""},
		{"int(float(s0) * 2.0)", feature, "neither a symbol nor a size"},
		{"int(log(float(H)))", feature, "no operation of numbers"},
		{"int(float(H) * 0.7 * 2.0)", feature, "is expected"},
		{"int(1.0 / 0.0)", feature, "division by zero"},
		{"int(1e+300 * 1e+300)", feature, "out of range"},
		{"int(1e+30)", feature, "out of range"},
		{"int(sqrt(-1.0))", feature, "domain"},
		{"int(" + strings.Repeat("(1.0 + ", 300) + "1.0" + strings.Repeat(")", 300) + ")", feature, "too deep"},
	} {
		p, err := Parse(one(c.size, c.more))
		if err == nil {
			err = Verify(p)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.size, err)
		}
	}
	step := func(op RealStep_Op, size uint32) *RealStep { return &RealStep{Op: op, Size: size} }
	for _, c := range []struct {
		steps []*RealStep
		want  string
	}{
		{nil, "one number"},
		{[]*RealStep{step(RealStep_ADD, 0)}, "lacks operands"},
		{[]*RealStep{step(RealStep_SIZE, 0), step(RealStep_CONST, 0)}, "one number"},
		{[]*RealStep{step(RealStep_SIZE, 9)}, "earlier sizes"},
		{[]*RealStep{step(RealStep_SIZE, 0), step(RealStep_NEG, 1)}, "cannot have"},
		{[]*RealStep{step(99, 0)}, "not known"},
		{[]*RealStep{nil}, "empty step"},
	} {
		p, err := Parse(one("int(float(H) * 0.7)", feature))
		if err != nil {
			t.Fatal(err)
		}
		for _, z := range p.Sizes {
			if r := z.GetReal(); r != nil {
				r.Steps = c.steps
			}
		}
		if err := p.checkTables(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.steps, err)
		}
	}
}
