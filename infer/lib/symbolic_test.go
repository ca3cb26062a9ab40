package lib

// This file tests the builtins on sizes. H and W are symbols, N is a symbol with
// the example value 6, D a fresh size from data.

import (
	"errors"
	"strings"
	"testing"

	"shapecheck/infer/value"
	"shapecheck/symshape"
)

func symbolicThread() *testThread {
	th := newTestThread()
	for _, n := range [...]string{"H", "W"} {
		th.vars[n] = &value.SymInt{D: th.pool.SymDim(n)}
	}
	th.vars["N"] = &value.SymInt{D: symshape.MakeDimValue(th.pool.Symbol("N"), 6)}
	th.vars["U"] = th.Unknown("test")
	th.vars["S"] = th.w.abstractStr(th, "name{H}")
	th.vars["F"] = &value.SymFloat{}
	th.vars["L"] = th.heap.NewOpenList(&value.Open{Elem: value.Int(3), Len: th.pool.SymDim("H")})
	return th
}

// show prints a value with its symbolic parts.
func show(th *testThread, v value.Value) string {
	switch x := v.(type) {
	case *value.SymInt:
		if x.D.Unknown() {
			return "int=?"
		}
		return x.D.String()
	case *value.SymFloat:
		switch {
		case x.R.Known() && x.Known:
			return value.FloatRepr(x.Val) + " (" + x.R.String() + ")"
		case x.R.Known():
			return x.R.String()
		case x.Known:
			return value.FloatRepr(x.Val)
		}
		return "float"
	case *value.SymBool:
		s := x.Cond.String()
		for _, c := range th.data {
			if c == x.Cond {
				s = "data"
			}
		}
		if x.Known {
			return value.BoolRepr(x.Val) + " (" + s + ")"
		}
		return s
	case *value.Unknown:
		return "?"
	case *value.Abstract:
		return x.Class.Name + "~" + x.Text
	case *value.List:
		if x.Open != nil && x.Class == th.w.tuple {
			return "(" + show(th, x.Open.Elem) + " * " + x.Open.Len.String() + ")"
		}
		if x.Open != nil {
			return "[" + show(th, x.Open.Elem) + " * " + x.Open.Len.String() + "]"
		}
		parts := make([]string, len(x.Elems))
		for i, e := range x.Elems {
			parts[i] = show(th, e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *value.Tuple:
		parts := make([]string, len(x.Elems))
		for i, e := range x.Elems {
			parts[i] = show(th, e)
		}
		return "(" + strings.Join(parts, ", ") + ")"
	case *value.Iterator:
		if x.Open != nil {
			return x.Name + "[" + show(th, x.Open.Elem) + " * " + x.Open.Len.String() + "]"
		}
	}
	s, _ := th.Repr(v)
	return s
}

func TestBuiltinsOnSizes(t *testing.T) {
	for _, c := range [...][2]string{
		{"H + 1", "H + 1"}, {"2 * H - H", "H"}, {"H - H", "0"}, {"H // 2", "H // 2"}, {"H % 2", "H % 2"},
		{"(H * 4) // 2", "2*H"}, {"-H", "-H"}, {"~H", "-H - 1"}, {"+H", "H"}, {"H ** 2", "H**2"}, {"H << 3", "8*H"}, {"H >> 1", "H // 2"},
		{"H & 7", "H % 8"}, {"H & -8", "8*(H // 8)"}, {"abs(-H)", "H"}, {"N + 1", "7 (N + 1)"}, {"N // 4", "1 (N // 4)"},
		{"H / 2", "H / 2"}, {"N / 4", "1.5 (N / 4)"}, {"int(H / 2)", "H // 2"}, {"round(H / 2) - round(H / 2)", "0"}, {"int(H * 0.5)", "H // 2"},
		{"int(N * 0.29)", "1 (int(N * 0.29))"}, {"H // 2.0 * 2", "2*(H // 2)"}, {"divmod(H, 4)", "(H // 4, H % 4)"},
		{"float(H) == H", "True"}, {"H == H", "True"}, {"H == W", "H == W"}, {"H != H", "False"}, {"H > 0", "True"}, {"H >= 1", "True"},
		{"H < 1", "False"}, {"H < 5", "H <= 4"}, {"N == 6", "True (N == 6)"}, {"N < 4", "False (N <= 3)"}, {"H == 'a'", "False"},
		{"H == None", "False"},
		{"H < float('inf')", "True"}, {"H < 2**70", "True"}, {"H == 0.5", "False"}, {"H < 3.5", "H <= 3"}, {"H / 2 > 1", "ceil(H / 2) >= 2"},
		{"(H, 1) == (H, 1)", "True"}, {"(H, 1) == (W, 1)", "H == W"}, {"(H, 1) == (W, 2)", "False"}, {"[H] == [W]", "H == W"},
		{"(H,) == [H]", "False"},
		{"H in (1, W)", "H == 1 or H == W"}, {"H in [H]", "True"}, {"H in ('a',)", "False"}, {"3 in range(H)", "H >= 4"},
		{"0 in range(H)", "True"},
		{"max(H, 1)", "H"}, {"max(H, W)", "max(H, W)"}, {"min(H, 8)", "min(H, 8)"}, {"max([H, H + 1])", "H + 1"}, {"max(H, 0.5)", "H"},
		{"min(H, float('inf'))", "H"}, {"sum([H, W, 1])", "H + W + 1"}, {"sum((H, W))", "H + W"}, {"all([H > 0, 1])", "True"},
		{"all([H > 3, W > 3])", "H >= 4 and W >= 4"},
		{"any([H > 3, 0])", "H >= 4"}, {"any([H > 3, True])", "True"}, {"bool(H)", "True"}, {"bool(H - 1)", "H != 1"}, {"not H", "False"},
		{"len(range(H))", "H"}, {"len(range(0, H, 2))", "ceil(H / 2)"}, {"len(range(H, H + 4))", "4"},
		{"list(range(H, H + 3))", "[H, H + 1, H + 2]"},
		{"range(H)[0]", "0"}, {"range(H)[-1]", "H - 1"}, {"iter(range(H))", "range_iterator[i0 * H]"},
		{"enumerate(range(H))", "enumerate[(i1, i0) * H]"},
		{"list(range(H))", "[i0 * H]"}, {"[0] * H", "[0 * H]"}, {"len([0] * H)", "H"}, {"[1, 2] * 2", "[1, 2, 1, 2]"},
		{"len([0] * H + [1])", "H + 1"},
		{"(1,) * H", "?"}, {"(0,) * N", "(0, 0, 0, 0, 0, 0)"}, {"[5, 6, 7][H]", "int=?"}, {"[5, 5][H]", "5"}, {"'abc'[H]", "str~"},
		{"'ab' * H", "str~"},
		{"len(L)", "H"}, {"L[0]", "3"}, {"sum(L)", "3*H"}, {"L + [3]", "[3 * H + 1]"}, {"L[:]", "[3 * H]"}, {"list(L)", "[3 * H]"},
		{"sorted(L)", "[3 * H]"},
		{"list(map(str, L))", "['3' * H]"}, {"list(zip(L, L))", "[(3, 3) * H]"}, {"list(zip(L, [1, 1]))", "[(3, 1) * min(H, 2)]"},
		{"tuple(L)", "(3 * H)"}, {"tuple(L) + (3,)", "(3 * H + 1)"}, {"(3,) + tuple(L)", "(3 * H + 1)"}, {"tuple(L)[:]", "(3 * H)"},
		{"tuple(L) == (3,)", "data"}, {"tuple(L) == [3]", "False"}, {"tuple(L) < (3,)", "data"}, {"tuple(L) * 2", "(3 * 2*H)"},
		{"tuple(L) + [3]", "!TypeError: can only concatenate tuple (not \"list\") to tuple"},
		{"L + (3,)", "!TypeError: can only concatenate list (not \"tuple\") to list"},
		{"(3,) + L", "!TypeError: can only concatenate tuple (not \"list\") to tuple"}, {"'%d' % tuple(L)", "str~"}, {"max(L)", "3"},
		{"3 in L", "data"}, {"L == [3]", "data"}, {"all(L)", "data"}, {"L.append(3); L", "[3 * H + 1]"}, {"L.pop(); L", "[3 * H - 1]"},
		{"bool(L)", "True"},
		{"str(H)", "str~H"}, {"'%d x %d' % (H, 3)", "str~H x 3"}, {"f'{H} and {N}'", "'H and 6 (N)'"}, {"'{}-{}'.format(H, 1)", "str~H-1"},
		{"'-'.join([S, 'b'])", "str~name{H}-b"},
		{"S + 'x'", "str~name{H}x"}, {"S.upper()", "str~"}, {"S == 'a'", "data"}, {"S in ['b']", "data"}, {"len(S)", "n0"},
		{"S.split(',')", "[str~ * ?]"}, {"S == 1", "False"},
		{"{H: 1}[H]", "1"}, {"{H: 1}.get(W)", "?"}, {"{'a': 1}.get(H)", "None"}, {"{(H, W): 2}[(H, W)]", "2"}, {"{6: 'x', 7: 'y'}[N]", "'x'"},
		{"{1: 2}[U]", "?"},
		{"len({H, H})", "1"}, {"len({(H, 1), (H, 1)})", "1"}, {"len({H, W}) == 2", "data"}, {"isinstance(H, int)", "True"},
		{"type(H / 2)", "<class 'float'>"},
		{"U + 1", "?"}, {"len(U)", "?"}, {"isinstance(U, int)", "?"}, {"int(U)", "?"}, {"str(U)", "str~"}, {"max(U, 1)", "?"},
		{"[U] == [1]", "?"}, {"(1, U) == (2, U)", "False"},
		{"F + 1", "float"}, {"int(F)", "int=?"}, {"F > 0", "data"}, {"H * F", "float"}, {"round(F, 2)", "float"}, {"F == F", "data"},
		{"(H > 3) & (W > 3)", "H >= 4 and W >= 4"}, {"(H > 3) + 0", "min(max(H - 3, 0), 1)"}, {"sorted([H, 1])", "[int=?, int=?]"},
		{"sorted([H + 1, H])", "[H, H + 1]"},
		{"H.bit_length()", "n0"}, {"(H / 2).is_integer()", "H // 2 == ceil(H / 2)"}, {"hash((H, 1)) == hash((H, 1))", "True"},
		{"pow(H, 2)", "H**2"},
		{"[1, 2, 3, 4][:N - 4]", "[1, 2]"}, {"H.real", "H"}, {"round(H)", "H"}, {"round(H, 2)", "H"}, {"int(H)", "H"},
	} {
		th := symbolicThread()
		v, err := th.run(c[0])
		var got string
		var e *value.Exception
		switch {
		case errors.As(err, &e):
			s, _ := th.Str(e.Value)
			got = "!" + e.Value.Class.Name + ": " + s
		case err != nil:
			got = "error: " + err.Error()
		default:
			got = show(th, v)
		}
		if got != c[1] {
			t.Errorf("%s: got %s, want %s", c[0], got, c[1])
		}
	}
}

func TestDivisionBySizeThatMayBeZero(t *testing.T) {
	th := symbolicThread()
	if _, err := th.run("W // (H - 4)"); err != nil {
		t.Fatal(err)
	}
	if len(th.required) != 1 || th.required[0].String() != "H != 4" {
		t.Errorf("required %v, want H != 4", th.required)
	}
	if _, err := th.run("W // (H - H)"); !value.IsException(err, th.Class("ZeroDivisionError")) {
		t.Errorf("division by zero: %v", err)
	}
}

func TestIndexByExampleIsACondition(t *testing.T) {
	th := symbolicThread()
	v, err := th.run("[10, 11, 12][N - 5]")
	if err != nil || v != value.Value(value.Int(11)) {
		t.Fatalf("got %v, %v", v, err)
	}
	if len(th.required) != 1 || th.required[0].String() != "N == 6" {
		t.Errorf("required %v, want N == 6", th.required)
	}
}
