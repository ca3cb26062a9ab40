package weights

// This file reads the types of the elements of HDF5 datasets.

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"shapecheck/onnx"
)

// h5Classes are the classes of types, and why the elements of some are not read.
var h5Classes = []struct{ name, refused string }{
	0: {"integers", ""}, 1: {"floating-point numbers", ""}, 2: {"times", "is not read"}, 3: {"texts", "is not read"},
	4: {"bit fields", "is not read"}, 5: {"opaque bytes", "is not read"}, 6: {"compounds", ""}, 7: {"references", "is not read"},
	8: {"enumerations", ""}, 9: {"sequences of variable length", "is not read"},
	10: {"arrays", "is not read: store it as a dataset with more dimensions"},
	11: {"complex numbers", "is not read: store it as h5py does, as a compound of r and i"},
}

// An h5type is the type of elements.
type h5type struct {
	dtype onnx.DType
	size  int64
	big   bool // big endian
}

// An h5float is where the parts of a floating-point number are, in bits.
type h5float struct {
	size                                              uint32
	sign, exponent, exponentBits, mantissa, fractions byte
	bias                                              uint32
}

// h5floats are the formats that are read.
var h5floats = map[h5float]onnx.DType{
	{2, 15, 10, 5, 0, 10, 15}:    onnx.Float16,
	{2, 15, 7, 8, 0, 7, 127}:     onnx.BFloat16,
	{4, 31, 23, 8, 0, 23, 127}:   onnx.Float,
	{8, 63, 52, 11, 0, 52, 1023}: onnx.Double,
}

// h5ints are the integers that are read: without and with a sign.
var h5ints = map[uint32][2]onnx.DType{
	1: {onnx.Uint8, onnx.Int8}, 2: {onnx.Uint16, onnx.Int16}, 4: {onnx.Uint32, onnx.Int32}, 8: {onnx.Uint64, onnx.Int64},
}

var errTypeCut = errors.New("the type is cut off")

// parseType reads a type and gives what follows it.
func parseType(b []byte, depth int) (t h5type, rest []byte, err error) {
	if len(b) < 8 {
		return t, nil, errTypeCut
	}
	version, class, size := b[0]>>4, int(b[0]&15), le32(b[4:])
	if version < 1 || version > 5 {
		return t, nil, fmt.Errorf("version %d of types is not known", version)
	}
	if class >= len(h5Classes) {
		return t, nil, fmt.Errorf("elements of HDF5's class %d, which is not known", class)
	}
	if c := h5Classes[class]; c.refused != "" {
		return t, nil, fmt.Errorf("an array of %s %s", c.name, c.refused)
	}
	t.size = int64(size)
	other := func(what string) error {
		return fmt.Errorf("%s of %d bytes in a form that is not read: store them as a plain type of NumPy", what, size)
	}
	if depth == 0 {
		return t, nil, errors.New("a type in a type in a type is not read")
	}
	bits := b[1:4]
	p := b[8:]
	switch class {
	case 0:
		if len(p) < 4 {
			return t, nil, errTypeCut
		}
		if le16(p) == 0 && uint32(le16(p[2:])) == 8*size { // all bits are in use
			t.dtype, t.big = h5ints[size][bits[0]>>3&1], bits[0]&1 != 0
		}
		if t.dtype == onnx.Undefined {
			return t, nil, other("integers")
		}
		return t, p[4:], nil
	case 1:
		if len(p) < 12 {
			return t, nil, errTypeCut
		}
		f := h5float{size, bits[1], p[4], p[5], p[6], p[7], le32(p[8:])}
		// The byte order has two bits, both of which mean VAX; the mantissa's first bit is implied.
		if le16(p) == 0 && uint32(le16(p[2:])) == 8*size && bits[0]&0x40 == 0 && bits[0]>>4&3 == 2 {
			t.dtype, t.big = h5floats[f], bits[0]&1 != 0
		}
		if t.dtype == onnx.Undefined {
			return t, nil, other("floating-point numbers")
		}
		return t, p[12:], nil
	case 6:
		return t.compound(version, int(le16(bits)), p, depth)
	}
	return t.boolean(version, int(le16(bits)), p, depth)
}

// member reads the name of a member.
func memberName(version byte, b []byte) (name string, rest []byte, err error) {
	n := bytes.IndexByte(b, 0)
	if n < 0 {
		return "", nil, errTypeCut
	}
	end := n + 1
	if version < 3 {
		end = (end + 7) &^ 7
	}
	if end > len(b) {
		return "", nil, errTypeCut
	}
	return string(b[:n]), b[end:], nil
}

// compound reads complex numbers: h5py stores them as a compound of r and i.
func (t h5type) compound(version byte, members int, b []byte, depth int) (h5type, []byte, error) {
	refused := errors.New("an array of compounds is not read, but for complex numbers of r and i: store each field as a dataset")
	if members != 2 {
		return t, nil, refused
	}
	var parts [2]h5type
	for i, want := range []string{"r", "i"} {
		name, rest, err := memberName(version, b)
		if err != nil {
			return t, nil, err
		}
		n := 4
		switch {
		case version == 1:
			n = 32 // with dimensions, of which there are none
		case version >= 3:
			n = width(uint64(t.size))
		}
		if len(rest) < n {
			return t, nil, errTypeCut
		}
		off := leN(rest[:min(n, 4)])
		if version == 1 && rest[4] != 0 {
			return t, nil, refused
		}
		if parts[i], b, err = parseType(rest[n:], depth-1); err != nil {
			return t, nil, err
		}
		if name != want || off != uint64(int64(i)*parts[0].size) {
			return t, nil, refused
		}
	}
	complexes := map[onnx.DType]onnx.DType{onnx.Float: onnx.Complex64, onnx.Double: onnx.Complex128}
	if t.dtype, t.big = complexes[parts[0].dtype], parts[0].big; t.dtype == onnx.Undefined || parts[0] != parts[1] ||
		t.size != 2*parts[0].size {
		return t, nil, refused
	}
	return t, b, nil
}

// boolean reads booleans: h5py stores them as an enumeration of FALSE and TRUE.
func (t h5type) boolean(version byte, members int, b []byte, depth int) (h5type, []byte, error) {
	refused := errors.New("an array of enumerations is not read, but for booleans of FALSE and TRUE: store its numbers")
	base, b, err := parseType(b, depth-1)
	if err != nil {
		return t, nil, err
	}
	if members != 2 || t.size != 1 || base.size != 1 {
		return t, nil, refused
	}
	var names []string
	for range members {
		var name string
		if name, b, err = memberName(version, b); err != nil {
			return t, nil, err
		}
		names = append(names, name)
	}
	if len(b) < 2 {
		return t, nil, errTypeCut
	}
	if !slices.Equal(names, []string{"FALSE", "TRUE"}) || b[0] != 0 || b[1] != 1 {
		return t, nil, refused
	}
	t.dtype = onnx.Bool
	return t, b[2:], nil
}
