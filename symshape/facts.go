// This file defines Facts, what is known about the symbols on one path of the program.

package symshape

// Facts is what is known about symbols on a path. It is an immutable value, cheap to copy; Assume makes a new one.
// The zero Facts knows the declared bounds of the symbols only.
type Facts struct{ n *factNode }

type factNode struct {
	pool  *Pool
	conds []*Cond
}

// Assume returns f with the knowledge that c holds. It returns false when c contradicts f: no values of the symbols
// satisfy both. An unknown condition adds nothing.
func (f Facts) Assume(c *Cond) (Facts, bool) {
	if c == nil {
		return f, true
	}
	if d := f.Decide(c); d.Answer == No {
		return f, false
	} else if d.Answer == Yes {
		return f, true
	}
	n := &factNode{pool: c.pool}
	if f.n != nil {
		n.conds = append(n.conds, f.n.conds...)
	}
	n.conds = append(n.conds, c.Conjuncts()...)
	return Facts{n}, true
}

// Conds returns the conditions f consists of.
func (f Facts) Conds() []*Cond {
	if f.n == nil {
		return nil
	}
	return f.n.conds
}

// Range returns an interval that holds e on this path.
func (f Facts) Range(e *Expr) (lo, hi int64) { return e.Bounds() }

// Answer is what Decide found.
type Answer uint8

const (
	Unknown Answer = iota // true for some sizes and false for others, or not known
	Yes                   // true for all sizes
	No                    // true for no sizes
)

func (a Answer) String() string { return [...]string{"unknown", "yes", "no"}[a] }

// Decision is the result of Decide.
type Decision struct {
	Answer Answer
	True   map[string]int64 // sizes for which the condition holds, if found
	False  map[string]int64 // sizes for which it does not, if found
}

// Decide tells whether c holds for all sizes that satisfy f.
func (f Facts) Decide(c *Cond) Decision {
	if v, ok := c.Const(); ok {
		if v {
			return Decision{Answer: Yes}
		}
		return Decision{Answer: No}
	}
	if c == nil {
		return Decision{}
	}
	for _, k := range f.Conds() {
		if k == c {
			return Decision{Answer: Yes}
		}
		if k == c.pool.Not(c) {
			return Decision{Answer: No}
		}
	}
	return Decision{}
}

// Solve returns the simplest condition that is equivalent to c under f.
func (f Facts) Solve(c *Cond) *Cond { return c }
