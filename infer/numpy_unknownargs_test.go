package infer

// This file holds every function of numpy against the rule that an unknown value stays
// unknown: no shape and no dtype is made up for it.

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/symshape/dtype"
)

// undeciding are parameters that decide neither shape nor dtype of any result: with an
// unknown value for one of them the result may be known.
var undeciding = strings.Fields(`order subok like device casting rtol atol equal_nan kind assume_unique tol rcond hermitian check_valid shuffle replace p
	method UPLO norm optimize copy stable base left right period align uic write inplace discont edgeitems mode fill_value nan posinf neginf
	max_rows allow_pickle delimiter sorter side unique_labels strict err_msg verbose endpoint`)

// followsAnyway are calls of which the result does not depend on what is not known.
var followsAnyway = map[string]string{
	"np.fromfile(u)":                          "the default dtype, and a size of its own",
	"np.fromfile([1, u])":                     "the same",
	"np.random.get_state([1, u])":             "a list with elements is true",
	"np.polynomial.Polynomial.degree([1, u])": "two coefficients",
}

// An unknownCall is a call with an unknown argument.
type unknownCall struct{ text, param string }

// unknownCalls makes the calls of a record: each parameter gets the unknown value once, by
// position where it has one and by keyword, and the parameters that a call needs get an array.
func unknownCalls(expr string, sig *ops.Signature, method bool) (out []unknownCall) {
	params := sig.Params
	if method && len(params) > 0 {
		params = params[1:]
	}
	for k, p := range params {
		var args []string
		needed := true
		for i, q := range params {
			switch {
			case i == k && (p.KwOnly || len(args) < i):
				args = append(args, q.Name+"=u")
			case i == k:
				args = append(args, "u")
			case q.HasDef || q.Optional && q.HasDef || q.Name == "":
			case q.KwOnly:
				args = append(args, q.Name+"=1")
			case len(args) == i:
				args = append(args, "np.ones((2, 2), int)")
			default:
				needed = false
			}
		}
		if needed {
			out = append(out, unknownCall{expr + "(" + strings.Join(args, ", ") + ")", p.Name})
		}
		if k > 0 && !p.KwOnly && p.HasDef && p.Name != "" { // also by keyword
			out = append(out, unknownCall{fmt.Sprintf("%s(%s)", expr, strings.Join(append(needs(params), p.Name+"=u"), ", ")), p.Name})
		}
	}
	return out
}

// needs are arrays for the parameters without defaults.
func needs(params []ops.Param) (args []string) {
	for _, q := range params {
		if !q.HasDef && !q.KwOnly {
			args = append(args, "np.ones((2, 2), int)")
		}
	}
	return args
}

// invented says what a result has that cannot follow from an unknown argument, or is "".
func invented(v value.Value) string {
	switch x := v.(type) {
	case *value.Unknown, nil:
		return ""
	case *value.Tensor:
		switch ty := x.Type(); {
		case ty.Ranked && len(ty.Shape) == 0 && ty.DType != dtype.Unknown:
			return "the scalar " + x.String()
		case ty.Ranked && ty.DType != dtype.Unknown:
			return "the array " + x.String()
		}
	case *value.Instance:
		if ops.IsNumpyScalar(x) {
			return "a scalar " + x.Class.Name
		}
	case *value.Tuple:
		for _, e := range x.Elems {
			if s := invented(e); s != "" {
				return s
			}
		}
	case *value.List:
		for _, e := range x.Elems {
			if s := invented(e); s != "" {
				return s
			}
		}
	case value.Float, value.Int, *value.SymFloat, *value.SymInt:
		return "the number " + v.String()
	}
	return ""
}

func TestUnknownArgumentsOfNumpyStayUnknown(t *testing.T) {
	calls := map[string]unknownCall{}
	add := func(c unknownCall) { calls[c.text] = c }
	catalog.Of(numpy.Library, func(op *ops.Op) {
		for _, full := range op.Names {
			name, ok := strings.CutPrefix(full, "numpy.")
			if !ok || strings.HasSuffix(name, ".get") || strings.HasSuffix(name, ".set") || strings.Contains(name, "generic.") {
				continue
			}
			method, isMethod := strings.CutPrefix(name, "ndarray.")
			expr := "np." + name
			if isMethod {
				expr = "np.ones((2, 2), int)." + method
			}
			if kept, isGenerator := strings.CutPrefix(name, "random._g_"); isGenerator {
				expr = "np.random.default_rng(1)." + kept
			}
			sigs := op.Signatures()
			for i := range sigs {
				for _, c := range unknownCalls(expr, &sigs[i], isMethod) {
					add(c)
				}
			}
		}
	})
	data, err := os.ReadFile("testdata/numpy_names.txt") // those that are Python code, too
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 && (f[1] == "callable" || f[1] == "ufunc") {
			name := numpyName(f[0])
			add(unknownCall{name + "(u)", ""})
			add(unknownCall{name + "(np.ones((2, 2), int), u)", ""})
			add(unknownCall{name + "([1, u])", ""})
		}
	}
	texts := make([]string, 0, len(calls))
	for text := range calls {
		texts = append(texts, text)
	}
	slices.Sort(texts)
	for _, version := range [...]string{"1.23.5", "2.4.6"} {
		run, err := newModuleRun("2.15.0", version)
		if err != nil {
			t.Fatal(err)
		}
		unknown := 0
		for _, text := range texts {
			c := calls[text]
			if slices.Contains(undeciding, c.param) {
				continue
			}
			vars := map[string]value.Value{"u": run.in.Unknown("an unknown value")}
			got, err := run.in.evalText(run.main, "call", text, vars)
			if err != nil {
				continue
			}
			if value.IsUnknown(got) {
				unknown++
			}
			if x, ok := got.(*value.Tensor); ok && c.param == "dtype" && x.Type().DType == dtype.Bool {
				continue // a comparison gives bools, or refuses the dtype
			}
			if s := invented(got); s != "" && followsAnyway[text] == "" {
				t.Errorf("numpy %s: %s gives %s", version, text, s)
			}
		}
		if unknown < len(texts)/3 { // else the calls are refused, and nothing was asked
			t.Errorf("numpy %s: of %d calls %d give an unknown value", version, len(texts), unknown)
		}
		t.Logf("numpy %s: %d calls, %d give an unknown value", version, len(texts), unknown)
	}
}

// TestInventedResultsAreSeen holds the test above to what it must find.
func TestInventedResultsAreSeen(t *testing.T) {
	run, err := newModuleRun("2.15.0", "2.4.6")
	if err != nil {
		t.Fatal(err)
	}
	vars := map[string]value.Value{"u": run.in.Unknown("an unknown value")}
	for _, text := range [...]string{"np.zeros(())", "np.zeros((2, 3))", "np.float32(1)", "(u, np.ones(2))", "[u, 1.5]"} {
		got, err := run.in.evalText(run.main, "call", text, vars)
		if err != nil || invented(got) == "" {
			t.Errorf("%s: %v, %v: nothing is found", text, got, err)
		}
	}
}

// TestWritesOfUnknownValuesForgetElements holds the elements of an array after something was written that is not known, or to a
// place that is not known.
func TestWritesOfUnknownValuesForgetElements(t *testing.T) {
	run, err := newModuleRun("2.15.0", "1.23.5")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.Split(`x.__setitem__(u, 9)
operator.setitem(x, u, 9)
operator.setitem(x, slice(1, 3), u)
np.put(x, u, 9)
np.put_along_axis(x, u, 9, 0)
np.fill_diagonal(x.reshape(2, 2), u)
np.add.at(x, u, 9)
np.maximum.at(x, [0], u)
np.copyto(x, u)
np.place(x, u, [1])
np.putmask(x, u, 3)
x.fill(u)
x.sort(axis=u)
x.put(u, 3)
x.itemset(u, 3)
x.byteswap(inplace=True)
x.clip(u, u, x)
x.choose(u, out=x)
np.add(x, u, out=x)
np.cumsum(u, out=x)
np.einsum(u, u, out=x)
np.concatenate(u, out=x)
np.maximum.accumulate(u, out=x)
np.take(u, [0], out=x)`, "\n") {
		got, err := run.in.evalText(run.main, "call", "[(x := np.arange(4)), (v := x[1:]), "+text+", x.tolist()[1], v.tolist()[0], x.shape[0]]",
			map[string]value.Value{
				"u": run.in.Unknown("an unknown value"), "operator": must(run.in.Import("operator"))})
		list, ok := got.(*value.List)
		if err != nil || !ok {
			t.Errorf("%s: %v, %v", text, got, err)
			continue
		}
		for i, e := range list.Elems[3:] {
			if _, known := e.(value.Int); known != (i == 2) {
				t.Errorf("%s: element %d is %s", text, i, e)
			}
		}
	}
}

func must(m value.Value, err error) value.Value {
	if err != nil {
		panic(err)
	}
	return m
}
