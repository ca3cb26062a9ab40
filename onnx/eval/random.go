package eval

// This file makes random tensors.

import (
	"math"
	"math/bits"

	"shapecheck/onnx"
)

// A Random draws numbers.
type Random interface {
	Float64() float64 // uniform in [0, 1)
	NormFloat64() float64
}

// philox is the counter-based generator Philox 4×32 of ten rounds: what it draws depends
// on the key and on how many were drawn before, on nothing else.
type philox struct {
	key     [2]uint32
	stream  uint64
	counter uint64
	out     [4]uint32
	left    int
}

// NewRandom makes the generator of a stream of a seed.
func NewRandom(seed, stream uint64) Random {
	return &philox{key: [2]uint32{uint32(seed), uint32(seed >> 32)}, stream: stream}
}

// next gives 32 random bits: four words for each counter, by ten rounds of Philox4x32 (Salmon et
// al., "Parallel Random Numbers: As Easy as 1, 2, 3", 2011).
func (p *philox) next() uint32 {
	if p.left == 0 {
		x := [4]uint32{uint32(p.counter), uint32(p.counter >> 32), uint32(p.stream), uint32(p.stream >> 32)}
		k := p.key
		for range 10 {
			h0, l0 := bits.Mul32(0xD2511F53, x[0])
			h1, l1 := bits.Mul32(0xCD9E8D57, x[2])
			x = [4]uint32{h1 ^ x[1] ^ k[0], l1, h0 ^ x[3] ^ k[1], l0}
			k[0] += 0x9E3779B9
			k[1] += 0xBB67AE85
		}
		p.out, p.left = x, 4
		p.counter++
	}
	p.left--
	return p.out[3-p.left]
}

func (p *philox) Float64() float64 {
	u := uint64(p.next())<<32 | uint64(p.next())
	return float64(u>>11) / (1 << 53)
}

// NormFloat64 follows Box and Muller.
func (p *philox) NormFloat64() float64 {
	r := math.Sqrt(-2 * math.Log(1-p.Float64()))
	return r * math.Cos(2*math.Pi*p.Float64())
}

// generator is that of the node: by its own seed if it has one, by the run's, the node and
// how often it has run otherwise.
func (c *call) generator(seed float64, own bool) Random {
	if c.random != nil {
		return c.random
	}
	n := c.draws[c.node]
	c.draws[c.node]++
	if own {
		return NewRandom(math.Float64bits(seed), n)
	}
	return NewRandom(c.seed, c.ids[c.node]<<32|n&(1<<32-1))
}

func (c *call) drawer() Random { return c.generator(c.float("seed"), c.has("seed")) }

// drawn fills a tensor of the given sizes, or those of the input.
func drawn(like bool, f func(c *call) func(r Random) float64) kernel {
	return func(c *call) []Value {
		var dims []int64
		d := onnx.DType(c.int("dtype"))
		if like {
			dims = c.arg(0).Dims
			if d == onnx.Undefined {
				d = c.arg(0).DType
			}
		} else {
			dims = c.ints("shape")
		}
		if !isFloat(d) {
			c.failf("random numbers of type %s", d)
		}
		out := c.make(d, dims)
		draw, r := f(c), c.drawer()
		for i := range out.F {
			c.tick(1)
			out.F[i] = draw(r)
		}
		return []Value{out}
	}
}

func uniform(c *call) func(r Random) float64 {
	low, high := c.float("low"), c.float("high")
	return func(r Random) float64 { return low + (high-low)*r.Float64() }
}

func normal(c *call) func(r Random) float64 {
	mean, scale := c.float("mean"), c.float("scale")
	return func(r Random) float64 { return mean + scale*r.NormFloat64() }
}

// bernoulli draws ones with the probabilities of the input.
func bernoulli(c *call) []Value {
	x, r := c.floatArg(0), c.drawer()
	d := x.DType
	if c.has("dtype") {
		d = onnx.DType(c.int("dtype"))
	}
	out := c.make(d, x.Dims)
	for i, p := range x.F {
		c.tick(1)
		if r.Float64() < p {
			out.put(i, 1)
		}
	}
	return []Value{out}
}

// multinomial draws classes with the logarithms of probabilities of each row.
func multinomial(c *call) []Value {
	x, n, r := c.floatArg(0), c.int("sample_size"), c.drawer()
	if len(x.Dims) != 2 || x.Dims[1] < 1 || n < 0 {
		c.failf("%d samples of %v", n, x.Dims)
	}
	out := c.make(onnx.DType(c.int("dtype")), []int64{x.Dims[0], n})
	classes := int(x.Dims[1])
	for b := range int(x.Dims[0]) {
		row := append([]float64{}, x.F[b*classes:][:classes]...)
		softmax(row, false)
		for i := range int(n) {
			c.tick(classes)
			u, k := r.Float64(), 0
			for k < classes-1 && u >= row[k] {
				u -= row[k]
				k++
			}
			out.put(b*int(n)+i, float64(k))
		}
	}
	return []Value{out}
}

// dropout passes its input on, unless it is told to train: then it drops elements and
// makes up for them. The second output says what was kept.
func dropout(c *call) []Value {
	x := c.floatArg(0)
	mask := c.make(onnx.Bool, x.Dims)
	ratio, training := 0.5, c.opt(2) != nil && c.oneInt(2) != 0 // the ratio of an absent input
	if c.opt(1) != nil {
		ratio = c.oneFloat(1)
	}
	if !training || ratio == 0 {
		for i := range mask.I {
			c.tick(1)
			mask.I[i] = 1
		}
		return []Value{x, mask}
	}
	if !(ratio > 0 && ratio < 1) {
		c.failf("a ratio of %v", ratio)
	}
	r := c.generator(float64(c.int("seed")), c.has("seed"))
	out := c.like(x, x.DType)
	for i, f := range x.F {
		c.tick(1)
		if r.Float64() >= ratio {
			mask.I[i] = 1
			out.F[i] = f / (1 - ratio)
		}
	}
	return []Value{out, mask}
}
