package main

import (
	"math/bits"
	"slices"
)

// A bitWriter writes a deflate stream.
type bitWriter struct {
	out  []byte
	held uint64
	n    int
}

// put writes the n low bits of v, the lowest first.
func (w *bitWriter) put(v, n int) {
	w.held |= uint64(v) << w.n
	for w.n += n; w.n >= 8; w.n -= 8 {
		w.out = append(w.out, byte(w.held))
		w.held >>= 8
	}
}

// bytes are the stream; its last byte is filled up.
func (w *bitWriter) bytes() []byte {
	if w.n > 0 {
		return append(w.out, byte(w.held))
	}
	return w.out
}

// codeOrder is the order in which the lengths of the code of lengths are written.
var codeOrder = []int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// block writes tokens for data from a place on, as a block with codes of its own.
func (w *bitWriter) block(data []byte, at int, ts []token, last bool) {
	h := count(data, at, ts)
	literal, distance := newCode(h.literal[:], 15), newCode(h.distance[:], 15)
	nl := max(257, used(literal))
	nd := max(1, used(distance))
	runs := lengthRuns(append(lengths(literal[:nl]), lengths(distance[:nd])...))
	var counts [19]int
	for _, r := range runs {
		counts[r.symbol]++
	}
	code := newCode(counts[:], 7)
	nc := len(codeOrder)
	for nc > 4 && code[codeOrder[nc-1]].length == 0 {
		nc--
	}
	final := 0
	if last {
		final = 1
	}
	w.put(final, 1)
	w.put(2, 2)
	w.put(nl-257, 5)
	w.put(nd-1, 5)
	w.put(nc-4, 4)
	for _, s := range codeOrder[:nc] {
		w.put(code[s].length, 3)
	}
	for _, r := range runs {
		w.symbol(code, r.symbol)
		w.put(r.extra, r.bits)
	}
	for _, t := range ts {
		if t.length == 1 {
			w.symbol(literal, int(data[at]))
		} else {
			s := lengthSymbol(t.length)
			w.symbol(literal, s)
			w.put(int(t.length-3)&(1<<lengthExtra(s)-1), lengthExtra(s))
			d := distanceSymbol(t.distance)
			w.symbol(distance, d)
			w.put(int(t.distance-1)&(1<<distanceExtra(d)-1), distanceExtra(d))
		}
		at += int(t.length)
	}
	w.symbol(literal, endOfBlock)
}

func (w *bitWriter) symbol(c []word, s int) { w.put(c[s].bits, c[s].length) }

// A word is what a symbol is written as; length 0: the symbol does not occur.
type word struct{ bits, length int }

// used is the number of symbols up to the last that occurs.
func used(c []word) int {
	n := len(c)
	for n > 0 && c[n-1].length == 0 {
		n--
	}
	return n
}

func lengths(c []word) []int {
	out := make([]int, len(c))
	for i, w := range c {
		out[i] = w.length
	}
	return out
}

// newCode is the best prefix code of words of at most limit bits for symbols that occur so often, by package-merge
// (Larmore and Hirschberg 1990). A code with less than two words gets two, as some readers want.
func newCode(counts []int, limit int) []word {
	type item struct {
		weight  int
		symbols []int
	}
	var leaves []item
	for s, n := range counts {
		if n > 0 {
			leaves = append(leaves, item{n, []int{s}})
		}
	}
	for s := 0; len(leaves) < 2; s++ {
		if counts[s] == 0 {
			leaves = append(leaves, item{1, []int{s}})
		}
	}
	byWeight := func(a, b item) int { return a.weight - b.weight }
	slices.SortStableFunc(leaves, byWeight)
	row := leaves
	for range limit - 1 {
		next := slices.Clone(leaves)
		for i := 0; i+1 < len(row); i += 2 {
			next = append(next, item{row[i].weight + row[i+1].weight, slices.Concat(row[i].symbols, row[i+1].symbols)})
		}
		slices.SortStableFunc(next, byWeight)
		row = next
	}
	code := make([]word, len(counts))
	for _, it := range row[:2*len(leaves)-2] {
		for _, s := range it.symbols {
			code[s].length++
		}
	}
	next := 0 // canonical: shorter words first, then by symbol
	for l := 1; l <= limit; l++ {
		next <<= 1
		for s := range code {
			if code[s].length == l {
				code[s].bits = int(bits.Reverse16(uint16(next)) >> (16 - l))
				next++
			}
		}
	}
	return code
}

// A run is a symbol of the code of lengths with what follows it.
type run struct{ symbol, extra, bits int }

// lengthRuns is the lengths of words, where repetitions are written as such.
func lengthRuns(ls []int) []run {
	var out []run
	for i := 0; i < len(ls); {
		n := 1
		for i+n < len(ls) && ls[i+n] == ls[i] {
			n++
		}
		i += n
		l := ls[i-1]
		if l != 0 {
			out = append(out, run{l, 0, 0})
			n--
		}
		for n > 0 {
			switch {
			case l == 0 && n > 10:
				k := min(n, 138)
				out = append(out, run{18, k - 11, 7})
				n -= k
			case l == 0 && n > 2:
				out = append(out, run{17, n - 3, 3})
				n = 0
			case l != 0 && n > 2:
				k := min(n, 6)
				out = append(out, run{16, k - 3, 2})
				n -= k
			default:
				out = append(out, run{l, 0, 0})
				n--
			}
		}
	}
	return out
}
