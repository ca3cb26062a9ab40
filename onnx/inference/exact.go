package inference

// This file bounds sizes, to tell which integers binary32 holds.

import (
	"math"

	"shapecheck/symshape"
)

// Integers up to exactBelow are exact in binary32. Sizes are taken to be at most
// usualSize where they are converted to it and have no bound of their own, so that
// all of num in num/den is exact when its coefficients are at most 64 together.
const (
	exactBelow = 1 << 24
	usualSize  = 1 << 18
)

// sizes is a bound on the absolute value of an expression for sizes as they are.
type sizes struct{}

func (sizes) Int(i int64) float64 { return math.Abs(float64(i)) }
func (sizes) Symbol(s *symshape.Expr) float64 {
	lo, hi := s.Bounds()
	if hi == symshape.PosInf {
		hi = max(usualSize, lo)
	}
	if lo == symshape.NegInf {
		lo = -usualSize
	}
	return max(math.Abs(float64(lo)), math.Abs(float64(hi)))
}
func (sizes) Add(x, y float64) float64                       { return x + y }
func (sizes) Mul(x, y float64) float64                       { return x * y }
func (sizes) FloorDiv(x, _ float64) float64                  { return x }
func (sizes) Max(x, y float64) float64                       { return max(x, y) }
func (sizes) Min(x, y float64) float64                       { return max(x, y) }
func (sizes) Round(_ symshape.Rounding, x float64) float64   { return x + 1 }
func (sizes) Float(f float64) float64                        { return math.Abs(f) }
func (sizes) FromInt(x float64) float64                      { return x }
func (sizes) Unary(symshape.RealOp, float64) float64         { return math.Inf(1) }
func (sizes) Binary(_ symshape.RealOp, _, _ float64) float64 { return math.Inf(1) }
func (sizes) Bool(bool) float64                              { return math.Inf(1) }
func (sizes) Compare(string, float64) float64                { return math.Inf(1) }
func (sizes) And(_, _ float64) float64                       { return math.Inf(1) }
func (sizes) Or(_, _ float64) float64                        { return math.Inf(1) }

// exact reports whether binary32 holds an integer.
func exact(x expr) bool {
	if x == nil {
		return false
	}
	lo, hi := x.Bounds()
	return lo >= -exactBelow && hi <= exactBelow || symshape.FoldExpr[float64](x, sizes{}) <= exactBelow
}
