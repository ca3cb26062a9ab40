// This file remembers answers from one set of facts to another. A branch adds a fact, and most questions are about other
// symbols: what is asked of them, with the facts that concern it, is what it was.

package symshape

import (
	"cmp"
	"slices"
)

// A questionKey is all that the proof of an answer depends on.
type questionKey struct {
	cond  *Cond
	given int // of Pool.list
}

// A listKey is a list of conditions by its number and what follows it.
type listKey struct {
	list int
	next *Cond
}

// list numbers lists of conditions: those of the same conditions have one number, the empty one 0.
func (p *Pool) list(conds []*Cond) int {
	n := 0
	for _, c := range slices.SortedFunc(slices.Values(conds), func(a, b *Cond) int { return cmp.Compare(a.id, b.id) }) {
		k := listKey{n, c}
		if n = p.lists[k]; n == 0 {
			n = len(p.lists) + 1
			p.lists[k] = n
		}
	}
	return n
}

// earlier is what is known of a question from all facts under which it was asked.
type earlier struct {
	// quick is what the quick proof gave, if tried, and parts what proveByParts gave, if triedParts.
	quick, parts      Answer
	tried, triedParts bool
	// settled says that decide answered, without facts that refuse sizes: answer, and the sizes of the question's
	// symbols for which its condition holds and fails; nil: none.
	settled          bool
	answer           Answer
	holding, failing map[string]int64
}

// earlier gives what is known of q. Rules of the facts take part in proofs by cases, and are not in the key: with them
// nothing is.
func (q *question) earlier() *earlier {
	if n := q.facts.n; n != nil && len(n.rules) > 0 {
		return &earlier{}
	}
	k := questionKey{q.cond, q.pool.list(q.given)}
	e := q.pool.earlier[k]
	if e == nil {
		e = &earlier{}
		q.pool.earlier[k] = e
	}
	return e
}

// remember keeps an answer. Where the facts refused sizes, others might be found under other facts.
func (q *question) remember(e *earlier, d Decision) {
	if q.refused {
		return
	}
	e.settled, e.answer = true, d.Answer
	if d.True != nil {
		e.holding = d.True.values
	}
	if d.False != nil {
		e.failing = d.False.values
	}
}

// recall gives what decide would, if the facts allow the sizes that were found.
func (q *question) recall(e *earlier) (d Decision, ok bool) {
	if !e.settled {
		return d, false
	}
	d.Answer = e.answer
	if e.holding != nil {
		if d.True = q.witness(e.holding); d.True == nil {
			return Decision{}, false
		}
	}
	if e.failing != nil {
		if d.False = q.witness(e.failing); d.False == nil {
			return Decision{}, false
		}
	}
	return d, true
}
