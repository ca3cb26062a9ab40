package kernel

// This file walks rows that are too long for one step: between their parts it is looked whether the run has ended.

import (
	"errors"

	"shapecheck/runtime/kernel/tile"
)

// rowPart is the most elements that are walked between two looks, about a millisecond. It is a multiple of
// tile.MaxRow, so that functions of rows cut their pieces at the same places.
const rowPart = 1 << 20

// callSteps is how many steps of a loop a call of a function of rows takes beside its elements.
const callSteps = 8

// over reports whether the run has ended, so that nobody reads the results.
func (c *Call) over() bool { return c.Over != nil && c.Over() }

// A pace counts the steps of a loop between two looks.
type pace struct {
	c    *Call
	left int
}

func (c *Call) pace() pace { return pace{c, rowPart} }

// over counts n steps more, and reports whether the run was seen to have ended.
func (p *pace) over(n int) bool {
	p.left -= n
	return p.left < 0 && p.look()
}

func (p *pace) look() bool {
	p.left = rowPart
	return p.c.over()
}

// parts calls f for the parts of n elements in order, and reports false when the run has ended before the last one.
func (c *Call) parts(n int, f func(from, to int)) bool {
	if n <= rowPart {
		f(0, n)
		return true
	}
	for from := 0; from < n; from += rowPart {
		if c.over() {
			return false
		}
		f(from, min(from+rowPart, n))
	}
	return true
}

// errEnded is that a run ended before all places were checked.
var errEnded = errors.New("the run has ended")

// check calls f for the parts of n elements in order, and gives its first error; that the run has ended before the last one is one, too.
func (c *Call) check(n int, f func(from, to int) error) error {
	var err error
	whole := c.parts(n, func(from, to int) {
		if err == nil {
			err = f(from, to)
		}
	})
	if err == nil && !whole {
		err = errEnded
	}
	return err
}

// join joins the results of f for parts of n elements. Sums are added up pairwise as functions of rows add up their pieces: the bits
// are those of one call. When the run has ended, it gives anything.
func (c *Call) join(n int, how tile.Binary, f func(from, to int) float32) float32 {
	if n <= rowPart {
		return f(0, n)
	}
	if how == tile.Add {
		acc, _ := c.sum(0, n, f)
		return acc
	}
	var acc float32
	c.parts(n, func(from, to int) {
		v := f(from, to)
		if from > 0 {
			v = how.Do(acc, v)
		}
		acc = v
	})
	return acc
}

// sum reports false when the run has ended before the last part.
func (c *Call) sum(from, to int, f func(from, to int) float32) (float32, bool) {
	if to-from <= rowPart {
		if c.over() {
			return 0, false
		}
		return f(from, to), true
	}
	half := from + tile.SumCut(to-from)
	x, ok := c.sum(from, half, f)
	if !ok {
		return x, false
	}
	y, ok := c.sum(half, to, f)
	return x + y, ok
}

// copyParts copies as many bytes as both have.
func (c *Call) copyParts(dst, src []byte) {
	c.parts(min(len(dst), len(src)), func(from, to int) { copy(dst[from:to], src[from:to]) })
}

// clearParts clears bytes.
func (c *Call) clearParts(dst []byte) {
	c.parts(len(dst), func(from, to int) { clear(dst[from:to]) })
}

// fillParts fills bytes with those of one element, again and again.
func (c *Call) fillParts(dst, one []byte) {
	if len(dst) <= rowPart || len(one) == 0 {
		fill(dst, one)
		return
	}
	size := rowPart / len(one) * len(one)
	for len(dst) > 0 && !c.over() {
		n := min(size, len(dst))
		fill(dst[:n], one)
		dst = dst[n:]
	}
}
