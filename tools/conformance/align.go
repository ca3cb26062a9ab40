package conformance

// This file aligns the recorded calls of a function at a place with ours. A
// recorded run is one path through ours: where data decides a branch ours has the
// calls of both sides, and where it decides the length of a loop ours has one
// iteration that stands for all.

import (
	"slices"

	"shapecheck/infer"
)

// Prices of an alignment; the cheapest is taken.
const (
	priceData      = 1
	priceUnknown   = 10_000
	priceDifferent = 10_000_000
)

var prices = [...]int{equal: 0, dataDependent: priceData, unknown: priceUnknown, different: priceDifferent}

// A step says which call of ours stands for a recorded one: its index, or -1.
type step struct {
	ours int
	verdict
	why string
}

// align finds the cheapest way to read the recorded calls as a path through ours,
// and the calls of ours that every path makes but the record lacks.
func align(recorded int, ours []*infer.OpCall, match func(i, j int) (verdict, string)) (steps []step, extra []int) {
	if steps, ok := pairwise(recorded, len(ours), match); ok {
		return steps, nil
	}
	a := &alignment{ours: ours, loops: loopsOf(ours)}
	type cell struct {
		price int
		step  step
		from  int // the position before the step
		skip  bool
	}
	n := len(ours)
	// rows[i][j]: i recorded calls were read, and the run stands before ours[j].
	rows := make([][]cell, recorded+1)
	for i := range rows {
		rows[i] = make([]cell, n+1)
		for j := range rows[i] {
			rows[i][j] = cell{price: -1}
		}
		if i == 0 {
			rows[0][0] = cell{from: -1}
		} else {
			for j, c := range rows[i-1] {
				if c.price < 0 {
					continue
				}
				reach := func(k int, s step, price int) {
					if d := &rows[i][k]; d.price < 0 || price < d.price {
						*d = cell{price: price, step: s, from: j}
					}
				}
				reach(j, step{-1, different, "is missing"}, c.price+priceDifferent+1)
				if j < n {
					v, why := match(i-1, j)
					reach(j+1, step{j, v, why}, c.price+prices[v])
				}
			}
		}
		row := rows[i]
		move := func(from, to, price int) bool {
			if row[from].price < 0 {
				return false
			}
			if p := row[from].price + price; row[to].price < 0 || p < row[to].price {
				row[to] = cell{price: p, from: from, skip: true}
				return true
			}
			return false
		}
		for changed := true; changed; {
			changed = false
			for j := range n {
				changed = move(j, j+1, a.skipPrice(j)) || changed
			}
			for _, l := range a.loops {
				for j := l.start + 1; j <= l.end; j++ {
					changed = move(j, l.start, 0) || changed
				}
			}
		}
	}
	steps = make([]step, recorded)
	i, j := recorded, n
	for {
		c := rows[i][j]
		switch {
		case c.skip:
			if c.from < j && a.skipPrice(c.from) > 0 {
				extra = append(extra, c.from)
			}
			j = c.from
		case c.from < 0:
			slices.Reverse(extra)
			return steps, extra
		default:
			steps[i-1] = c.step
			i, j = i-1, c.from
		}
	}
}

// pairwise takes the n-th call for the n-th.
func pairwise(recorded, ours int, match func(i, j int) (verdict, string)) ([]step, bool) {
	if recorded != ours {
		return nil, false
	}
	steps := make([]step, recorded)
	for i := range steps {
		v, why := match(i, i)
		if v > dataDependent {
			return nil, false
		}
		steps[i] = step{i, v, why}
	}
	return steps, true
}

type alignment struct {
	ours  []*infer.OpCall
	loops []span
}

// A span holds the calls of an iteration that stands for all.
type span struct{ start, end int }

// loopsOf are the spans of our operations that lie in loops, from the first to the last one of
// each loop.
func loopsOf(ours []*infer.OpCall) []span {
	at := map[int]int{}
	var out []span
	for j, o := range ours {
		for _, l := range o.Loops {
			k, ok := at[l]
			if !ok {
				k = len(out)
				at[l] = k
				out = append(out, span{start: j})
			}
			out[k].end = j + 1
		}
	}
	return out
}

// skipPrice is the price of a path that does not make call j.
func (a *alignment) skipPrice(j int) int {
	if o := a.ours[j]; o.Maybe || len(o.Loops) > 0 {
		return 0
	}
	return priceDifferent
}
