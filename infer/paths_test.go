package infer_test

// This file holds what the analysis finds of programs with undecided conditions
// against what Python gave on every path; see testdata/record_paths.py.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/tools/golden"
)

func TestPaths(t *testing.T) {
	paths, err := filepath.Glob("../testdata/paths/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, p := range paths {
		ar, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range golden.Cases(ar) {
			t.Run(strings.TrimSuffix(filepath.Base(p), ".txtar")+"/"+c.Name, func(t *testing.T) { runPaths(t, &c) })
		}
	}
}

// runPaths checks that the output of a program covers every recorded result, and
// that an error is reported only where Python raises.
func runPaths(t *testing.T, c *golden.Case) {
	var signs, text string
	unknown := false
	for _, line := range strings.Split(c.Header, "\n") {
		if n, ok := strings.CutPrefix(line, "signs: "); ok {
			signs = n
		}
		unknown = unknown || line == "unknown: yes"
	}
	for _, f := range c.Files {
		if f.Name == "prog.py" {
			text = string(f.Data)
		}
	}
	want, ok := c.Section("want/python")
	if lengths, found := header(c, "lengths"); found && ok && text != "" {
		runLengths(t, text, lengths, want)
		return
	}
	if !ok || signs == "" || text == "" {
		t.Fatal("a case needs signs: or lengths:, prog.py and want/python")
	}
	r, err := infer.Run(infer.Config{File: "prog.py", Text: text, Args: []string{"x:f32[" + signs + "]"}})
	if err != nil {
		t.Fatal(err)
	}
	raises, all := false, true
	for _, line := range strings.Split(strings.TrimSpace(want), "\n") {
		var v any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		if m, ok := v.(map[string]any); ok && m["raises"] != nil {
			raises = true
			continue
		}
		all = false
		if r.Output == nil || !covers(r.Facts, r.Output, v) {
			t.Errorf("Python can give %s, the analysis gives %v%s", line, r.Output, ranges(r.Facts, r.Output))
		}
	}
	for _, d := range r.Diagnostics {
		if d.Severity == diag.Error && !raises {
			t.Errorf("false alarm: %s", d.Msg)
		}
	}
	if all && r.Output != nil && !value.IsUnknown(r.Output) && len(r.Diagnostics) == 0 {
		t.Errorf("every path raises, the analysis gives %v", r.Output)
	}
	if !unknown && len(r.Unknown) > 0 {
		t.Errorf("unknown: %s", r.Unknown[0].Reason)
	}
}

// covers reports whether an abstract value may be the recorded one.
func covers(f symshape.Facts, v value.Value, want any) bool {
	switch v := v.(type) {
	case *value.Unknown:
		return true
	case *value.Choice:
		if v.Cond != nil {
			switch f.Decide(v.Cond).Answer {
			case symshape.Yes:
				return covers(f, v.Then, want)
			case symshape.No:
				return covers(f, v.Else, want)
			}
		}
		return covers(f, v.Then, want) || covers(f, v.Else, want)
	}
	m, _ := want.(map[string]any)
	list := func(elems []value.Value, want any) bool {
		w, ok := want.([]any)
		if !ok || len(w) != len(elems) {
			return false
		}
		for i, e := range elems {
			if !covers(f, e, w[i]) {
				return false
			}
		}
		return true
	}
	long := func(n int, d symshape.Dim) bool {
		if d.Expr == nil {
			return true
		}
		lo, hi := f.Range(d.Expr)
		return lo <= int64(n) && int64(n) <= hi
	}
	switch v := v.(type) {
	case value.Bool:
		return want == bool(v)
	case *value.SymBool:
		_, ok := want.(bool)
		return ok
	case value.Int:
		n, ok := want.(float64)
		return ok && int64(n) == int64(v)
	case *value.SymInt:
		n, ok := want.(float64)
		return ok && long(int(n), v.D)
	case value.Str:
		return want == string(v)
	case value.Float:
		return m["float"] != nil && m["float"] == floatText(float64(v))
	case *value.SymFloat:
		return m["float"] != nil
	case *value.Abstract:
		_, ok := want.(string)
		return ok && v.Class.Name == "str"
	case *value.Tuple:
		return m["tuple"] != nil && list(v.Elems, m["tuple"])
	case *value.List:
		if v.Open == nil {
			return list(v.Elems, want)
		}
		w, ok := want.([]any)
		for _, x := range w {
			ok = ok && v.Open.Elem != nil && covers(f, v.Open.Elem, x)
		}
		return ok && long(len(w), v.Open.Len)
	case *value.Dict:
		return coversDict(f, v, m["dict"])
	case *value.Tensor:
		w, ok := m["tensor"].([]any)
		ty := v.Type()
		if !ok || ty.Ranked && len(ty.Shape) != len(w) {
			return false
		}
		for i := range ty.Shape {
			ok = ok && long(int(w[i].(float64)), ty.Shape[i])
		}
		return ok
	}
	return v == value.None && want == nil
}

func coversDict(f symshape.Facts, d *value.Dict, want any) bool {
	pairs, ok := want.([]any)
	if !ok || len(pairs) < d.Len() || len(pairs) > d.Len() && d.Open == nil {
		return false
	}
	found := 0
	for _, p := range pairs {
		k, x := p.([]any)[0], p.([]any)[1]
		at := -1
		for i := range d.Len() {
			if covers(f, d.Key(i), k) {
				at = i
			}
		}
		switch {
		case at >= 0 && covers(f, d.At(at), x):
			found++
		case d.Open == nil || d.Open.Elem != nil && !covers(f, d.Open.Elem, x):
			return false
		}
	}
	return found == d.Len()
}

// floatText is Python's repr of a float that needs no exponent.
func floatText(x float64) string {
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s = fmt.Sprint(s, ".0")
	}
	return s
}

// ranges tells between which bounds the integers of a value are.
func ranges(f symshape.Facts, v value.Value) string {
	switch v := v.(type) {
	case *value.SymInt:
		if v.D.Expr != nil {
			lo, hi := f.Range(v.D.Expr)
			return fmt.Sprintf(" (%v: %d..%d)", v.D.Expr, lo, hi)
		}
	case *value.Tuple:
		s := ""
		for _, e := range v.Elems {
			s += ranges(f, e)
		}
		return s
	case *value.List:
		if v.Open != nil && v.Open.Elem != nil {
			return ranges(f, v.Open.Elem) + ranges(f, &value.SymInt{D: v.Open.Len})
		}
	}
	return ""
}
