package weights

// This file reads the chunks of HDF5 datasets and puts them together.
//
// Filters are undone in the opposite order of writing. Elements are written band by band: a band
// is all chunks with one index along the first axis, which is the most that is in memory at a
// time; the result then is in row-major order without a second pass.

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
)

// maxHDF5Band is the largest part of an array that is put together in memory: all chunks of one index of the first axis.
const maxHDF5Band = 512 << 20

// An h5filter is a step that a chunk went through. values are parameters whose meaning is the
// filter's.
type h5filter struct {
	id     uint16
	values []uint32
}

// h5chunks say how an array is cut and where the chunks are found. dims are elements along each
// axis.
type h5chunks struct {
	dims  []int64
	size  int64 // of a chunk, in bytes
	plain bool  // chunks that are cut by the end of the array are not filtered
	index byte  // one of h5Indexes
	at    uint64
	one   h5chunk // of the index of a single chunk
}

// An h5chunk is where a chunk is in the file.
type h5chunk struct {
	at       uint64
	size     uint64
	unfilter uint32 // the filters that were left out
}

// h5Filters are the filters, by their registered numbers: what undoes them, where the result may have most bytes, or why it is not.
var h5Filters = map[uint16]struct {
	undo    func(data []byte, f h5filter, elem, most int64) ([]byte, error)
	refused string
}{
	1:     {undo: func(data []byte, _ h5filter, _, most int64) ([]byte, error) { return inflate(data, most) }}, // gzip
	2:     {undo: unshuffled},
	3:     {undo: summed},
	32000: {undo: func(data []byte, f h5filter, _, most int64) ([]byte, error) { return unlzf(data, f, most) }},
	4:     {refused: "szip"}, 5: {refused: "nbit"}, 6: {refused: "scale-offset"},
	307: {refused: "bzip2"}, 32001: {refused: "Blosc"}, 32004: {refused: "LZ4"}, 32008: {refused: "bitshuffle"}, 32013: {refused: "ZFP"},
	32015: {refused: "Zstandard"}, 32017: {refused: "SZ"}, 32026: {refused: "Blosc2"},
}

// pipeline reads the filters. Versions 1 and 2 differ in padding and in whether registered
// filters have names. A filter that is not known is an error that names it and says what to save
// instead.
func (d *h5dataset) pipeline(b []byte) error {
	cut := errors.New("the filters are cut off")
	if len(b) < 2 {
		return cut
	}
	version, n := b[0], int(b[1])
	switch version {
	case 1:
		if len(b) < 8 {
			return cut
		}
		b = b[8:]
	case 2:
		b = b[2:]
	default:
		return fmt.Errorf("version %d of filters is not known", version)
	}
	if n > 32 {
		return fmt.Errorf("%d filters are more than 32", n)
	}
	d.filters = nil
	for range n {
		if len(b) < 6 {
			return cut
		}
		id, name := le16(b), 0
		b = b[2:]
		if version == 1 || id >= 256 {
			name = int(le16(b))
			if b = b[2:]; version == 1 {
				name = (name + 7) &^ 7
			}
		}
		if len(b) < 4 {
			return cut
		}
		count := int(le16(b[2:]))
		if b = b[4:]; len(b) < name+4*count {
			return cut
		}
		b = b[name:]
		f := h5filter{id: id}
		for i := range count {
			f.values = append(f.values, le32(b[4*i:]))
		}
		if b = b[4*count:]; version == 1 && count%2 == 1 {
			if len(b) < 4 {
				return cut
			}
			b = b[4:]
		}
		known := h5Filters[id]
		if known.undo == nil {
			if known.refused == "" {
				known.refused = fmt.Sprint(id)
			}
			return fmt.Errorf("the filter %s is not read: save the file with gzip, or without compression", known.refused)
		}
		d.filters = append(d.filters, f)
	}
	return nil
}

// chunked reads the layout of an array in chunks. Layouts of version 3 have sizes of 4 bytes and
// always a tree; later ones have sizes of their own width and one of several indices. The last
// size is that of an element. Errors: chunks that do not fit the array, are empty, or too large.
func (d *h5dataset) chunked() error {
	b, rank := d.layout, len(d.dims)
	unfit := errors.New("the chunks do not fit the sizes")
	if rank == 0 {
		return unfit
	}
	var sizes []byte
	wide := 4
	if b[0] == 3 {
		if len(b) < 11+4*(rank+1) || int(b[2]) != rank+1 {
			return unfit
		}
		d.chunks.at, sizes = le64(b[3:]), b[11:]
	} else {
		if len(b) < 5 || int(b[3]) != rank+1 || b[2]&^3 != 0 {
			return unfit
		}
		d.chunks.plain = b[2]&1 != 0
		if wide = int(b[4]); wide < 1 || wide > 8 || len(b) < 5+wide*(rank+1) {
			return unfit
		}
		sizes = b[5:]
	}
	elem, size := d.elem.size, d.elem.size
	for i := range rank + 1 {
		n := leN(sizes[wide*i : wide*(i+1)])
		if i == rank {
			if n != uint64(elem) {
				return errors.New("the chunks do not fit the elements")
			}
			break
		}
		if n < 1 || n > uint64(maxHDF5Band/size) {
			return errors.New("a chunk is empty or too large")
		}
		size *= int64(n)
		d.chunks.dims = append(d.chunks.dims, int64(n))
	}
	d.chunks.size = size
	if rest := d.size / max(d.dims[0], 1); rest > 0 && d.chunks.dims[0] > maxHDF5Band/rest {
		return fmt.Errorf("%d rows of %d bytes are more than is put together in memory", d.chunks.dims[0], rest)
	}
	if b[0] == 3 {
		d.chunks.index = indexTree
		return nil
	}
	return d.indexed(b[2], sizes[wide*(rank+1):])
}

// counts are the chunks along each axis.
func (d *h5dataset) counts() []int64 {
	out := make([]int64, len(d.dims))
	for i, n := range d.dims {
		out[i] = n / d.chunks.dims[i]
		if n%d.chunks.dims[i] != 0 {
			out[i]++
		}
	}
	return out
}

// writeChunks writes the elements, band by band of the first axis. Chunks that were never written
// have the fill value, which has to be known then. It returns the number of bytes that were
// written, also with an error.
func (d *h5dataset) writeChunks(w io.Writer) (int64, error) {
	if d.size == 0 {
		return 0, nil
	}
	find, err := d.openIndex()
	if err != nil {
		return 0, err
	}
	counts := d.counts()
	row := d.size / d.dims[0]
	done := int64(0)
	alter := d.alter()
	scaled := make([]int64, len(counts))
	for scaled[0] = 0; scaled[0] < counts[0]; scaled[0]++ {
		rows := min(d.chunks.dims[0], d.dims[0]-scaled[0]*d.chunks.dims[0])
		band := d.filled(rows * row)
		for more := true; more; {
			c, ok, err := find(scaled)
			switch {
			case err != nil:
			case ok:
				err = d.put(band, scaled, &c)
			case d.fill.unknown:
				err = errNoFill
			}
			if err != nil {
				return done, err
			}
			more = next(scaled[1:], counts[1:])
		}
		if alter != nil {
			alter(band)
		}
		n, err := w.Write(band)
		if done += int64(n); err != nil {
			return done, err
		}
	}
	return done, nil
}

// next counts up, the last number first; false: all are 0 again.
func next(index, counts []int64) bool {
	for i := len(index) - 1; i >= 0; i-- {
		if index[i]++; index[i] < counts[i] {
			return true
		}
		index[i] = 0
	}
	return false
}

// put puts the elements of a chunk into a band. A chunk at the end of an axis is stored whole;
// what lies beyond the array is dropped.
func (d *h5dataset) put(band []byte, scaled []int64, c *h5chunk) error {
	rank := len(d.dims)
	part := make([]int64, rank) // of the chunk that is in the array
	whole := true
	for i, n := range d.chunks.dims {
		part[i] = min(n, d.dims[i]-scaled[i]*n)
		whole = whole && part[i] == n
	}
	data, err := d.plain(c, !whole && d.chunks.plain)
	if err != nil {
		return err
	}
	// The last axis is copied in runs; the others are counted.
	elem := d.elem.size
	run := part[rank-1] * elem
	index := make([]int64, rank-1)
	for {
		from, to := int64(0), int64(0)
		for i := range rank {
			k, first := int64(0), int64(0)
			if i < rank-1 {
				k = index[i]
			}
			if i > 0 { // the band begins with the chunk
				first = scaled[i] * d.chunks.dims[i]
			}
			from, to = from*d.chunks.dims[i]+k, to*d.dims[i]+first+k
		}
		copy(band[to*elem:][:run], data[from*elem:][:run])
		if !next(index, part[:rank-1]) {
			return nil
		}
	}
}

// plain undoes the filters of a chunk. A chunk may be somewhat larger than its elements, when
// compression did not help; much larger ones are refused.
func (d *h5dataset) plain(c *h5chunk, unfiltered bool) ([]byte, error) {
	want := d.chunks.size
	if c.size > uint64(want+want/2+1<<16) {
		return nil, errors.New("a chunk is larger than its elements")
	}
	data, err := d.file.bytes(c.at, int(c.size))
	if err != nil {
		return nil, err
	}
	for i := len(d.filters) - 1; i >= 0 && !unfiltered; i-- {
		if c.unfilter>>i&1 != 0 {
			continue
		}
		f := d.filters[i]
		if data, err = h5Filters[f.id].undo(data, f, d.elem.size, want+8); err != nil {
			return nil, err
		}
	}
	if int64(len(data)) != want {
		return nil, fmt.Errorf("a chunk has %d bytes instead of %d", len(data), want)
	}
	return data, nil
}

var errChunkLarge = errors.New("a chunk is larger than its elements")

// inflate undoes deflate, up to most bytes. The limit keeps a small chunk from filling the
// memory.
func inflate(data []byte, most int64) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(z, most+1))
	if err == nil && int64(len(out)) > most {
		err = errChunkLarge
	}
	return out, errors.Join(err, z.Close())
}

// unshuffled puts the bytes of elements together, which stand first bytes first. The filter
// shuffle puts all first bytes of the elements together, then all second ones, which compresses
// better.
func unshuffled(data []byte, f h5filter, elem, _ int64) ([]byte, error) {
	n := int(elem)
	if len(f.values) > 0 {
		n = int(f.values[0])
	}
	if n <= 1 || n > len(data) {
		return data, nil
	}
	count := len(data) / n
	out := make([]byte, len(data))
	for i := range count {
		for k := range n {
			out[i*n+k] = data[k*count+i]
		}
	}
	copy(out[count*n:], data[count*n:])
	return out, nil
}

// summed takes Fletcher's checksum from the end of data.
func summed(data []byte, _ h5filter, _, _ int64) ([]byte, error) {
	n := len(data) - 4
	if n < 0 {
		return nil, errors.New("a checksum is cut off")
	}
	want, got := le32(data[n:]), fletcher32(data[:n])
	// HDF5 before 1.6.3 wrote the bytes of each half the other way around.
	if turned := got&0x00ff00ff<<8 | got>>8&0x00ff00ff; want != got && want != turned {
		return nil, errors.New("the checksum of a chunk is wrong")
	}
	return data[:n], nil
}

// fletcher32 is the checksum over words of 16 bits, big endian; a last byte is the upper half of a word. Carries are added, so
// that a sum of zero is 0xffff unless all words are zero.
func fletcher32(b []byte) uint32 {
	one, two := uint32(0), uint32(0)
	for i := 0; i < len(b); i += 2 {
		w := uint32(b[i]) << 8
		if i+1 < len(b) {
			w |= uint32(b[i+1])
		}
		one += w
		one = one&0xffff + one>>16
		two += one
		two = two&0xffff + two>>16
	}
	return two<<16 | one
}

// unlzf undoes LZF, up to most bytes: the filter says how many there are. LZF is Marc Lehmann's
// format, with literals and references of up to 8 KiB back; a reference may overlap the bytes
// that it makes.
func unlzf(data []byte, f h5filter, most int64) ([]byte, error) {
	broken := errors.New("LZF: the data are broken")
	if len(f.values) < 3 || int64(f.values[2]) > most {
		return nil, errChunkLarge
	}
	out := make([]byte, 0, f.values[2])
	for len(data) > 0 {
		c := int(data[0])
		data = data[1:]
		if c < 32 { // as many bytes, and one
			if len(data) < c+1 || len(out)+c+1 > cap(out) {
				return nil, broken
			}
			out, data = append(out, data[:c+1]...), data[c+1:]
			continue
		}
		n := c >> 5
		if n == 7 {
			if len(data) == 0 {
				return nil, broken
			}
			n += int(data[0])
			data = data[1:]
		}
		if len(data) == 0 {
			return nil, broken
		}
		from := len(out) - (c&31)<<8 - int(data[0]) - 1
		data = data[1:]
		if from < 0 || len(out)+n+2 > cap(out) {
			return nil, broken
		}
		for range n + 2 { // it may overlap what it makes
			out = append(out, out[from])
			from++
		}
	}
	return out, nil
}
