package isa

// This file holds the contents of segments that are in memory, as a compiler makes them.

import (
	"bytes"
	"crypto/sha256"
	"io"
	"sort"
)

// A Data is the content of a segment in pieces that lie anywhere in memory: weights are not copied
// together. What is between the pieces is zeros.
type Data struct {
	// Length is the number of bytes of the segment.
	Length int64
	// Pieces do not overlap, and are in the order of their offsets.
	Pieces []Piece
}

// A Piece is a part of a segment.
type Piece struct {
	Offset int64
	Bytes  []byte
}

// Add puts b behind what is there, aligned as constants in segments are, and gives its offset.
func (d *Data) Add(b []byte) int64 {
	at := align(d.Length)
	d.Pieces = append(d.Pieces, Piece{at, b})
	d.Length = at + int64(len(b))
	return at
}

// Slice gives n bytes at an offset: where they lie when they are in one piece, else a copy; nil when
// they are not in the segment.
func (d *Data) Slice(at, n int64) []byte {
	if at < 0 || n < 0 || at > d.Length || n > d.Length-at {
		return nil
	}
	k := sort.Search(len(d.Pieces), func(i int) bool { return d.Pieces[i].Offset+int64(len(d.Pieces[i].Bytes)) > at })
	if k < len(d.Pieces) && d.Pieces[k].Offset <= at && at+n <= d.Pieces[k].Offset+int64(len(d.Pieces[k].Bytes)) {
		lo := at - d.Pieces[k].Offset
		return d.Pieces[k].Bytes[lo : lo+n : lo+n]
	}
	out := make([]byte, n)
	for ; k < len(d.Pieces) && d.Pieces[k].Offset < at+n; k++ {
		p := d.Pieces[k]
		copy(out[max(p.Offset-at, 0):], p.Bytes[max(at-p.Offset, 0):])
	}
	return out
}

// Reader reads the segment.
func (d *Data) Reader() io.Reader {
	var list []io.Reader
	at := int64(0)
	for _, p := range d.Pieces {
		list = append(list, bytes.NewReader(make([]byte, p.Offset-at)), bytes.NewReader(p.Bytes))
		at = p.Offset + int64(len(p.Bytes))
	}
	return io.MultiReader(append(list, bytes.NewReader(make([]byte, d.Length-at)))...)
}

// Sum is the SHA-256 of the segment. It returns no error: the pieces are in memory.
func (d *Data) Sum() ([]byte, error) {
	h := sha256.New()
	if _, err := io.Copy(h, d.Reader()); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}

// Seal sets the sums of the embedded segments that have none. Segment i has the content data[i]. The error is that of
// Data.Sum.
func (p *Program) Seal(data []*Data) error {
	for i, s := range p.Segments {
		if s.File != "" || s.Name != "" || len(s.Sha256) > 0 || i >= len(data) {
			continue
		}
		sum, err := data[i].Sum()
		if err != nil {
			return err
		}
		s.Sha256 = sum
	}
	return nil
}
