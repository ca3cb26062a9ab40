package aten

// This file holds short ways to write arithmetic.

func (e *Emitter) add(x, y V) V    { return e.Op("Add", In(x, y)) }
func (e *Emitter) sub(x, y V) V    { return e.Op("Sub", In(x, y)) }
func (e *Emitter) over(x, y V) V   { return e.Op("Div", In(x, y)) }
func (e *Emitter) neg(x V) V       { return e.Op("Neg", In(x)) }
func (e *Emitter) abs(x V) V       { return e.Op("Abs", In(x)) }
func (e *Emitter) sqrt(x V) V      { return e.Op("Sqrt", In(x)) }
func (e *Emitter) matMul(x, y V) V { return e.Op("MatMul", In(x, y)) }

// either is x where cond holds, else y.
func (e *Emitter) either(cond, x, y V) V { return e.Op("Where", In(cond, x, y)) }

// times, plus and atLeastOf compute with a constant.
func (e *Emitter) times(x V, f float64) V     { return e.mul(x, e.Scalar(x.DType, f)) }
func (e *Emitter) plus(x V, f float64) V      { return e.add(x, e.Scalar(x.DType, f)) }
func (e *Emitter) atLeastOf(x V, f float64) V { return e.Op("Max", In(x, e.Scalar(x.DType, f))) }

// minus is f - x.
func (e *Emitter) minus(f float64, x V) V { return e.sub(e.Scalar(x.DType, f), x) }

// oneMinus is 1 - x, and negative says where x < 0.
func (e *Emitter) oneMinus(x V) V { return e.minus(1, x) }
func (e *Emitter) negative(x V) V { return e.Op("Less", In(x, e.Scalar(x.DType, 0))) }
func (e *Emitter) isZero(x V) V   { return e.Op("Equal", In(x, e.Scalar(x.DType, 0))) }
