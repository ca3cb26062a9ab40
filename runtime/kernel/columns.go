package kernel

// This file folds rows of f32 that lie one behind the other into one, in blocks that are folded at the same time and joined afterwards.

import "shapecheck/runtime/kernel/tile"

const (
	// blockWork is about the elements of a tile of blocks.
	blockWork = 4 * rowWork
	// blockWidth is the columns of a tile: long enough for the processor to fetch ahead.
	blockWidth = 2 << 10
)

// A blockCut is the cut of a reduction whose rows are folded block by block: first blocks into rows of their own, then these into one.
type blockCut struct {
	count           int // of blocks of a row of results
	perTile, tiles  int // blocks of a tile, tiles of a row of results and a piece
	pieces          int // of a row of results
	total, elements int // tiles of a phase, and elements of the results that one of the second phase has
}

// cutBlocks cuts a reduction; nil: it is not folded in blocks.
func (p *reducing) cutBlocks() *blockCut {
	if !p.columns || p.n <= block || p.results.rows*p.length == 0 {
		return nil
	}
	b := &blockCut{count: (p.n + block - 1) / block, pieces: (p.length + blockWidth - 1) / blockWidth}
	b.perTile = max(1, blockWork/block/min(p.length, blockWidth))
	b.tiles = (b.count + b.perTile - 1) / b.perTile
	b.total = p.results.rows * b.pieces * b.tiles
	b.elements = (p.results.rows*p.length + b.total - 1) / b.total
	return b
}

// size is the bytes that the rows of blocks take.
func (b *blockCut) size(p *reducing) int64 {
	return 4 * int64(p.results.rows) * int64(b.count) * int64(p.length)
}

// run computes a tile: of the first phase, or of the second one behind these.
func (b *blockCut) run(c *Call, p *reducing, f tile.Rows, how fold, x, y, parts []float32, i int) {
	if i >= b.total {
		from := (i - b.total) * b.elements
		for end := min(from+b.elements, len(y)); from < end; {
			row, j := from/p.length, from%p.length
			n := min(p.length-j, end-from)
			b.join(c, p, f, how, x[p.place(from):], y[from:from+n], parts[row*b.count*p.length+j:])
			from += n
		}
		return
	}
	row, piece, first := i/b.tiles/b.pieces, i/b.tiles%b.pieces, i%b.tiles*b.perTile
	j := piece * blockWidth
	n := min(blockWidth, p.length-j)
	from := x[p.place(row*p.length+j):]
	for k := first; k < min(first+b.perTile, b.count); k++ {
		p.foldBlock(f, how, from, parts[(row*b.count+k)*p.length+j:][:n], k*block, min(block, p.n-k*block))
	}
}

// foldBlock folds so many of the reduced rows, from the first one on, into one.
func (p *reducing) foldBlock(f tile.Rows, how fold, x, out []float32, first, rows int) {
	w := p.inner
	inner, step := w.inner, w.unit[0]
	k := first % inner // the number of the row among those of a step
	at := w.outer(first/inner) + k*step
	for r := range rows {
		if k == inner {
			at, k = w.outer((first+r)/inner), 0
		}
		line := x[at:][:len(out)]
		at, k = at+step, k+1
		switch {
		case how.before != nil:
			p.foldMapped(f, how, line, out, r == 0)
		case r == 0:
			copy(out, line)
		default:
			f.Two(how.join, out, line, out)
		}
	}
}

// foldMapped makes of a row, or joins to one, what a reduction makes of its elements before it joins them.
func (p *reducing) foldMapped(f tile.Rows, how fold, line, out []float32, begins bool) {
	if begins {
		how.before(f, line, out)
		return
	}
	var term [512]float32
	for j := 0; j < len(out); j += len(term) {
		part := out[j:min(j+len(term), len(out))]
		how.before(f, line[j:j+len(part)], term[:len(part)])
		f.Two(how.join, part, term[:len(part)], part)
	}
}

// outer is the place of a walk's row of that number.
func (w *walk) outer(row int) (at int) {
	for a := len(w.dims) - 1; a >= 0; a-- {
		at += row % w.dims[a] * w.steps[0][a]
		row /= w.dims[a]
	}
	return at
}

// join joins the rows of blocks.
func (b *blockCut) join(c *Call, p *reducing, f tile.Rows, how fold, x, out, parts []float32) {
	copy(out, parts)
	pace := c.pace()
	for k := 1; k < b.count; k++ {
		if pace.over(len(out) + callSteps) {
			return
		}
		f.Two(how.join, out, parts[k*p.length:][:len(out)], out)
	}
	p.finish(c, how, x, out)
}

// finish makes the results of sums whose elements begin at x.
func (p *reducing) finish(c *Call, how fold, x, out []float32) {
	for k, v := range out {
		if how.last != nil {
			v = how.last(v, p.n)
			out[k] = v
		}
		if how.wide.lost(v) {
			out[k] = p.widely(c, how.wide, x[k:])
		}
	}
}
