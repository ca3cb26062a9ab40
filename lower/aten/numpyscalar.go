package aten

// This file lowers conversions by NumPy's types of scalars, spreads without NaNs, and chains of products.

import (
	"strings"

	"shapecheck/onnx"
)

var numpyScalarRecords = []Record{
	{Op: "numpy.generic.__new__", Lower: func(c *Call) { // np.float32(x): of arrays an array
		if len(c.Items("args")) > 0 || !c.Has("x") {
			failf("only the conversion of one value is written")
		}
		c.Return(c.data(c.Arg("x"), c.OutDType(0)))
	}},
	{Op: "numpy.nanstd numpy.nanvar", Lower: nanSpread},
	{Op: "numpy.linalg.matrix_power", Lower: func(c *Call) {
		e := c.emit
		x, n := c.first(), c.Int("n")
		shape := c.OutType(0).Shape
		if n < 0 {
			x, n = e.inverse(x, shape), -n
		}
		rows, ok := shape[len(shape)-1].Const()
		if n == 0 && !ok {
			failf("power 0 of matrices whose number of rows is not known")
		}
		if n == 0 {
			c.Return(e.Op("Expand", In(e.unit(x.DType, rows), e.Shape(x))))
			return
		}
		var power V
		for ; n > 0; n /= 2 {
			if n%2 == 1 {
				if power.Name == "" {
					power = x
				} else {
					power = e.matMul(power, x)
				}
			}
			if n > 1 {
				x = e.matMul(x, x)
			}
		}
		c.Return(power)
	}},
	{Op: "numpy.linalg.multi_dot", Lower: func(c *Call) {
		e := c.emit
		if c.Has("out") {
			failf("out= is not written")
		}
		d := c.OutDType(0)
		list := c.List("arrays")
		product := e.Cast(list[0], d)
		for _, x := range list[1:] {
			product = e.matMul(product, e.Cast(x, d))
		}
		c.Return(product)
	}},
}

// nanSpread is the variance, or its root, of the elements that are no NaNs; of too few NaN.
func nanSpread(c *Call) {
	e := c.emit
	for _, name := range [...]string{"mean", "correction"} {
		if c.Has(name) {
			failf("%s= is not written", name)
		}
	}
	c.noOptions()
	d := c.OutDType(0)
	if d == onnx.Float16 {
		failf("of floats of 16 bits it is not written")
	}
	clean, is := e.notNaN(e.Cast(c.Tensor("a"), d))
	axes := c.numpyAxes()
	count := c.reduceDims("ReduceSum", is, axes, true)
	apart := e.mul(e.sub(clean, e.over(c.reduceDims("ReduceSum", clean, axes, true), count)), is)
	keep := c.Bool("keepdims")
	free := e.plus(c.reduceDims("ReduceSum", is, axes, keep), -c.Float("ddof"))
	spread := e.over(c.reduceDims("ReduceSum", e.mul(apart, apart), axes, keep), free)
	spread = e.either(e.Op("LessOrEqual", In(free, e.Scalar(d, 0))), e.Scalar(d, nanValue), spread)
	if strings.HasSuffix(lastName(c.Node.Called), "std") {
		spread = e.sqrt(spread)
	}
	c.Return(spread)
}
