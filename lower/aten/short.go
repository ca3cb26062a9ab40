package aten

// This file holds short ways to write arithmetic.

func (c *Call) add(x, y V) V    { return c.Op("Add", In(x, y)) }
func (c *Call) sub(x, y V) V    { return c.Op("Sub", In(x, y)) }
func (c *Call) over(x, y V) V   { return c.Op("Div", In(x, y)) }
func (c *Call) neg(x V) V       { return c.Op("Neg", In(x)) }
func (c *Call) abs(x V) V       { return c.Op("Abs", In(x)) }
func (c *Call) sqrt(x V) V      { return c.Op("Sqrt", In(x)) }
func (c *Call) matMul(x, y V) V { return c.Op("MatMul", In(x, y)) }

// either is x where cond holds, else y.
func (c *Call) either(cond, x, y V) V { return c.Op("Where", In(cond, x, y)) }

// times, plus and atLeastOf compute with a constant.
func (c *Call) times(x V, f float64) V     { return c.mul(x, c.Scalar(x.DType, f)) }
func (c *Call) plus(x V, f float64) V      { return c.add(x, c.Scalar(x.DType, f)) }
func (c *Call) atLeastOf(x V, f float64) V { return c.Op("Max", In(x, c.Scalar(x.DType, f))) }

// minus is f - x.
func (c *Call) minus(f float64, x V) V { return c.sub(c.Scalar(x.DType, f), x) }

// oneMinus is 1 - x, and negative says where x < 0.
func (c *Call) oneMinus(x V) V { return c.minus(1, x) }
func (c *Call) negative(x V) V { return c.Op("Less", In(x, c.Scalar(x.DType, 0))) }
func (c *Call) isZero(x V) V   { return c.Op("Equal", In(x, c.Scalar(x.DType, 0))) }
