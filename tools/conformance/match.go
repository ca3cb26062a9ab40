package conformance

// This file compares a JSON value of ours with a recorded one, where sizes may
// depend on data.

import (
	"math"
	"strings"

	"shapecheck/infer"
	"shapecheck/symshape"
)

// A verdict is the outcome of a comparison; the greater is the worse.
type verdict int

const (
	equal verdict = iota
	// dataDependent: ours is an expression in symbols that data decides, and what
	// is known of them admits the recorded number; or the record itself says that
	// two runs differed.
	dataDependent
	// unknown: ours lost the value.
	unknown
	different
)

// A matcher compares the values of one run.
type matcher struct {
	pool  *symshape.Pool
	facts symshape.Facts
	// subst puts the recorded sizes in for the entry's symbols; nil: there are none.
	subst func(any) any
}

func newMatcher(res *infer.Result, subst func(any) any) *matcher {
	return &matcher{pool: res.Pool, facts: res.Facts, subst: subst}
}

// match compares v, a value of record.Value, with a recorded one.
func (m *matcher) match(v, want any) verdict {
	v = normal(v)
	if m.subst != nil {
		v = m.subst(v)
	}
	return m.values(v, want)
}

// values compares a value with a recorded one, both as JSON has them. A container is as good as its worst part; a map with a
// key for a kind of value, such as a tensor, is compared by special.
func (m *matcher) values(got, want any) verdict {
	if g, ok := got.(map[string]any); ok {
		if v, ok := m.special(g, want); ok {
			return v
		}
	}
	switch want := want.(type) {
	case string:
		g, ok := got.(string)
		if !ok {
			return different
		}
		return m.types(g, want)
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(want) {
			return different
		}
		return m.lists(g, want)
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(want) {
			return different
		}
		worst := equal
		for k, w := range want {
			x, ok := g[k]
			if !ok {
				return different
			}
			worst = max(worst, m.values(x, w))
		}
		return worst
	case float64:
		g, ok := got.(float64)
		if ok && (g == want || math.Abs(g-want) <= 1e-12*math.Abs(want)) {
			return equal
		}
		return different
	}
	if got == want {
		return equal
	}
	return different
}

func (m *matcher) lists(got, want []any) verdict {
	worst := equal
	for i := range want {
		worst = max(worst, m.values(got[i], want[i]))
	}
	return worst
}

// special compares the forms that only our values have.
func (m *matcher) special(g map[string]any, want any) (verdict, bool) {
	if _, ok := g["unknown"]; ok {
		return unknown, true
	}
	if list, ok := g["one_of"].([]any); ok {
		best := different
		for _, x := range list {
			best = min(best, max(dataDependent, m.values(x, want)))
		}
		return best, true
	}
	if elem, ok := g["list_of"]; ok {
		// A tuple of a number of elements that data decide is one of our open lists.
		if t, ok := want.(map[string]any); ok && len(t) == 1 {
			want = t["tuple"]
		}
		if want == "?" {
			return dataDependent, true
		}
		list, ok := want.([]any)
		n, _ := g["len"].(string)
		if !ok {
			return different, true
		}
		worst := max(dataDependent, m.size(n, len(list)))
		for _, w := range list {
			worst = max(worst, m.values(elem, w))
		}
		return worst, true
	}
	if len(g) != 1 {
		return different, false
	}
	if s, ok := g["int"].(string); ok {
		if n, ok := want.(float64); ok {
			return m.size(s, int(n)), true
		}
		if want == "?" {
			return m.open(s), true
		}
		return different, true
	}
	if g["bool"] == "?" {
		if _, ok := want.(bool); ok || want == "?" {
			return dataDependent, true
		}
		return different, true
	}
	if g["float"] == "?" {
		switch w := want.(type) {
		case float64:
			return dataDependent, true
		case string:
			if w == "?" {
				return dataDependent, true
			}
		case map[string]any:
			_, ok := w["float"]
			if ok {
				return dataDependent, true
			}
		}
		return different, true
	}
	return different, false
}

// size compares a size of ours, an expression, with a recorded number.
func (m *matcher) size(text string, n int) verdict {
	if text == "?" {
		return unknown
	}
	e, err := m.pool.Parse(text)
	if err != nil {
		return different
	}
	return m.expr(e, int64(n))
}

// expr compares an inferred size with the recorded one: a number must be equal, and an expression
// must at least be able to be.
func (m *matcher) expr(e *symshape.Expr, n int64) verdict {
	if e == nil {
		return unknown
	}
	if c, ok := e.Const(); ok {
		if c == n {
			return equal
		}
		return different
	}
	if lo, hi := m.facts.Range(e); n < lo || n > hi {
		return different
	}
	if m.facts.Decide(m.pool.Eq(e, m.pool.Const(n))).Answer == symshape.No {
		return different
	}
	return dataDependent
}

// open compares a size with one on which two recorded runs differed: it cannot
// be a constant.
func (m *matcher) open(text string) verdict {
	e, err := m.pool.Parse(text)
	if err != nil {
		return unknown
	}
	if _, ok := e.Const(); ok {
		return different
	}
	return dataDependent
}

// types compares type strings.
func (m *matcher) types(got, want string) verdict {
	if got == want && !strings.Contains(want, "?") {
		return equal
	}
	gd, gs, ok1 := splitType(got)
	wd, ws, ok2 := splitType(want)
	if !ok1 || !ok2 {
		return different
	}
	worst := equal
	switch {
	case gd == "?":
		worst = unknown
	case gd != wd:
		return different
	}
	if len(gs) > 0 && gs[0] == "*" {
		return unknown
	}
	if len(gs) != len(ws) {
		return different
	}
	shape, err := m.pool.ParseShape("[" + strings.Join(gs, ",") + "]")
	if err != nil {
		return different
	}
	recorded, err := m.pool.ParseShape("[" + strings.Join(ws, ",") + "]")
	if err != nil {
		return different
	}
	for i, d := range shape {
		n, isConst := recorded[i].Const()
		switch {
		case d.Expr == nil && !d.Known:
			worst = max(worst, unknown)
		case !isConst:
			if _, ok := d.Const(); ok {
				return different
			}
			worst = max(worst, dataDependent)
		default:
			worst = max(worst, m.expr(d.Expr, n))
		}
	}
	return worst
}

// splitType takes "f32[a,b]" apart; commas inside parentheses do not separate.
func splitType(s string) (dtype string, dims []string, ok bool) {
	i := strings.IndexByte(s, '[')
	if i < 0 || !strings.HasSuffix(s, "]") {
		return "", nil, false
	}
	body := s[i+1 : len(s)-1]
	depth, start := 0, 0
	for k := 0; k <= len(body); k++ {
		switch {
		case k == len(body) || body[k] == ',' && depth == 0:
			if d := strings.TrimSpace(body[start:k]); d != "" {
				dims = append(dims, d)
			}
			start = k + 1
		case body[k] == '(':
			depth++
		case body[k] == ')':
			depth--
		}
	}
	return s[:i], dims, true
}
