package conformance

// This file compares the log of op applications with the recorded ops.

import (
	"fmt"
	"strings"

	"shapecheck/infer"
	"shapecheck/infer/ops"
	"shapecheck/internal/report"
)

// A TraceOp is a recorded call of a torch function.
type TraceOp struct {
	Fn    string         `json:"fn"`
	At    *string        `json:"at"`
	M     *int           `json:"m"`
	In    []any          `json:"in"`
	Kw    map[string]any `json:"kw"`
	Out   any            `json:"out"`
	Lib   int            `json:"lib"`
	Error any            `json:"error"`
}

// Counts are the outcomes of a comparison.
type Counts struct{ Compared, Equal, Different, Unknown, Data int }

func (c *Counts) add(v verdict) {
	c.Compared++
	switch v {
	case equal:
		c.Equal++
	case dataDependent:
		c.Data++
	case unknown:
		c.Unknown++
	default:
		c.Different++
	}
}

// Add adds other to c.
func (c *Counts) Add(other Counts) {
	c.Compared += other.Compared
	c.Equal += other.Equal
	c.Different += other.Different
	c.Unknown += other.Unknown
	c.Data += other.Data
}

// implicit are calls that Python's protocols make without an expression of
// their own; the interpreter takes the values directly.
var implicit = map[string]bool{
	"torch.Tensor.__bool__": true, "torch.Tensor.__int__": true, "torch.Tensor.__float__": true, "torch.Tensor.__len__": true,
	"torch.Tensor.__index__": true, "torch.Tensor.unbind": true,
}

// isImplicit reports whether op i is such a call; iterating over a tensor asks
// for its dim first.
func (t *Trace) isImplicit(i int) bool {
	o := &t.Ops[i]
	if implicit[o.Fn] {
		return true
	}
	return o.Fn == "torch.Tensor.dim" && i+1 < len(t.Ops) && t.Ops[i+1].Fn == "torch.Tensor.unbind" && *t.Ops[i+1].At == *o.At
}

// place names an expression by its file and its end: the records start the call
// of a method at the method's name when that stands on a line of its own.
func place(at string) string {
	i, j := strings.LastIndexByte(at, '-'), strings.IndexByte(at, ':')
	if i < 0 || j < 0 || j > i {
		return at
	}
	return at[:j] + "-" + at[i+1:]
}

// compareOps compares every recorded op of the user's own code with ours at the
// same place: the n-th call of the function there with our n-th. Calls that
// library code makes are its own business; those places are covered by the
// module calls.
func compareOps(r *ZooResult, t *Trace, res *infer.Result, m *matcher) {
	type key struct {
		at string
		op string
	}
	logged := map[key][]*infer.OpCall{}
	for _, o := range res.Ops {
		if o.Lib {
			continue
		}
		at := report.Span(res.Files, o.At)
		if at == nil {
			continue
		}
		k := key{place(*at), canonical(o.Name)}
		logged[k] = append(logged[k], o)
	}
	prefix := len(t.Ops)
	if n, ok := t.prefix("ops_prefix"); ok {
		prefix = n
	}
	seen := map[key]int{}
	for i := range t.Ops {
		o := &t.Ops[i]
		if o.Lib != 0 || o.At == nil || o.Error != nil {
			continue
		}
		k := key{place(*o.At), canonical(o.Fn)}
		n := seen[k]
		seen[k]++
		list := logged[k]
		if len(list) == 0 {
			if !t.isImplicit(i) {
				r.opProblem(i, o, different, "is missing")
			}
			continue
		}
		v, why := different, "is missing"
		if n < len(list) {
			v, why = matchOp(m, list[n], o)
		}
		if v > dataDependent {
			// Where data decides, ours runs both branches, or one iteration for all:
			// then another call at this place stands for the recorded one.
			for _, other := range list {
				x, y := matchOp(m, other, o)
				if x = max(x, dataDependent); x < v {
					v, why = x, y
				}
			}
			if i >= prefix {
				v = max(dataDependent, min(v, unknown))
			}
		}
		r.opProblem(i, o, v, why)
	}
}

func matchOp(m *matcher, got *infer.OpCall, want *TraceOp) (verdict, string) {
	if got.Out == nil {
		return different, "raises"
	}
	out := report.Value(got.Out)
	if v := m.match(out, want.Out); v > dataDependent {
		return v, fmt.Sprintf("out %v, not %v", text(out), want.Out)
	} else if v == dataDependent {
		return v, ""
	}
	worst := equal
	for i, w := range want.In {
		if i >= len(got.In) {
			break
		}
		if s, ok := w.(string); ok && strings.HasSuffix(s, "]") { // tensors; other arguments have many spellings
			in := report.Value(got.In[i])
			v := m.match(in, w)
			if v > dataDependent {
				return v, fmt.Sprintf("in %d: %v, not %v", i, text(in), w)
			}
			worst = max(worst, v)
		}
	}
	return worst, ""
}

func text(v any) any { return normal(v) }

// canonical names the record of a function, so that x + y is torch.add.
func canonical(name string) string {
	if op, ok := ops.Lookup(name); ok {
		return op.Names[0]
	}
	return name
}

func (r *ZooResult) opProblem(i int, o *TraceOp, v verdict, why string) {
	r.Ops.add(v)
	if v > dataDependent && len(r.OpProblems) < maxProblems {
		at := ""
		if o.At != nil {
			at = *o.At
		}
		r.OpProblems = append(r.OpProblems, fmt.Sprintf("op %d %s %s: %s", i, o.Fn, at, why))
	}
}

// prefix is a number of notes.data_dependent.
func (t *Trace) prefix(name string) (int, bool) {
	d, ok := t.Notes["data_dependent"].(map[string]any)
	if !ok {
		return 0, false
	}
	n, ok := d[name].(float64)
	return int(n), ok
}
