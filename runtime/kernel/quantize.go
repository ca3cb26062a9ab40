package kernel

// This file maps f32 to integers of a scale, and back, an element at a time.

import (
	"errors"
	"math"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// quantizePart is the elements of a tile.
const quantizePart = 1 << 14

// quantizations makes QuantizeLinear, DequantizeLinear and the one that finds its scale first. Their arithmetic
// is the reference's to the last bit: a quantized value that is off by one is seen far down the model.
func quantizations(t Tier) []*Entry {
	f := tile.RowsOf(t)
	var out []*Entry
	for _, op := range []string{"QuantizeLinear", "DequantizeLinear"} {
		k := quantization{op == "QuantizeLinear"}
		out = append(out, &Entry{Op: isa.Lookup("", op), Name: op + ".linear", Match: k.match, Shape: firstShape, Cost: quantizeCost,
			Split:   func(s *Sig) Grid { return Grid{Tiles: partsOf(s)} },
			Prepare: func(s *Sig) any { p, _ := k.places(s); return p }, Run: k.run})
	}
	return append(out, &Entry{Op: isa.Lookup("", "DynamicQuantizeLinear"), Name: "DynamicQuantizeLinear.linear", Cost: quantizeCost,
		Shape: func(s *Sig) ([][]int64, error) {
			shape, err := firstShape(s)
			return append(shape, []int64{}, []int64{})[:min(len(s.Inst.Out), 3)], err
		},
		Match: func(s *Sig) bool {
			return len(s.In) == 1 && s.In[0].DType == tensor.Float32 && s.In[0].Len() > 0
		},
		Shared: func(s *Sig) int64 { return 8 * int64(partsOf(s)) },
		Split:  func(s *Sig) Grid { return Grid{Tiles: partsOf(s), Phases: 2} },
		Run:    func(c *Call, _, index int) { quantizeDynamically(f, c, index) }})
}

// firstShape gives the sizes of the first operand.
func firstShape(s *Sig) ([][]int64, error) {
	if len(s.In) == 0 || s.In[0].Absent {
		return nil, errors.New("an operand is missing")
	}
	return [][]int64{s.In[0].Dims}, nil
}

func quantizeCost(s *Sig) float64 { return 200 + 3*float64(s.In[0].Len()) }

func partsOf(s *Sig) int { return int((s.In[0].Len() + quantizePart - 1) / quantizePart) }

// tileRange gives the elements of a tile.
func tileRange(index, n int) (first, end int) {
	return index * quantizePart, min((index+1)*quantizePart, n)
}

// A quantization is QuantizeLinear, or DequantizeLinear.
type quantization struct{ to bool }

// A scalePlaces says which scale an element has: one for each place of an axis, whose neighbours are so many elements apart.
type scalePlaces struct{ apart, places int }

// places finds how scales lie along the operand: one for all, or one for each index of an axis. Blocks of
// several are left to the reference.
func (k quantization) places(s *Sig) (scalePlaces, bool) {
	x, scale := s.In[0].Dims, s.Opt(1)
	if scale.Len() == 1 && len(scale.Dims) < 2 {
		return scalePlaces{1, 1}, true
	}
	axis := int(s.Inst.Int("axis", 1))
	if axis < 0 {
		axis += len(x)
	}
	if axis < 0 || axis >= len(x) || s.Inst.Int("block_size", 0) != 0 || !sameDims(scale.Dims, x[axis:axis+1]) {
		return scalePlaces{}, false
	}
	p := scalePlaces{1, int(x[axis])}
	for _, d := range x[axis+1:] {
		p.apart *= int(d)
	}
	return p, true
}

// match takes QuantizeLinear and DequantizeLinear between f32 and bytes, and from int32 to f32;
// scale and zero point must be as many, along a place that places knows.
func (k quantization) match(s *Sig) bool {
	if len(s.In) < 2 || s.In[0].Absent || s.In[1].Absent || s.In[0].Len() == 0 || s.In[1].DType != tensor.Float32 {
		return false
	}
	floating, whole := s.In[0].DType, s.Out[0].DType
	if !k.to {
		floating, whole = whole, floating
	}
	if floating != tensor.Float32 || !byteType(whole) && (k.to || whole != tensor.Int32) {
		return false
	}
	if p := s.Inst.Int("precision", 0); p != 0 && p != int64(tensor.Float32) {
		return false
	}
	if z := s.Opt(2); !z.Absent && (z.DType != whole || z.Len() != s.In[1].Len()) {
		return false
	}
	_, ok := k.places(s)
	return ok
}

// run chooses the function of the integer type, since Go's generics need it at compile time.
func (k quantization) run(c *Call, _, index int) {
	whole := c.Sig.In[0].DType
	if k.to {
		whole = c.Sig.Out[0].DType
	}
	switch {
	case whole == tensor.Int32:
		dequantize[int32](c, index)
	case whole == tensor.Int8 && k.to:
		quantize[int8](c, index, math.MinInt8, math.MaxInt8)
	case whole == tensor.Int8:
		dequantize[int8](c, index)
	case k.to:
		quantize[uint8](c, index, 0, math.MaxUint8)
	default:
		dequantize[uint8](c, index)
	}
}

// runs calls f with pieces of a tile that have one scale and zero point.
func runs[T int8 | uint8 | int32](c *Call, index int, f func(first, end int, scale float32, zero T)) {
	p := c.State.(scalePlaces)
	scales := floats(c.In[1])
	var zeros []T
	if !c.Sig.Opt(2).Absent {
		zeros = elems[T](c.In[2])
	}
	first, end := tileRange(index, int(c.Sig.In[0].Len()))
	for first < end {
		stop := end
		if p.places > 1 {
			stop = min(end, (first/p.apart+1)*p.apart)
		}
		place := first / p.apart % p.places
		zero := T(0)
		if zeros != nil {
			zero = zeros[place]
		}
		f(first, stop, scales[place], zero)
		first = stop
	}
}

// quantize divides in float32, as the operator says, and rounds to even.
func quantize[T int8 | uint8](c *Call, index int, low, high int32) {
	x, y := floats(c.In[0]), elems[T](c.Out[0])
	runs(c, index, func(first, end int, scale float32, zero T) {
		for i, v := range x[first:end] {
			y[first+i] = T(tile.Nearest(float64(v/scale), int32(zero), low, high))
		}
	})
}

// dequantize subtracts the zero point as an integer, before the multiplication rounds.
func dequantize[T int8 | uint8 | int32](c *Call, index int) {
	x, y := elems[T](c.In[0]), floats(c.Out[0])
	runs(c, index, func(first, end int, scale float32, zero T) {
		for i, v := range x[first:end] {
			y[first+i] = float32(float64(int64(v)-int64(zero)) * float64(scale))
		}
	})
}

// quantizeDynamically looks for the extremes of all tiles first.
func quantizeDynamically(f tile.Rows, c *Call, index int) {
	x, extremes := floats(c.In[0]), floats(c.Shared)
	tiles := len(extremes) / 2
	low, high := float32(0), float32(0)
	if index < tiles {
		first, end := tileRange(index, len(x))
		extremes[2*index], extremes[2*index+1] = f.Min(x[first:end]), f.Max(x[first:end])
		return
	}
	index -= tiles
	for t := range tiles {
		low, high = min(low, extremes[2*t]), max(high, extremes[2*t+1])
	}
	scale := (high - low) / 255
	if high == low {
		scale = 1
	}
	zero := tile.Nearest(float64(max(0, min(255, -low/scale))), 0, 0, math.MaxUint8)
	first, end := tileRange(index, len(x))
	for i, v := range x[first:end] {
		c.Out[0][first+i] = byte(tile.Nearest(float64(v/scale), zero, 0, math.MaxUint8))
	}
	if index > 0 {
		return
	}
	if len(c.Out) > 1 && c.Out[1] != nil {
		floats(c.Out[1])[0] = scale
	}
	if len(c.Out) > 2 && c.Out[2] != nil {
		c.Out[2][0] = byte(zero)
	}
}
