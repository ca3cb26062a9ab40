package weights

// This file reads the datasets of HDF5 files: arrays of numbers beside the header, in one run or in chunks. What was never
// written has the fill value.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"shapecheck/onnx"
)

// An h5dataset is what the messages of a dataset say.
type h5dataset struct {
	file    *h5file
	elem    h5type
	dims    []int64
	most    []uint64 // what dims may become; unlimited: noAddress
	size    int64
	null    bool // there are no elements, not even none
	shaped  bool
	filters []h5filter
	fill    h5fill
	layout  []byte
	chunks  h5chunks // of an array in chunks
}

// An h5fill is the value of elements that were never written.
type h5fill struct {
	value []byte // as in the file; nil: zeros
	// unknown says that a file promises nothing about them.
	unknown bool
	set     bool // by a message of the newer kind
}

// dataset makes a tensor of an object that is no group; nil of one that holds nothing.
func (f *h5file) dataset(name string, list []message) (*Tensor, error) {
	d := &h5dataset{file: f}
	typed := false
	for _, m := range list {
		read := map[uint16]func([]byte) error{
			msgSpace: d.space, msgType: d.datatype, msgOldFill: d.oldFill, msgFill: d.newFill, msgFilters: d.pipeline,
			msgLayout: func(b []byte) error { d.layout = b; return nil },
		}[m.kind]
		if read == nil {
			continue
		}
		typed = typed || m.kind == msgType
		b, err := f.data(m)
		if err == nil {
			err = read(b)
		}
		if err != nil {
			return nil, err
		}
	}
	switch {
	case d.null: // as of a parameter without a shape
		return nil, nil
	case typed && !d.shaped && d.layout == nil: // a type with a name
		return nil, nil
	case !d.shaped || d.elem.dtype == onnx.Undefined || len(d.layout) < 2:
		return nil, errors.New("neither a group nor an array")
	case d.fill.value != nil && int64(len(d.fill.value)) != d.elem.size:
		return nil, fmt.Errorf("the fill value has %d bytes, an element %d", len(d.fill.value), d.elem.size)
	}
	var err error
	if d.size, err = sizeOf(d.elem.dtype, d.dims); err != nil {
		return nil, err
	}
	write, err := d.place()
	if err != nil {
		return nil, err
	}
	return &Tensor{Name: name, DType: d.elem.dtype, Dims: d.dims, size: d.size, write: write}, nil
}

// h5Layouts are the ways in which elements are stored, and why some are not read.
var h5Layouts = []string{0: "", 1: "", 2: "", 3: "a virtual dataset, whose elements are in other datasets: store a copy of it"}

// place reads the layout and gives the function that writes the elements.
func (d *h5dataset) place() (func(w io.Writer) (int64, error), error) {
	b := d.layout
	version, class := b[0], int(b[1])
	switch {
	case version < 3 || version > 5:
		return nil, fmt.Errorf("version %d of layouts is not read: h5repack writes another", version)
	case class >= len(h5Layouts):
		return nil, fmt.Errorf("the layout %d is not known", class)
	case h5Layouts[class] != "":
		return nil, errors.New(h5Layouts[class])
	}
	if class != 2 && len(d.filters) > 0 {
		return nil, errors.New("filters of an array that is not in chunks")
	}
	switch class {
	case 0: // beside the header
		if len(b) < 4 || int64(le16(b[2:])) < d.size || int64(len(b)-4) < d.size {
			return nil, errors.New("the elements are cut off")
		}
		data := b[4 : 4+d.size]
		return func(w io.Writer) (int64, error) { return copyStream(w, bytes.NewReader(data), d.size, d.alter()) }, nil
	case 1:
		if len(b) < 18 {
			return nil, errors.New("the layout is cut off")
		}
		at := le64(b[2:])
		if at == noAddress { // never written
			return d.writeFill, nil
		}
		if int64(le64(b[10:])) < d.size || at > uint64(d.file.size) || uint64(d.size) > uint64(d.file.size)-at {
			return nil, errors.New("the elements are beyond the end of the file")
		}
		run := io.NewSectionReader(d.file.r, int64(at), d.size)
		return func(w io.Writer) (int64, error) {
			if _, err := run.Seek(0, io.SeekStart); err != nil {
				return 0, err
			}
			return copyStream(w, run, d.size, d.alter())
		}, nil
	}
	if err := d.chunked(); err != nil {
		return nil, err
	}
	return d.writeChunks, nil
}

// alter makes little endian elements of those of the file; nil: they are.
func (d *h5dataset) alter() alteration {
	if d.elem.big {
		return swapped(d.elem.dtype)
	}
	return nil
}

// space reads the sizes.
func (d *h5dataset) space(b []byte) error {
	if len(b) < 4 {
		return errors.New("the sizes are cut off")
	}
	d.shaped = true
	rank, at := int(b[1]), 4
	switch b[0] {
	case 1:
		at = 8
	case 2:
		if b[3] > 2 {
			return fmt.Errorf("sizes of the unknown kind %d", b[3])
		}
		if d.null = b[3] == 2; d.null {
			return nil
		}
	default:
		return fmt.Errorf("version %d of sizes is not known", b[0])
	}
	limits := b[2]&1 != 0
	n := at + 8*rank
	if limits {
		n += 8 * rank
	}
	if rank > maxRank || len(b) < n {
		return errors.New("the sizes are cut off")
	}
	d.dims, d.most = make([]int64, rank), make([]uint64, rank)
	for i := range d.dims {
		n := le64(b[at+8*i:])
		if n > 1<<62 {
			return errors.New("a size is too large")
		}
		d.dims[i], d.most[i] = int64(n), n
		if limits {
			if d.most[i] = le64(b[at+8*(rank+i):]); d.most[i] < n {
				return errors.New("a size is above its limit")
			}
		}
	}
	return nil
}

func (d *h5dataset) datatype(b []byte) (err error) {
	d.elem, _, err = parseType(b, 2)
	return err
}

// oldFill reads the fill value of files before HDF5 1.6, which newer ones have as well.
func (d *h5dataset) oldFill(b []byte) error {
	if d.fill.set {
		return nil
	}
	return d.fillValue(b)
}

// fillValue reads a size and as many bytes; without any the value is zero.
func (d *h5dataset) fillValue(b []byte) error {
	if len(b) < 4 || uint64(le32(b)) > uint64(len(b)-4) {
		return errors.New("the fill value is cut off")
	}
	d.fill.value = nil
	if n := le32(b); n > 0 {
		d.fill.value = b[4 : 4+n]
	}
	return nil
}

// fillNever is the time of filling at which nothing is filled.
const fillNever = 1

// newFill reads the fill value and whether elements are filled.
func (d *h5dataset) newFill(b []byte) error {
	cut := errors.New("the fill value is cut off")
	if len(b) < 2 {
		return cut
	}
	d.fill = h5fill{set: true}
	switch b[0] {
	case 1, 2:
		if len(b) < 4 {
			return cut
		}
		if d.fill.unknown = b[2] == fillNever || b[3] == 0; b[3] == 0 && b[0] == 2 {
			return nil
		}
		return d.fillValue(b[4:])
	case 3:
		d.fill.unknown = b[1]>>2&3 == fillNever || b[1]&16 != 0
		if b[1]&32 == 0 {
			return nil
		}
		return d.fillValue(b[2:])
	}
	return fmt.Errorf("version %d of fill values is not known", b[0])
}

var errNoFill = errors.New("elements that were never written, for which the file has no fill value: write all elements")

// filled makes n bytes of elements that were never written.
func (d *h5dataset) filled(n int64) []byte {
	b := make([]byte, n)
	if d.fill.value != nil {
		for at := int64(0); at < n; at += d.elem.size {
			copy(b[at:], d.fill.value)
		}
	}
	return b
}

// writeFill writes an array that was never written.
func (d *h5dataset) writeFill(w io.Writer) (int64, error) {
	if d.fill.unknown && d.size > 0 {
		return 0, errNoFill
	}
	piece := d.filled(min(d.size, pieceSize))
	if alter := d.alter(); alter != nil {
		alter(piece)
	}
	for done := int64(0); done < d.size; {
		n, err := w.Write(piece[:min(d.size-done, int64(len(piece)))])
		if done += int64(n); err != nil {
			return done, err
		}
	}
	return d.size, nil
}

// product multiplies, up to the largest number.
func product(a, b uint64) uint64 {
	if a != 0 && b > math.MaxUint64/a {
		return math.MaxUint64
	}
	return a * b
}
