package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// A longRow is a call of which one tile walks a row of many elements.
type longRow struct {
	op    string
	in    []*tensor.Tensor
	attrs []*isa.Attr
	outs  int
}

func zerosOf(d tensor.DType, dims ...int64) *tensor.Tensor {
	t, err := tensor.New(d, dims...)
	if err != nil {
		panic(err)
	}
	return t
}

func longRows(n int64) map[string]longRow {
	r := rand.New(rand.NewPCG(7, 7))
	x, some := random(r, 1, n), random(r, n)
	column, image, one := tensor.Of(floats(x.Bytes()), n, 1), tensor.Of(floats(x.Bytes()), 1, 1, n), tensor.Of([]float32{1}, 1)
	wide, whole := zerosOf(tensor.Float64, 1, n), zerosOf(tensor.Int64, 1, n)
	for i := range n {
		whole.SetInt(int(i), i*7919%n)
	}
	number := func(a int64) *tensor.Tensor { return tensor.Of([]int64{a}, 1) }
	axis := func(a int64) []*isa.Attr { return []*isa.Attr{isa.IntAttrOf("axis", a)} }
	return map[string]longRow{
		"softmax":              {"Softmax", []*tensor.Tensor{x}, nil, 1},
		"softmax of steps":     {"Softmax", []*tensor.Tensor{tensor.Of(floats(random(r, n, 2).Bytes()), n, 2)}, axis(0), 1},
		"logarithm of softmax": {"LogSoftmax", []*tensor.Tensor{x}, nil, 1},
		"layer norm":           {"LayerNormalization", []*tensor.Tensor{x, some, some}, nil, 1},
		"instance norm":        {"InstanceNormalization", []*tensor.Tensor{image, one, one}, nil, 1},
		"batch norm":           {"BatchNormalization", []*tensor.Tensor{image, one, one, one, one}, nil, 1},
		"local response":       {"LRN", []*tensor.Tensor{tensor.Of(floats(x.Bytes()), 1, n, 1)}, []*isa.Attr{isa.IntAttrOf("size", 3)}, 1},
		"place of i64":         {"ArgMax", []*tensor.Tensor{whole}, axis(1), 1},
		"place of f32":         {"ArgMax", []*tensor.Tensor{x}, axis(1), 1},
		"place in columns":     {"ArgMin", []*tensor.Tensor{column}, axis(0), 1},
		"count":                {"Range", []*tensor.Tensor{number(0), number(n), number(1)}, nil, 1},
		"all in order":         {"TopK", []*tensor.Tensor{whole, number(n)}, nil, 2},
		"some in order":        {"TopK", []*tensor.Tensor{whole, number(9)}, nil, 2},
		"cumulative sum":       {"CumSum", []*tensor.Tensor{x, number(1)}, nil, 1},
		"one of many":          {"OneHot", []*tensor.Tensor{number(3), number(n), tensor.Of([]float32{0, 1}, 2)}, nil, 1},
		"sum":                  {"ReduceSum", []*tensor.Tensor{x, number(1)}, nil, 1},
		"sum of f64":           {"ReduceSum", []*tensor.Tensor{wide, number(1)}, nil, 1},
		"product":              {"ReduceProd", []*tensor.Tensor{x, number(1)}, nil, 1},
		"sum of i64 columns":   {"ReduceSum", []*tensor.Tensor{zerosOf(tensor.Int64, n/2, 2), number(0)}, nil, 1},
		"logarithm of sums":    {"ReduceLogSumExp", []*tensor.Tensor{x, number(1)}, nil, 1},
		"greatest":             {"ReduceMax", []*tensor.Tensor{x, number(1)}, nil, 1},
		"gather":               {"Gather", []*tensor.Tensor{x, number(0)}, nil, 1},
		"padding":              {"Pad", []*tensor.Tensor{x, tensor.Of([]int64{0, n, 0, 0}, 4)}, []*isa.Attr{isa.StringAttrOf("mode", "edge")}, 1},
		"triangle":             {"Trilu", []*tensor.Tensor{x}, nil, 1},
		"scatter":              {"ScatterElements", []*tensor.Tensor{x, whole, x}, axis(1), 1},
		"scatter of sums":      {"ScatterElements", []*tensor.Tensor{x, whole, x}, append(axis(1), isa.StringAttrOf("reduction", "add")), 1},
		"gather of slices":     {"GatherND", []*tensor.Tensor{x, tensor.Of([]int64{0}, 1, 1)}, nil, 1},
		"scatter of slices":    {"ScatterND", []*tensor.Tensor{some, tensor.Of(elems[int64](whole.Bytes()), n, 1), some}, nil, 1},
	}
}

// call chooses the entry of a call.
func (l *longRow) call(t *testing.T, over func() bool) (*Entry, *Call) {
	t.Helper()
	op := isa.Lookup("", l.op)
	s := &Sig{Inst: &isa.Instruction{Op: uint32(op), Attr: l.attrs}}
	c := &Call{Sig: s, Over: over}
	for _, x := range l.in {
		o := Operand{DType: x.DType(), Dims: x.Dims()}
		if x.Len() <= MaxElems {
			o.Elems = x.Bytes()
		}
		s.In, c.In = append(s.In, o), append(c.In, x.Bytes())
	}
	for range l.outs {
		s.Inst.Out = append(s.Inst.Out, &isa.Result{})
	}
	var shapes [][]int64
	list := Entries(Best())
	for _, e := range list {
		if e.Op == op && shapes == nil {
			var err error
			if shapes, err = e.Shape(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range l.outs {
		d := s.In[0].DType
		switch {
		case i == 1 || l.op == "ArgMax" || l.op == "ArgMin":
			d = tensor.Int64
		case l.op == "OneHot":
			d = tensor.Float32
		}
		s.Out = append(s.Out, Operand{DType: d, Dims: shapes[i]})
		c.Out = append(c.Out, make([]byte, int(s.Out[i].Len())*d.Bits()/8))
	}
	e := Choose(list, s)
	if e == nil {
		t.Fatal("no entry")
	}
	c.Entry, c.State, c.Packed = e, e.State(s), make([][]byte, len(e.Packs))
	size := func(f func(*Sig) int64) []byte {
		if f == nil {
			return nil
		}
		return make([]byte, f(s))
	}
	c.Scratch, c.Shared = [][]byte{size(e.Scratch)}, size(e.Shared)
	return e, c
}

// run computes the tiles as a run does: none after over has said that it has ended.
func (l *longRow) run(t *testing.T, over func() bool, ended *bool) {
	t.Helper()
	e, c := l.call(t, over)
	g := e.Split(c.Sig)
	for i := range g.Tiles * max(g.Phases, 1) {
		if *ended {
			return
		}
		e.Run(c, 0, i)
	}
}

// The places of a long list are looked at in parts, too. What was not looked at must not be used: that the run has ended is an error.
func TestLongListsOfPlacesEndWithTheRun(t *testing.T) {
	const parts, n = 3, 3*rowPart + 5
	some, places, narrow := zerosOf(tensor.Float32, n), zerosOf(tensor.Int64, n), zerosOf(tensor.Int32, n)
	one := []*isa.Attr{isa.IntAttrOf("axis", 0)}
	for name, row := range map[string]longRow{
		"Gather": {"Gather", []*tensor.Tensor{some, places}, one, 1}, "Gather of i32": {"Gather", []*tensor.Tensor{some, narrow}, one, 1},
		"GatherElements":  {"GatherElements", []*tensor.Tensor{some, places}, one, 1},
		"GatherND":        {"GatherND", []*tensor.Tensor{some, zerosOf(tensor.Int64, n, 1)}, nil, 1},
		"GatherND of two": {"GatherND", []*tensor.Tensor{zerosOf(tensor.Float32, 2, 3), zerosOf(tensor.Int32, n/2, 2)}, nil, 1},
		"ScatterElements": {"ScatterElements", []*tensor.Tensor{some, places, some}, one, 1},
		"RotaryEmbedding": {"RotaryEmbedding", []*tensor.Tensor{zerosOf(tensor.Float32, n, 1, 1, 2), zerosOf(tensor.Float32, 1, 1),
			zerosOf(tensor.Float32, 1, 1), zerosOf(tensor.Int64, n, 1)}, nil, 1},
	} {
		looks, end := 0, 0
		e, c := row.call(t, func() bool { looks++; return looks == end })
		if err := e.Check(c); err != nil || looks < parts {
			t.Errorf("%s: %d looks, %v", name, looks, err)
		}
		for end = 1; end <= parts; end++ {
			looks = 0
			if err := e.Check(c); err != errEnded || looks != end {
				t.Errorf("%s: the run ends at look %d: %d looks, %v", name, end, looks, err)
			}
		}
		last := row.in[len(row.in)-1]
		if name == "ScatterElements" {
			last = row.in[1]
		}
		end = 0
		last.SetInt(last.Len()-1, n+1)
		if err := e.Check(c); err == nil || err == errEnded {
			t.Errorf("%s: a wrong place: %v", name, err)
		}
		last.SetInt(last.Len()-1, 0)
	}
}

// TestLongRowsEndWithTheRun counts how often a tile of a long row asks whether the run has ended: before each part, and
// hardly again when it has.
func TestLongRowsEndWithTheRun(t *testing.T) {
	const parts = 3
	for name, row := range longRows(parts*rowPart + 5) {
		t.Run(name, func(t *testing.T) {
			looks, ended := 0, false
			row.run(t, func() bool { looks++; return false }, &ended)
			if looks < parts-1 {
				t.Fatalf("%d looks", looks)
			}
			for _, end := range []int{1, looks} {
				n := 0
				ended = false
				row.run(t, func() bool { n++; ended = n >= end; return ended }, &ended)
				if more := n - end; !ended || more > 8 {
					t.Errorf("of %d looks the run ends at number %d: %d more", looks, end, more)
				}
			}
		})
	}
}

// Sums of parts have the bits of one sum.
func TestSumsOfPartsAreThoseOfTheRow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int64{rowPart + 1, 2*rowPart - 1, 3*rowPart + 12345} {
		x, y := floats(random(r, n).Bytes()), make([]float32, n)
		for _, tier := range []Tier{Portable, Best()} {
			f, c := tile.RowsOf(tier), &Call{}
			for name, of := range map[string]func(x, y []float32) float32{
				"sum":     func(x, _ []float32) float32 { return f.Sum(x) },
				"squares": func(x, _ []float32) float32 { return f.SumSquares(x, 0.5) },
				"exp":     func(x, y []float32) float32 { return f.ExpSum(x, y, 3) },
			} {
				got := c.join(int(n), tile.Add, func(from, to int) float32 { return of(x[from:to], y[from:to]) })
				if want := of(x, y); math.Float32bits(got) != math.Float32bits(want) {
					t.Errorf("%s of %d on %s: %v, not %v", name, n, tier, got, want)
				}
			}
			got := c.join(int(n), tile.Max, func(from, to int) float32 { return f.Max(x[from:to]) })
			if want := f.Max(x); got != want {
				t.Errorf("greatest of %d on %s: %v, not %v", n, tier, got, want)
			}
		}
	}
}

// Long lists are put in the order of short ones.
func TestLongListsAreSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, keys := range []uint64{1, 3, math.MaxUint64} {
		list := make([]ranked, 3*sortPart)
		for i := range list {
			list[i] = ranked{r.Uint64N(keys), i}
		}
		if !(&Call{}).sortRanked(list, rankedBits-1) {
			t.Fatal("it has ended")
		}
		for i := 1; i < len(list); i++ {
			if list[i-1].compare(list[i]) >= 0 {
				t.Fatalf("of %d keys, %v is before %v", keys, list[i-1], list[i])
			}
		}
	}
}
