package torch_test

// This file tests the rules of views, indexing, joining and products on symbolic
// sizes, which the recorded calls do not have.

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/opstest"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// tensorOf makes an argument from a type string such as f32[bsize,64,H//2].
func tensorOf(t *testing.T, th *opstest.Thread, text string) *value.Tensor {
	t.Helper()
	d, shape, _ := strings.Cut(text, "[")
	dt, ok := dtype.Parse(d)
	s, err := th.Pool().ParseShape("[" + shape)
	if !ok || err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	ty := graph.TensorType{DType: dt, Ranked: true, Shape: s}
	return &value.Tensor{Header: th.Heap().Header(), V: th.Graph().Input("", ty, source.Span{})}
}

// intOf makes an int argument from an expression.
func intOf(t *testing.T, th *opstest.Thread, text string) value.Value {
	t.Helper()
	e, err := th.Pool().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return value.FromDim(symshape.MakeDim(e))
}

// argOf reads an argument of a case: a tensor, an int expression, a string in
// quotes, None, or a list of ints in parentheses.
func argOf(t *testing.T, th *opstest.Thread, text string) value.Value {
	t.Helper()
	switch {
	case text == "None":
		return value.None
	case text == "...":
		return value.Ellipsis
	case strings.HasPrefix(text, "'"):
		return value.Str(strings.Trim(text, "'"))
	case strings.HasPrefix(text, "{"): // a list of arguments
		var elems []value.Value
		for _, p := range symshape.SplitList(text[1 : len(text)-1]) {
			elems = append(elems, argOf(t, th, strings.TrimSpace(p)))
		}
		return th.Heap().NewList(elems)
	case strings.HasPrefix(text, "<"): // an index expression
		var elems []value.Value
		for _, p := range symshape.SplitList(text[1 : len(text)-1]) {
			elems = append(elems, argOf(t, th, strings.TrimSpace(p)))
		}
		return value.NewTuple(elems...)
	case strings.Contains(text, ":"):
		parts := strings.Split(text, ":")
		for len(parts) < 3 {
			parts = append(parts, "")
		}
		var bound [3]value.Value
		for i, p := range parts {
			bound[i] = value.None
			if p != "" {
				bound[i] = intOf(t, th, p)
			}
		}
		return &value.Slice{Start: bound[0], Stop: bound[1], Step: bound[2]}
	}
	if d, _, ok := strings.Cut(text, "["); ok {
		if _, isType := dtype.Parse(d); isType {
			return tensorOf(t, th, text)
		}
	}
	return intOf(t, th, text)
}

func applyTo(t *testing.T, th *opstest.Thread, name string, args ...value.Value) (value.Value, error) {
	t.Helper()
	op, ok := catalog.Lookup(name)
	if !ok {
		t.Fatalf("no record of %s", name)
	}
	return catalog.Apply(th, op, name, args, nil)
}

func conds(th *opstest.Thread) string {
	var list []string
next:
	for _, c := range th.Required {
		for _, s := range c.Symbols() {
			if s.IsFresh() {
				continue next // the interpreter leaves these out of the contract
			}
		}
		list = append(list, c.String())
	}
	return strings.Join(list, " and ")
}

func TestSymbolicShapes(t *testing.T) {
	for _, c := range []struct{ name, args, want, requires string }{
		{"torch.Tensor.view", "f32[bsize,64,H//32,W//32] | bsize | -1", "f32[bsize,64*(H//32)*(W//32)]", ""},
		{"torch.Tensor.view", "f32[bsize,16,5,5] | -1 | 400", "f32[bsize,400]", ""},
		{"torch.Tensor.view", "f32[B,T,C] | B | T | 8 | C//8", "f32[B,T,8,C//8]", "C % 8 == 0"},
		{"torch.Tensor.view", "f32[B,T,C] | B | T | 8 | -1", "f32[B,T,8,C//8]", "C % 8 == 0"},
		{"torch.Tensor.view", "f32[B,H,W,C] | B | H//4 | 4 | W//4 | 4 | C", "f32[B,H//4,4,W//4,4,C]", "H % 4 == 0 and W % 4 == 0"},
		{"torch.Tensor.view", "f32[B,T,8*C] | B*T | -1 | 8", "f32[B*T,C,8]", ""},
		{"torch.Tensor.reshape", "f32[B,2*C,H,W] | B | 2 | C | H | W", "f32[B,2,C,H,W]", ""},
		{"torch.flatten", "f32[B,C,H,W] | 1", "f32[B,C*H*W]", ""},
		{"torch.Tensor.unflatten", "f32[B,6*C] | 1 | (3,-1)", "f32[B,3,2*C]", ""},
		{"torch.Tensor.permute", "f32[B,C,H,W] | 0 | 2 | 3 | 1", "f32[B,H,W,C]", ""},
		{"torch.Tensor.expand", "f32[B,1,W] | -1 | H | W", "f32[B,H,W]", ""},
		{"torch.Tensor.unfold", "f32[B,L] | 1 | 4 | 2", "f32[B,(L-4)//2+1,4]", "4 <= L"},
		{"torch.diagonal", "f32[N,N]", "f32[N]", ""},
		{"torch.narrow", "f32[B,L] | 1 | 2 | K", "f32[B,K]", "K + 2 <= L"},
		{"torch.cat", "{f32[B,C,H], f32[B,D,H]} | 1", "f32[B,C+D,H]", ""},
		{"torch.cat", "{f32[B,C,H], f32[B,D,W]} | 1", "f32[B,C+D,H]", "H == W"},
		{"torch.stack", "{f32[B,C], f32[B,C], f32[B,C]} | -1", "f32[B,C,3]", ""},
		{"torch.chunk", "f32[B,3*C] | 3 | 1", "(f32[B,C], f32[B,C], f32[B,C])", ""},
		{"torch.chunk", "f32[B,C] | 2 | 1", "(f32[B,(C+1)//2], f32[B,C//2])", "C >= 2"},
		{"torch.Tensor.split", "f32[B,3*C] | C | 1", "(f32[B,C], f32[B,C], f32[B,C])", ""},
		{"torch.split", "f32[B,C] | (2,C-2) | 1", "(f32[B,2], f32[B,C-2])", "C >= 2"},
		{"torch.tensor_split", "f32[N] | 2", "(f32[(N+1)//2], f32[N//2])", ""},
		{"torch.Tensor.repeat", "f32[B,C] | 2 | 1 | K", "f32[2,B,C*K]", ""},
		{"torch.Tensor.__getitem__", "f32[B,L] | <:,1:>", "f32[B,L-1]", ""},
		{"torch.Tensor.__getitem__", "f32[B,L] | <:,:-1>", "f32[B,L-1]", ""},
		{"torch.Tensor.__getitem__", "f32[B,L] | <:,::2>", "f32[B,(L+1)//2]", ""},
		{"torch.Tensor.__getitem__", "f32[B,2*L] | <:,L:>", "f32[B,L]", ""},
		{"torch.Tensor.__getitem__", "f32[B,L] | <:,:K>", "f32[B,min(L,K)]", ""},
		{"torch.Tensor.__getitem__", "f32[B,H] | <:,2:H-2>", "f32[B,max(H-4,0)]", ""},
		{"torch.Tensor.__getitem__", "f32[B,L,C] | <:,-1>", "f32[B,C]", ""},
		{"torch.Tensor.__getitem__", "f32[B,L,C] | <...,None,0>", "f32[B,L,1]", ""},
		{"torch.Tensor.__getitem__", "f32[B,L,C] | i64[K]", "f32[K,L,C]", ""},
		{"torch.Tensor.__getitem__", "f32[B,L,C] | <:,i64[K,1],i64[M]>", "f32[B,K,M]", ""},
		{"torch.Tensor.__getitem__", "f32[B,L,C] | <i64[K],:,i64[K]>", "f32[K,L]", ""},
		{"torch.Tensor.__getitem__", "f32[B,L] | bool[B,L]", "f32[u0]", ""},
		{"torch.Tensor.__getitem__", "f32[B,L,C] | <bool[B,L]>", "f32[u0,C]", ""},
		{"torch.gather", "f32[B,V] | 1 | i64[B,K]", "f32[B,K]", ""},
		{"torch.matmul", "f32[B,h,T,d] | f32[B,h,d,S]", "f32[B,h,T,S]", ""},
		{"torch.matmul", "f32[B,T,C] | f32[C,D]", "f32[B,T,D]", ""},
		{"torch.einsum", "'bhqd,bhkd->bhqk' | f32[B,8,Q,D] | f32[B,8,K,D]", "f32[B,8,Q,K]", ""},
		{"torch.einsum", "'...ij,jk' | f32[B,T,I,J] | f32[J,K]", "f32[B,T,I,K]", ""},
		{"torch.linalg.svd", "f32[B,N,N]", "linalg_svd(U=f32[B,N,N], S=f32[B,N], Vh=f32[B,N,N])", ""},
	} {
		th := opstest.NewThread()
		var args []value.Value
		for _, a := range strings.Split(c.args, " | ") {
			if strings.HasPrefix(a, "(") {
				a = "<" + a[1:len(a)-1] + ">"
			}
			args = append(args, argOf(t, th, a))
		}
		v, err := applyTo(t, th, c.name, args...)
		if err != nil {
			t.Errorf("%s(%s): %v", c.name, c.args, err)
			continue
		}
		if got := v.String(); !sameType(t, th, got, c.want) {
			t.Errorf("%s(%s) = %s, want %s", c.name, c.args, got, c.want)
		}
		if got := conds(th); !sameConds(t, th, got, c.requires) {
			t.Errorf("%s(%s) requires %q, want %q", c.name, c.args, got, c.requires)
		}
	}
}

// sameType compares type strings up to the canonical form of expressions.
func sameType(t *testing.T, th *opstest.Thread, got, want string) bool {
	return canonical(t, th, got) == canonical(t, th, want)
}

func canonical(t *testing.T, th *opstest.Thread, text string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '[')
		if i < 0 {
			return b.String() + text
		}
		j := strings.IndexByte(text, ']')
		s, err := th.Pool().ParseShape(text[i : j+1])
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		b.WriteString(text[:i] + s.String())
		text = text[j+1:]
	}
}

func sameConds(t *testing.T, th *opstest.Thread, got, want string) bool {
	if got == want || got == "" || want == "" {
		return got == want
	}
	a, err1 := th.Pool().ParseCond(got)
	b, err2 := th.Pool().ParseCond(want)
	if err1 != nil || err2 != nil {
		t.Fatalf("%q, %q: %v %v", got, want, err1, err2)
	}
	return a == b
}

func TestSymbolicFaults(t *testing.T) {
	for _, c := range []struct{ name, args, want string }{
		{"torch.Tensor.view", "f32[bsize,16,6,6] | bsize | 400", "576 instead of 400"},
		{"torch.Tensor.view", "f32[2,16,6,6] | -1 | 401", "576 instead of 401"},
		{"torch.Tensor.view", "f32[2,3] | 7", "it has 6 elements, not 7"},
		{"torch.Tensor.reshape", "f32[B,4,4] | B | 15", "16 instead of 15"},
		{"torch.Tensor.__getitem__", "f32[B,3] | <:,3>", "index 3 is out of range for dimension 1"},
		{"torch.cat", "{f32[B,C,4], f32[B,C,5]} | 1", "sizes must match except in dimension 1"},
		{"torch.matmul", "f32[B,T,64] | f32[32,D]", "64"},
		{"torch.einsum", "'ij,jk->ik' | f32[N,4] | f32[5,M]", "label 'j' has size 5"},
		{"torch.einsum", "'ij,jk->il' | f32[N,4] | f32[4,M]", "label 'l'"},
	} {
		th := opstest.NewThread()
		var args []value.Value
		for _, a := range strings.Split(c.args, " | ") {
			args = append(args, argOf(t, th, a))
		}
		v, err := applyTo(t, th, c.name, args...)
		var exc *value.Exception
		if !errors.As(err, &exc) {
			t.Errorf("%s(%s) = %v, %v; want an error", c.name, c.args, v, err)
			continue
		}
		if !strings.Contains(exc.Diag.Msg, c.want) {
			t.Errorf("%s(%s): %q lacks %q", c.name, c.args, exc.Diag.Msg, c.want)
		}
	}
}

// A view of a permuted tensor needs a copy unless the moved dimensions stay apart.
func TestViewOfPermuted(t *testing.T) {
	for _, c := range []struct {
		shape string
		order []int
		view  string
		ok    bool
	}{
		{"f32[B,C,H,W]", []int{0, 2, 3, 1}, "B|H*W|C", true},
		{"f32[B,C,H,W]", []int{0, 2, 3, 1}, "B|H*W*C", false},
		{"f32[B,C,H,W]", []int{0, 2, 3, 1}, "B|-1", false},
		{"f32[B,T,8,D]", []int{0, 2, 1, 3}, "B|8|T*D", false},
		{"f32[B,T,8,D]", []int{0, 2, 1, 3}, "B|8|T|D", true},
		{"f32[B,1,8,D]", []int{0, 2, 1, 3}, "B|8*D", true},
		{"f32[B,2,3]", []int{0, 2, 1}, "B|6", false},
	} {
		th := opstest.NewThread()
		x := value.Value(tensorOf(t, th, c.shape))
		args := []value.Value{x}
		for _, o := range c.order {
			args = append(args, value.Int(o))
		}
		y, err := applyTo(t, th, "torch.Tensor.permute", args...)
		if err != nil {
			t.Fatal(err)
		}
		sizes := []value.Value{y}
		for _, s := range strings.Split(c.view, "|") {
			sizes = append(sizes, intOf(t, th, s))
		}
		_, err = applyTo(t, th, "torch.Tensor.view", sizes...)
		if (err == nil) != c.ok {
			t.Errorf("%s.permute(%v).view(%s): error %v", c.shape, c.order, c.view, err)
		}
		if _, err = applyTo(t, th, "torch.Tensor.reshape", sizes...); err != nil {
			t.Errorf("%s.permute(%v).reshape(%s): %v", c.shape, c.order, c.view, err)
		}
	}
}

// The size of a slice with symbolic bounds must be Python's for all values.
func TestSliceSizesAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	bounds := []string{"", "a", "-a", "b-3", "n-a", "n//2", "-2", "3", "a*2", "n-4", "2-b", "a-b"}
	for _, lo := range bounds {
		for _, hi := range bounds {
			for _, step := range []string{"", "3"} {
				th := opstest.NewThread()
				x := tensorOf(t, th, "f32[n]")
				th.Pool().Symbol("a")
				th.Pool().Symbol("b")
				v, err := applyTo(t, th, "torch.Tensor.__getitem__", x, argOf(t, th, lo+":"+hi+":"+step))
				if err != nil {
					t.Fatalf("[%s:%s:%s]: %v", lo, hi, step, err)
				}
				d := v.(*value.Tensor).Type().Shape[0]
				for range 60 {
					vals := map[string]int64{"n": 1 + rng.Int64N(9), "a": 1 + rng.Int64N(9), "b": 1 + rng.Int64N(9)}
					want := pySliceLen(t, th, vals, lo, hi, step)
					got, err := d.Expr.Eval(symshape.Env(vals))
					if err != nil || got != want {
						t.Fatalf("[%s:%s:%s] with %v: %s = %d %v, want %d", lo, hi, step, vals, d, got, err, want)
					}
				}
			}
		}
	}
}

func pySliceLen(t *testing.T, th *opstest.Thread, vals map[string]int64, lo, hi, step string) int64 {
	n := vals["n"]
	bound := func(text string, def int64) int64 {
		if text == "" {
			return def
		}
		e, err := th.Pool().Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		v, err := e.Eval(symshape.Env(vals))
		if err != nil {
			t.Fatal(err)
		}
		if v < 0 {
			v += n
		}
		return min(max(v, 0), n)
	}
	k := int64(1)
	if step != "" {
		fmt.Sscan(step, &k)
	}
	size := max(bound(hi, n)-bound(lo, 0), 0)
	return (size + k - 1) / k
}

// What one mask selects has one size.
func TestMaskHasOneSize(t *testing.T) {
	th := opstest.NewThread()
	mask := tensorOf(t, th, "bool[N]")
	a, err := applyTo(t, th, "torch.Tensor.__getitem__", tensorOf(t, th, "f32[N,4]"), mask)
	if err != nil {
		t.Fatal(err)
	}
	b, err := applyTo(t, th, "torch.Tensor.__getitem__", tensorOf(t, th, "f32[N]"), mask)
	if err != nil {
		t.Fatal(err)
	}
	x, y := a.(*value.Tensor).Type().Shape[0], b.(*value.Tensor).Type().Shape[0]
	if x.Expr != y.Expr || !x.Expr.IsFresh() {
		t.Errorf("sizes %s and %s", x, y)
	}
	c, err := applyTo(t, th, "torch.Tensor.__getitem__", tensorOf(t, th, "f32[N]"), tensorOf(t, th, "bool[N]"))
	if err != nil {
		t.Fatal(err)
	}
	if z := c.(*value.Tensor).Type().Shape[0]; z.Expr == x.Expr {
		t.Errorf("another mask gives %s as well", z)
	}
}

// Of a list of unknown length all tensors are alike.
func TestJoinOfOpenList(t *testing.T) {
	th := opstest.NewThread()
	pieces, err := applyTo(t, th, "torch.Tensor.unbind", tensorOf(t, th, "f32[B,T,D]"), value.Int(1))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"torch.stack": "f32[T,B,D]", "torch.cat": "f32[B*T,D]"} {
		v, err := applyTo(t, th, name, pieces)
		if err != nil {
			t.Fatal(err)
		}
		if !sameType(t, th, v.String(), want) {
			t.Errorf("%s of an open list: %s, want %s", name, v, want)
		}
	}
}

// Contents that are tracked stay tracked through views, joins and assignments.
func TestTrackedContents(t *testing.T) {
	th := opstest.NewThread()
	x := tensorOf(t, th, "i64[2,3]")
	x.SetContents([]value.Value{value.Int(0), value.Int(1), value.Int(2), value.Int(3), value.Int(4), value.Int(5)})
	want := func(v value.Value, err error, elems ...int64) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		got := v.(*value.Tensor).Contents()
		if len(got) != len(elems) {
			t.Fatalf("got %v, want %v", got, elems)
		}
		for i, e := range got {
			if n, ok := value.AsInt(e); !ok || n != elems[i] {
				t.Fatalf("got %v, want %v", got, elems)
			}
		}
	}
	y, err := applyTo(t, th, "torch.Tensor.t", x)
	want(y, err, 0, 3, 1, 4, 2, 5)
	z, err := applyTo(t, th, "torch.Tensor.__getitem__", x, argOf(t, th, "<:,::2>"))
	want(z, err, 0, 2, 3, 5)
	idx := tensorOf(t, th, "i64[2]")
	idx.SetContents([]value.Value{value.Int(2), value.Int(-3)})
	z, err = applyTo(t, th, "torch.Tensor.__getitem__", x, value.NewTuple(argOf(t, th, ":"), idx))
	want(z, err, 2, 0, 5, 3)
	z, err = applyTo(t, th, "torch.cat", th.Heap().NewList([]value.Value{x, x}), value.Int(1))
	want(z, err, 0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5)
	z, err = applyTo(t, th, "torch.flip", x, value.NewTuple(value.Int(1)))
	want(z, err, 2, 1, 0, 5, 4, 3)
	if _, err = applyTo(t, th, "torch.Tensor.__setitem__", x, argOf(t, th, "<1,1:>"), value.Int(9)); err != nil {
		t.Fatal(err)
	}
	want(x, nil, 0, 1, 2, 3, 9, 9)
	if c := y.(*value.Tensor).Contents(); c != nil {
		t.Errorf("a view still has the contents %v after its base was written", c)
	}
}
