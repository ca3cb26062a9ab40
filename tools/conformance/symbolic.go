package conformance

// This file runs a model once with symbolic sizes and substitutes the recorded
// ones into the result.

import (
	"regexp"
	"strings"

	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/symshape"
)

var imageInput = regexp.MustCompile(`^(\w+):f32\[(\d+),3,(\d+),(\d+)\]$`)

// ZooSymbolic runs the model of an image trace on x:f32[bsize,3,H,W] and compares
// what comes of it, with the recorded sizes put in, with the trace. It returns
// nil for traces of other inputs and of errors.
func ZooSymbolic(t *Trace, dist string, cache *infer.Cache) *ZooResult {
	if t.Error != nil || len(t.Case.Inputs) != 1 {
		return nil
	}
	m := imageInput.FindStringSubmatch(t.Case.Inputs[0])
	if m == nil {
		return nil
	}
	r := &ZooResult{ID: t.Case.ID + " (symbolic)", Symbolic: true}
	res, err := checkEntry(config(t, dist, cache, []string{m[1] + ":f32[bsize,3,H,W]"}))
	if err != nil {
		r.problem("%v", err)
		return r
	}
	pool := symshape.NewPool()
	sizes := map[string]string{"bsize": m[2], "H": m[3], "W": m[4]}
	env := func(s string) (int64, bool) {
		e, err := pool.Parse(sizes[s])
		if err != nil {
			return 0, false
		}
		return e.Const()
	}
	with := newMatcher(res, func(v any) any { return substitute(pool, v, env) })
	compareDocs(r, t, record.Build(res), with)
	compareOps(r, t, res, with)
	return r
}

// substitute evaluates the sizes in all type strings of a JSON value.
func substitute(pool *symshape.Pool, v any, env func(string) (int64, bool)) any {
	switch v := v.(type) {
	case string:
		i := strings.IndexByte(v, '[')
		if i < 0 || !strings.HasSuffix(v, "]") {
			return v
		}
		shape, err := pool.ParseShape(v[i:])
		if err != nil {
			return v
		}
		for k, d := range shape {
			if d.Expr == nil {
				return v
			}
			n, err := d.Expr.Eval(env)
			if err != nil {
				return v
			}
			shape[k] = pool.ConstDim(n)
		}
		return v[:i] + shape.String()
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = substitute(pool, e, env)
		}
		return out
	case map[string]any:
		if s, ok := v["int"].(string); ok && len(v) == 1 {
			if e, err := pool.Parse(s); err == nil {
				if n, err := e.Eval(env); err == nil {
					return float64(n)
				}
			}
			return v
		}
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = substitute(pool, e, env)
		}
		return out
	}
	return v
}
