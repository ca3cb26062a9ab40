package kernel

// This file walks over operands whose elements lie at steps, row by row, in tiles.
//
// Nearly every kernel of elements is a walk: the loop nest is brought into the fewest axes first,
// so that the inner loop is long and its steps are constants. Two axes are one when, in each
// operand, the outer step is the inner step times the inner size. Axes of one element are
// dropped. A dense operator of any rank is thus one row.
//
// Tiles are consecutive rows, or pieces of one row where a row is longer than a tile's work. A
// tile is found by its number alone, without a list, so a grid costs nothing however many tiles
// it has.

import "slices"

// maxOperands is the most operands that a walk has.
const maxOperands = 8

// A walk is a loop nest over some dimensions. For each operand it has the step of each axis in
// elements, 0 where the operand is broadcast. The last axis is the row, which is given as a whole
// or in pieces; neighbouring axes that are one in all operands are joined. steps[k][a] is the
// step of operand k along the outer axis a, unit[k] along the row. rows is the product of dims.
type walk struct {
	dims    []int // outer ones
	steps   [][]int
	inner   int
	unit    [maxOperands]int // the operands' steps along the row
	rows    int
	perTile int // rows of a tile
	pieces  int // of a row, when these are longer than a tile
	piece   int
}

// dense gives the steps of dense elements. They are row-major: the last axis has step 1.
func dense(dims []int64) []int {
	out := make([]int, len(dims))
	n := 1
	for i := len(dims) - 1; i >= 0; i-- {
		out[i] = n
		n *= int(dims[i])
	}
	return out
}

// stretched gives the steps of a dense operand that is broadcast to dims. Axes are aligned at
// their ends, as broadcasting has it; missing ones and those of one element have step 0. own must
// broadcast to dims.
func stretched(own, dims []int64) []int {
	out := make([]int, len(dims))
	at := dense(own)
	for i, d := range own {
		if d != 1 {
			out[len(dims)-len(own)+i] = at[i]
		}
	}
	return out
}

// newWalk makes a walk over dims with the steps of each operand; work is the elements of a tile.
// Its time is that of rank times operands; it is made when a signature is prepared, not in runs.
// An axis of 0 elements leaves no rows.
func newWalk(dims []int64, work int, steps ...[]int) *walk {
	w := &walk{inner: 1, steps: make([][]int, len(steps))}
	for a, d := range dims {
		if d == 1 {
			continue
		}
		last := len(w.dims) - 1
		joins := last >= 0
		for k := range steps {
			joins = joins && w.steps[k][last] == steps[k][a]*int(d)
		}
		if joins {
			w.dims[last] *= int(d)
			for k := range steps {
				w.steps[k][last] = steps[k][a]
			}
			continue
		}
		w.dims = append(w.dims, int(d))
		for k := range steps {
			w.steps[k] = append(w.steps[k], steps[k][a])
		}
	}
	if last := len(w.dims) - 1; last >= 0 {
		w.inner = w.dims[last]
		w.dims = w.dims[:last]
		for k := range steps {
			w.unit[k] = w.steps[k][last]
			w.steps[k] = w.steps[k][:last]
		}
	}
	w.rows = 1
	for _, d := range w.dims {
		w.rows *= d
	}
	if slices.Contains(dims, 0) {
		w.rows = 0
	}
	w.cut(work)
	return w
}

// cut makes tiles of about so many elements. The cut depends on sizes only, so results do not
// depend on the number of threads.
func (w *walk) cut(work int) {
	w.perTile, w.pieces, w.piece = max(1, work/max(w.inner, 1)), 1, w.inner
	if w.inner > work {
		w.piece = work
		w.pieces = (w.inner + work - 1) / work
	}
}

// single reports whether all elements are one row, in one tile.
func (w *walk) single() bool { return w.rows == 1 && w.pieces == 1 }

// grid is the cut.
func (w *walk) grid() Grid {
	return Grid{Tiles: (w.rows + w.perTile - 1) / w.perTile * w.pieces}
}

// maxAxes is the number of outer axes whose positions a cursor holds itself.
const maxAxes = 12

// A cursor goes over the rows of a tile, or the piece of one:
//
//	for it := w.begin(tile); it.next(); {
//
// n is the length, at the operands' places, y the place when all rows lie one behind the other.
type cursor struct {
	w        *walk
	n, y     int
	at       [maxOperands]int
	row, end int
	from     int
	pos      [maxAxes]int
	more     []int // the positions instead when there are more axes
	begun    bool
}

// begin places a cursor before the first row of a tile. The row's number is taken apart into
// positions by the outer sizes, as digits of a mixed radix; next then counts up like an odometer,
// which needs no division.
func (w *walk) begin(tile int) cursor {
	first, from := tile/w.pieces*w.perTile, tile%w.pieces*w.piece
	it := cursor{w: w, row: first, end: min(first+w.perTile, w.rows), from: from, n: min(w.piece, w.inner-from)}
	if len(w.dims) > maxAxes {
		it.more = make([]int, len(w.dims))
	}
	for k := range w.steps {
		it.at[k] = from * w.unit[k]
	}
	rest := first
	for a := len(w.dims) - 1; a >= 0; a-- {
		p := rest % w.dims[a]
		*it.axis(a) = p
		rest /= w.dims[a]
		for k := range w.steps {
			it.at[k] += p * w.steps[k][a]
		}
	}
	return it
}

func (it *cursor) axis(a int) *int {
	if it.more != nil {
		return &it.more[a]
	}
	return &it.pos[a]
}

// next goes to the next row, if there is one. The last axis that overflows gives its steps back
// and carries to the axis before.
func (it *cursor) next() bool {
	w := it.w
	if it.begun {
		it.row++
		for a := len(w.dims) - 1; a >= 0; a-- {
			p := it.axis(a)
			*p++
			for k := range w.steps {
				it.at[k] += w.steps[k][a]
			}
			if *p < w.dims[a] {
				break
			}
			for k := range w.steps {
				it.at[k] -= w.steps[k][a] * w.dims[a]
			}
			*p = 0
		}
	}
	it.begun = true
	it.y = it.row*w.inner + it.from
	return it.row < it.end
}
