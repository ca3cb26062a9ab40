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
		k := key{*at, canonical(o.Name)}
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
		k := key{*o.At, canonical(o.Fn)}
		n := seen[k]
		seen[k]++
		list := logged[k]
		if n >= len(list) {
			if implicit[o.Fn] {
				continue
			}
			if len(list) == 0 || i < prefix {
				r.opProblem(i, o, different, "is missing")
				continue
			}
			n = len(list) - 1 // from here on the record is one of several paths
		}
		v, why := matchOp(m, list[n], o)
		if i >= prefix && v == different {
			// Another iteration or path of ours may be the one that was recorded.
			for _, other := range list {
				if x, _ := matchOp(m, other, o); x < v {
					v = x
				}
			}
			v = max(v, dataDependent)
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
