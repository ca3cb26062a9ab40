package weights

// This file reads the datasets of HDF5 files: arrays of numbers, in one run or in chunks, which may be deflated.

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"slices"

	"shapecheck/internal/inorder"
	"shapecheck/internal/onnx"
)

// maxHDF5Band is the largest part of an array that is put together in memory: all chunks of one index of the first axis.
const maxHDF5Band = 512 << 20

// An h5dataset is what the messages of a dataset say.
type h5dataset struct {
	file    *h5file
	dtype   onnx.DType
	dims    []int64
	size    int64
	filters []h5filter
	// of an array in chunks
	tree  uint64
	chunk []int64
}

// An h5filter is a step that a chunk went through.
type h5filter struct {
	id     uint16
	values []uint32
}

// dataset makes a tensor of an object that is no group; nil of one that holds nothing.
func (f *h5file) dataset(name string, list []message) (*Tensor, error) {
	d := &h5dataset{file: f}
	var layout []byte
	null, shaped := false, false
	for _, m := range list {
		var err error
		switch m.kind {
		case 0x01:
			shaped = true
			null, err = d.space(m.data)
		case 0x03:
			err = d.datatype(m.data)
		case 0x08:
			layout = m.data
		case 0x0b:
			err = d.pipeline(m.data)
		}
		if err != nil {
			return nil, err
		}
	}
	if null { // as of a parameter without a shape
		return nil, nil
	}
	if !shaped || d.dtype == onnx.Undefined || len(layout) < 2 {
		return nil, errors.New("neither a group nor an array")
	}
	var err error
	if d.size, err = sizeOf(d.dtype, d.dims); err != nil {
		return nil, err
	}
	t := &Tensor{Name: name, DType: d.dtype, Dims: d.dims, size: d.size}
	if layout[0] != 3 {
		return nil, fmt.Errorf("version %d of layouts is not read: save the file with h5py's default", layout[0])
	}
	switch layout[1] {
	case 0: // beside the header
		if len(layout) < 4 || int64(le16(layout[2:])) < d.size || int64(len(layout)-4) < d.size {
			return nil, errors.New("the elements are cut off")
		}
		data := layout[4 : 4+d.size]
		t.write = func(w io.Writer) (int64, error) {
			n, err := w.Write(data)
			return int64(n), err
		}
	case 1:
		if len(layout) < 18 {
			return nil, errors.New("the layout is cut off")
		}
		at := le64(layout[2:])
		if at == noAddress { // never written
			t.write = func(w io.Writer) (int64, error) { return writeZeros(w, d.size) }
			break
		}
		if int64(le64(layout[10:])) < d.size || at > uint64(f.size) || uint64(d.size) > uint64(f.size)-at {
			return nil, errors.New("the elements are beyond the end of the file")
		}
		t.write = func(w io.Writer) (int64, error) { return copyRun(w, f.r, int64(at), d.size) }
	case 2:
		if err := d.chunks(layout); err != nil {
			return nil, err
		}
		t.write = d.writeChunks
	default:
		return nil, fmt.Errorf("layout %d is not read", layout[1])
	}
	return t, nil
}

// space reads the sizes.
func (d *h5dataset) space(b []byte) (null bool, err error) {
	if len(b) < 4 {
		return false, errors.New("the sizes are cut off")
	}
	rank, at := int(b[1]), 4
	switch b[0] {
	case 1:
		at = 8
	case 2:
		if b[3] == 2 {
			return true, nil
		}
	default:
		return false, fmt.Errorf("version %d of sizes is not known", b[0])
	}
	if rank > maxRank || len(b) < at+8*rank {
		return false, errors.New("the sizes are cut off")
	}
	d.dims = make([]int64, rank)
	for i := range d.dims {
		n := le64(b[at+8*i:])
		if n > 1<<62 {
			return false, errors.New("a size is too large")
		}
		d.dims[i] = int64(n)
	}
	return false, nil
}

// datatype reads the type of the elements.
func (d *h5dataset) datatype(b []byte) error {
	if len(b) < 8 {
		return errors.New("the type is cut off")
	}
	class, bits, size := b[0]&15, b[1], le32(b[4:])
	big := bits&1 != 0
	switch class {
	case 0:
		kinds := map[uint32][2]onnx.DType{1: {onnx.Uint8, onnx.Int8}, 2: {onnx.Uint16, onnx.Int16}, 4: {onnx.Uint32, onnx.Int32}, 8: {onnx.Uint64, onnx.Int64}}
		d.dtype = kinds[size][bits>>3&1]
		big = big && size > 1
	case 1:
		// Where the exponent is tells IEEE's types from others of the same size.
		exponents := map[uint32][2]byte{2: {10, 5}, 4: {23, 8}, 8: {52, 11}}
		if len(b) >= 20 && [2]byte{b[12], b[13]} == exponents[size] {
			d.dtype = map[uint32]onnx.DType{2: onnx.Float16, 4: onnx.Float, 8: onnx.Double}[size]
		}
	case 8: // an enumeration: h5py's booleans have the names FALSE and TRUE
		if len(b) >= 16 && size == 1 && b[8]&15 == 0 && bytes.Contains(b, []byte("FALSE")) && bytes.Contains(b, []byte("TRUE")) {
			d.dtype, big = onnx.Bool, false
		}
	}
	if big {
		return errors.New("the elements are big endian: store them little endian")
	}
	if d.dtype == onnx.Undefined {
		return fmt.Errorf("elements of HDF5's class %d with %d bytes are not read", class, size)
	}
	return nil
}

// pipeline reads the filters.
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
	for range n {
		if len(b) < 8 {
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
		switch id {
		case 1, 2, 3: // deflate, shuffle, a checksum
		default:
			return fmt.Errorf("the filter %d is not read: save the file with gzip, or without compression", id)
		}
		d.filters = append(d.filters, f)
	}
	return nil
}

// chunks reads the layout of an array in chunks.
func (d *h5dataset) chunks(b []byte) error {
	rank := len(d.dims)
	if len(b) < 11+4*(rank+1) || int(b[2]) != rank+1 || rank == 0 {
		return errors.New("the chunks do not fit the sizes")
	}
	d.tree = le64(b[3:])
	size := int64(1)
	for i := range rank {
		n := int64(le32(b[11+4*i:]))
		if n < 1 || n > maxHDF5Band/size {
			return errors.New("a chunk is empty or too large")
		}
		size *= n
		d.chunk = append(d.chunk, n)
	}
	elem := int64(d.dtype.Bits()) / 8
	if int64(le32(b[11+4*rank:])) != elem || size > maxHDF5Band/elem {
		return errors.New("the chunks do not fit the elements")
	}
	if rest := d.size / max(d.dims[0], 1); rest > 0 && d.chunk[0] > maxHDF5Band/rest {
		return fmt.Errorf("%d rows of %d bytes are more than is put together in memory", d.chunk[0], rest)
	}
	return nil
}

// An h5chunk is where a chunk is in the file and in the array.
type h5chunk struct {
	first    []int64
	at       uint64
	size     uint32
	unfilter uint32 // the filters that were left out
}

// writeChunks writes the elements, band by band of the first axis.
func (d *h5dataset) writeChunks(w io.Writer) (int64, error) {
	rank := len(d.dims)
	if d.size == 0 {
		return 0, nil
	}
	var list []h5chunk
	chunks := int64(1)
	for i, n := range d.dims {
		chunks *= (n + d.chunk[i] - 1) / d.chunk[i]
	}
	// A tree has a few nodes for each chunk, however often the file says.
	file := &h5file{r: d.file.r, size: d.file.size, most: int(min(4*chunks+1024, 1<<24))}
	err := file.tree(d.tree, 1, 8+8*(rank+1), func(key []byte, child uint64) error {
		c := h5chunk{at: child, size: le32(key), unfilter: le32(key[4:])}
		for i := range rank {
			n := le64(key[8+8*i:])
			if n >= uint64(d.dims[i]) || n%uint64(d.chunk[i]) != 0 {
				return errors.New("a chunk is outside of the array")
			}
			c.first = append(c.first, int64(n))
		}
		if list = append(list, c); int64(len(list)) > chunks {
			return errors.New("a chunk is there twice")
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	inorder.StableBy(list, func(a, b h5chunk) int { return slices.Compare(a.first, b.first) })
	row := d.size / d.dims[0]
	done := int64(0)
	for first := int64(0); first < d.dims[0]; first += d.chunk[0] {
		band := make([]byte, min(d.chunk[0], d.dims[0]-first)*row)
		for len(list) > 0 && list[0].first[0] == first {
			if err := d.place(band, &list[0]); err != nil {
				return done, err
			}
			list = list[1:]
		}
		n, err := w.Write(band)
		if done += int64(n); err != nil {
			return done, err
		}
	}
	return done, nil
}

// place puts the elements of a chunk into a band.
func (d *h5dataset) place(band []byte, c *h5chunk) error {
	data, err := d.plain(c)
	if err != nil {
		return err
	}
	elem := int64(d.dtype.Bits()) / 8
	rank := len(d.dims)
	// The last axis is copied in runs; the others are counted.
	run := min(d.chunk[rank-1], d.dims[rank-1]-c.first[rank-1]) * elem
	index := make([]int64, rank-1)
	for {
		from, to := int64(0), int64(0)
		for i, k := range index {
			at := c.first[i] + k
			if i == 0 {
				at = k
			}
			from, to = (from+k)*d.chunk[i+1], (to+at)*d.dims[i+1]
		}
		last := c.first[rank-1]
		if rank == 1 {
			last = 0
		}
		copy(band[(to+last)*elem:][:run], data[from*elem:][:run])
		i := rank - 2
		for ; i >= 0; i-- {
			if index[i]++; index[i] < d.chunk[i] && c.first[i]+index[i] < d.dims[i] {
				break
			}
			index[i] = 0
		}
		if i < 0 {
			return nil
		}
	}
}

// plain undoes the filters of a chunk.
func (d *h5dataset) plain(c *h5chunk) ([]byte, error) {
	elem := int64(d.dtype.Bits()) / 8
	want := elem
	for _, n := range d.chunk {
		want *= n
	}
	if int64(c.size) > want+want/2+1<<16 {
		return nil, errors.New("a chunk is larger than its elements")
	}
	data, err := d.file.bytes(c.at, int(c.size))
	if err != nil {
		return nil, err
	}
	for i := len(d.filters) - 1; i >= 0; i-- {
		if c.unfilter>>i&1 != 0 {
			continue
		}
		switch f := d.filters[i]; f.id {
		case 1:
			if data, err = inflate(data, want+8); err != nil {
				return nil, err
			}
		case 2:
			n := elem
			if len(f.values) > 0 {
				n = int64(f.values[0])
			}
			data = unshuffled(data, int(n))
		case 3:
			if len(data) < 4 {
				return nil, errors.New("a checksum is cut off")
			}
			data = data[:len(data)-4]
		}
	}
	if int64(len(data)) != want {
		return nil, fmt.Errorf("a chunk has %d bytes instead of %d", len(data), want)
	}
	return data, nil
}

// inflate undoes deflate, up to most bytes.
func inflate(data []byte, most int64) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(z, most+1))
	if err == nil && int64(len(out)) > most {
		err = errors.New("a chunk is larger than its elements")
	}
	return out, errors.Join(err, z.Close())
}

// unshuffled puts the bytes of elements of n bytes together, which stand first bytes first.
func unshuffled(data []byte, n int) []byte {
	if n <= 1 {
		return data
	}
	count := len(data) / n
	out := make([]byte, len(data))
	for i := range count {
		for k := range n {
			out[i*n+k] = data[k*count+i]
		}
	}
	copy(out[count*n:], data[count*n:])
	return out
}

// writeZeros writes n zeros.
func writeZeros(w io.Writer, n int64) (int64, error) {
	return io.Copy(w, io.LimitReader(zeros{}, n))
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}
