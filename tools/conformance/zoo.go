package conformance

// This file runs torchvision's models and compares every module call, the
// parameters and the output with the recorded trace.

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
)

// A ZooResult is the comparison of one trace.
type ZooResult struct {
	ID          string
	ModuleCalls Counts
	Problems    []string // the first differences
	Symbolic    bool
	// Ops are the calls of library functions, by the user's code and by PyTorch's
	// own modules.
	Ops        Counts
	OpProblems []string
}

// OK reports whether everything agreed.
func (r *ZooResult) OK() bool {
	return r.ModuleCalls.OK() && r.Ops.OK() && len(r.Problems) == 0 && len(r.OpProblems) == 0
}

// maxProblems bounds the differences kept of one trace.
const maxProblems = 12

func (r *ZooResult) problem(format string, args ...any) {
	if len(r.Problems) < maxProblems {
		r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
	}
}

// Zoo runs the model of a trace with its recorded inputs, torchvision's sources
// being under dist.
func Zoo(t *Trace, dist string, cache *infer.Cache) *ZooResult {
	r := &ZooResult{ID: t.Case.ID}
	res, err := checkEntry(config(t, dist, cache, t.Case.Inputs))
	if err != nil {
		r.problem("%v", err)
		return r
	}
	m := newMatcher(res, nil)
	compareDocs(r, t, record.Build(res), m)
	compareOps(r, t, res, m)
	if err := graph.Verify(res.Graph); err != nil {
		r.problem("the graph is not well formed: %v", err)
	}
	return r
}

// config runs a model of torchvision as it was recorded; inputs are the recorded ones or those
// with symbols.
func config(t *Trace, dist string, cache *infer.Cache, inputs []string) infer.Config {
	args := make([]string, 0, len(inputs))
	kw := make([]string, 0, len(t.Case.KwInputs))
	for _, a := range inputs {
		args = append(args, argument(a))
	}
	for _, a := range t.Case.KwInputs {
		kw = append(kw, argument(a))
	}
	return infer.Config{Cache: cache, Device: infer.DeviceCPU, Module: "torchvision", Roots: []string{dist}, Entry: t.Case.Entry, Args: args,
		ArgsByName: kw,
		Positional: true, Eval: !t.Case.Train, TorchVersion: "1.13.0", NoGrad: true, LogOps: true}
}

// argument writes an input of a trace as on our command line.
func argument(a string) string {
	return strings.ReplaceAll(tensorCall.ReplaceAllString(a, "$1"), "DEVICE", `"cpu"`)
}

// tensorCall is how the traces write a tensor inside an expression.
var tensorCall = regexp.MustCompile(`T\("([^"]*)"\)`)

// normal gives the JSON form of v as decoding would.
func normal(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		return err.Error()
	}
	return out
}

// withNone writes the arguments of a call that may be None as one of two values.
func withNone(c *record.Call) {
	for _, place := range c.Optional {
		if i, err := strconv.Atoi(place); err == nil {
			c.In[i] = map[string]any{"one_of": []any{nil, c.In[i]}}
		} else {
			c.Kw[place] = map[string]any{"one_of": []any{nil, c.Kw[place]}}
		}
	}
}

// compareDocs compares what the document says with the trace.
func compareDocs(r *ZooResult, t *Trace, doc *record.Document, m *matcher) {
	for i := range t.Calls {
		want := &t.Calls[i]
		if i >= len(doc.Calls) {
			r.ModuleCalls.add(different)
			r.problem("call %d %s is missing", i, want.Name)
			continue
		}
		got := &doc.Calls[i]
		withNone(got)
		why := ""
		worst := equal
		differs := func(got, want any) bool {
			v := m.match(got, want)
			worst = max(worst, v)
			return v > dataDependent
		}
		switch {
		case str(got.Name) != want.Name || got.Class != want.Class:
			why = fmt.Sprintf("is %s %s", str(got.Name), got.Class)
		case str(got.At) != str(want.At):
			why = fmt.Sprintf("at %s, not %s", str(got.At), str(want.At))
		case differs(got.In, normalIn(want.In)):
			why = fmt.Sprintf("in %v, not %v", normal(got.In), want.In)
		case differs(kwOf(got.Kw), kwOf(want.Kw)):
			why = fmt.Sprintf("keywords %v, not %v", normal(got.Kw), want.Kw)
		case want.Error != "":
			// Where PyTorch stopped the types inside are the last that count.
		case differs(got.Out, want.Out):
			why = fmt.Sprintf("out %v, not %v", normal(got.Out), want.Out)
		}
		if why != "" {
			if worst <= dataDependent { // a difference that is no value
				worst = different
			}
			r.problem("call %d %s %s: %s", i, want.Name, want.Class, why)
		}
		r.ModuleCalls.add(worst)
	}
	if t.Error == nil && len(doc.Calls) > len(t.Calls) {
		r.problem("%d calls, not %d", len(doc.Calls), len(t.Calls))
	}
	if len(t.Parameters) > 0 && !reflect.DeepEqual(doc.Parameters, t.Parameters) {
		r.problem("parameters differ: %s", firstDiff(doc.Parameters, t.Parameters))
	}
	if len(t.Buffers) > 0 && !reflect.DeepEqual(doc.Buffers, t.Buffers) {
		r.problem("buffers differ: %s", firstDiff(doc.Buffers, t.Buffers))
	}
	compareEnd(r, t, doc, m)
}

func normalIn(v []any) any {
	if v == nil {
		return []any{}
	}
	return v
}

func kwOf(m map[string]any) any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// compareEnd compares how both runs ended: with an output, or with an error, which must be at the
// same place.
func compareEnd(r *ZooResult, t *Trace, doc *record.Document, m *matcher) {
	var errs []record.Diagnostic
	for _, d := range doc.Diagnostics {
		if d.Severity == diag.Error.String() {
			errs = append(errs, d)
		} else if t.Error == nil {
			r.problem("%s %s:%d %s", d.Code, d.File, d.Line, d.Message)
		}
	}
	if t.Error == nil {
		for _, d := range errs {
			r.problem("false alarm %s %s:%d %s", d.Code, d.File, d.Line, d.Message)
		}
		if m.match(doc.Output, t.Output) > dataDependent {
			r.problem("output %v, not %v", normal(doc.Output), t.Output)
		}
		return
	}
	if len(errs) == 0 {
		r.problem("no error where PyTorch raises %s at %s", t.Error.Type, t.Error.At)
		return
	}
	parts := strings.Split(t.Error.At, ":")
	if len(parts) > 1 && !strings.HasSuffix(fmt.Sprintf("/%s:%d", errs[0].File, errs[0].Line), "/"+parts[0]+":"+parts[1]) {
		r.problem("error at %s:%d, not at %s: %s", errs[0].File, errs[0].Line, t.Error.At, errs[0].Message)
	}
}

func str(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

func firstDiff(a, b [][2]string) string {
	for i := range b {
		if i >= len(a) {
			return fmt.Sprintf("%v is missing", b[i])
		}
		if a[i] != b[i] {
			return fmt.Sprintf("%v, not %v", a[i], b[i])
		}
	}
	return fmt.Sprintf("%v is too many", a[len(b)])
}
