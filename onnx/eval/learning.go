package eval

// This file holds the kernels of ai.onnx.ml on numbers, but trees.
//
// These operators are the steps of models of classical machine learning, such as scikit-learn's.
// Labels may be strings or integers, and each has attributes for both.

import (
	"math"
	"slices"

	"shapecheck/onnx"
)

// mlDomain is the second domain of ONNX.
const mlDomain = "ai.onnx.ml"

func ml(name string) opName { return opName{domain: mlDomain, name: name} }

// Those that have no kernel are in table.go, with the reason.
var learning = map[opName]kernel{
	ml("ArrayFeatureExtractor"): arrayFeatureExtractor, ml("Binarizer"): binarizer, ml("LabelEncoder"): labelEncoder,
	ml("CategoryMapper"): categoryMapper,
	ml("Scaler"):         scaler, ml("Imputer"): imputer, ml("LinearRegressor"): linearRegressor, ml("FeatureVectorizer"): featureVectorizer,
	ml("OneHotEncoder"): oneHotEncoder,
	ml("TreeEnsemble"):  treeEnsemble, ml("TreeEnsembleRegressor"): treeEnsembleRegressor,
}

// arrayFeatureExtractor takes places of the last dimension. A vector becomes a row [1, n].
func arrayFeatureExtractor(c *call) []Value {
	x := c.ranked(0, 1)
	n := int64(len(c.list(1)))
	y := c.gathered(x, Ints(nil, c.list(1)...), len(x.Dims)-1)
	if len(x.Dims) == 1 {
		y = y.with([]int64{1, n})
	}
	return []Value{y}
}

// binarizer is 1 for what is above a threshold and 0 for the rest.
func binarizer(c *call) []Value {
	x, t := c.arg(0), c.float("threshold")
	out := c.like(x, x.DType)
	for i := range x.Len() {
		out.put(i, float64(boolOf(x.At(i) > t)))
	}
	return []Value{out}
}

// either gives the first list of an attribute in several types that is not empty. The order is
// integers, strings, floats, a tensor. It fails if all are empty.
func (c *call) either(prefix string) *Tensor {
	if l := c.ints(prefix + "_int64s"); len(l) > 0 {
		return Ints(nil, l...)
	}
	if l := c.texts(prefix + "_strings"); len(l) > 0 {
		return &Tensor{DType: onnx.String, Dims: []int64{int64(len(l))}, S: l}
	}
	if l := c.floats(prefix + "_floats"); len(l) > 0 {
		return &Tensor{DType: onnx.Float, Dims: []int64{int64(len(l))}, F: l}
	}
	if c.Knows(prefix+"_tensor") && c.has(prefix+"_tensor") {
		return c.tensor(prefix + "_tensor")
	}
	c.failf("there are no %s", prefix)
	return nil
}

// labelEncoder maps keys to values. NaN is equal to NaN. A value without a key gets the default.
// The search is linear in the keys; of equal keys the first one counts.
func labelEncoder(c *call) []Value {
	if c.Op().Since < 2 {
		c.failf("version 1")
	}
	x, keys, vals := c.arg(0), c.either("keys"), c.either("values")
	if x.DType != keys.DType || keys.Len() != vals.Len() {
		c.failf("%d keys of %s and %d values for %s", keys.Len(), keys.DType, vals.Len(), x.DType)
	}
	def := zeros(vals.DType, []int64{}, 1)
	switch {
	case c.has("default_tensor"):
		t := c.tensor("default_tensor")
		c.same(vals, t)
		if t.Len() != 1 {
			c.failf("a default of %d elements", t.Len())
		}
		def = t
	case vals.DType == onnx.Float:
		def.F[0] = c.float("default_float")
	case vals.DType == onnx.Int64:
		def.I[0] = c.int("default_int64")
	case vals.DType == onnx.String:
		def.S[0] = c.text("default_string")
	}
	out := c.make(vals.DType, x.Dims)
	for i := range x.Len() {
		c.tick(keys.Len())
		out.set(i, def, 0)
		for k := range keys.Len() {
			if compare(x, i, keys, k) == 0 {
				out.set(i, vals, k)
				break
			}
		}
	}
	return []Value{out}
}

// categoryMapper maps strings to numbers, or back. A missing one becomes default_int64 or
// default_string. The direction follows from the operand's type.
func categoryMapper(c *call) []Value {
	x, words, ids := c.arg(0), c.texts("cats_strings"), c.ints("cats_int64s")
	if len(words) != len(ids) {
		c.failf("%d strings and %d numbers", len(words), len(ids))
	}
	if x.S != nil {
		out := c.make(onnx.Int64, x.Dims)
		for i, s := range x.S {
			c.tick(1)
			out.I[i] = c.int("default_int64")
			if k := slices.Index(words, s); k >= 0 {
				out.I[i] = ids[k]
			}
		}
		return []Value{out}
	}
	out := c.make(onnx.String, x.Dims)
	for i, n := range c.list(0) {
		out.S[i] = c.text("default_string")
		if k := slices.Index(ids, n); k >= 0 {
			out.S[i] = words[k]
		}
	}
	return []Value{out}
}

// cyclic gives the element of a list of one or n numbers. It fails for another number of
// elements. n is the number of features, and i the place of an element in memory, whose feature
// is i mod n.
func cyclic[T any](c *call, what string, list []T, n int) func(i int) T {
	if len(list) == 1 {
		return func(int) T { return list[0] }
	}
	length(c, what, list, n)
	return func(i int) T { return list[i%n] }
}

// scaler subtracts an offset and multiplies, each feature by its own or all by one. The features
// are the last dimension. It is the standard score for offset = mean and scale = 1 / deviation.
func scaler(c *call) []Value {
	x := c.ranked(0, 1)
	n := int(x.Dims[len(x.Dims)-1])
	offset, scale := cyclic(c, "offset", c.floats("offset"), n), cyclic(c, "scale", c.floats("scale"), n)
	out := c.make(onnx.Float, x.Dims)
	for i := range out.F {
		c.tick(1)
		out.F[i] = (x.At(i) - offset(i)) * scale(i)
	}
	return []Value{out}
}

// imputer replaces one value, as NaN, by that of the feature. Floats and integers have attributes
// of their own. An operand that is replaced nowhere is copied all the same.
func imputer(c *call) []Value {
	x := c.ranked(0, 1)
	n := int(x.Dims[len(x.Dims)-1])
	out := c.copied(x)
	if x.F != nil {
		by, old := cyclic(c, "imputed_value_floats", c.floats("imputed_value_floats"), n), c.float("replaced_value_float")
		for i, f := range x.F {
			c.tick(1)
			if f == old || math.IsNaN(f) && math.IsNaN(old) {
				out.F[i] = by(i)
			}
		}
		return []Value{out}
	}
	by, old := cyclic(c, "imputed_value_int64s", c.ints("imputed_value_int64s"), n), c.int("replaced_value_int64")
	for i, k := range c.list(0) {
		if k == old {
			out.I[i] = by(i)
		}
	}
	return []Value{out}
}

// linearRegressor gives a weighted sum of the features for each target. The coefficients are
// [targets, features], row by row. Transforms of the result fail, but for NONE.
func linearRegressor(c *call) []Value {
	x, targets := c.ranked(0, 1), c.int("targets")
	n := x.Dims[len(x.Dims)-1]
	rows := int64(x.Len()) / max(n, 1)
	if targets < 1 || targets > c.Elems || c.text("post_transform") != "NONE" {
		c.failf("%d targets and the transform %s", targets, c.text("post_transform"))
	}
	w := length(c, "coefficients", c.floats("coefficients"), int(targets*n))
	out := c.make(onnx.Float, []int64{rows, targets})
	for i := range out.F {
		c.tick(1)
		r, t := i/int(targets), i%int(targets)
		c.tick(int(n))
		for j := range int(n) {
			out.F[i] += x.At(r*int(n)+j) * w[t*int(n)+j]
		}
		if c.has("intercepts") && len(c.floats("intercepts")) > 0 {
			out.F[i] += length(c, "intercepts", c.floats("intercepts"), int(targets))[t]
		}
	}
	return []Value{out}
}

// featureVectorizer joins the features of its inputs, each cut off or filled up with zeros
// to its number of them. A vector counts as one row. All inputs must have as many rows.
func featureVectorizer(c *call) []Value {
	sizes := length(c, "inputdimensions", c.ints("inputdimensions"), len(c.ins))
	var parts []*Tensor
	for i, x := range c.tensors(0) {
		if len(x.Dims) == 1 {
			x = x.with([]int64{1, x.Dims[0]})
		}
		if len(x.Dims) != 2 || sizes[i] < 0 || x.C != nil || x.S != nil {
			c.failf("input %d of the sizes %v", i, x.Dims)
		}
		y := c.make(onnx.Float, []int64{x.Dims[0], sizes[i]})
		for k := range y.F {
			c.tick(1)
			r, j := k/int(sizes[i]), k%int(sizes[i])
			if j < int(x.Dims[1]) {
				y.F[k] = x.At(r*int(x.Dims[1]) + j)
			}
		}
		y.round(c.tick)
		parts = append(parts, y)
	}
	return []Value{c.concat(parts, 1)}
}

// oneHotEncoder adds a dimension with a one at the place of the category. An element without a
// category gets zeros, or fails with zeros = 0. The time is elements times categories.
func oneHotEncoder(c *call) []Value {
	x := c.arg(0)
	cats := Ints(nil, c.ints("cats_int64s")...)
	if x.S != nil {
		l := c.texts("cats_strings")
		cats = &Tensor{DType: onnx.String, Dims: []int64{int64(len(l))}, S: l}
	}
	n := cats.Len()
	out := c.make(onnx.Float, append(slices.Clone(x.Dims), int64(n)))
	for i := range x.Len() {
		found := false
		for k := range n {
			if x.S != nil && x.S[i] == cats.S[k] || x.S == nil && toInt(onnx.Int64, x.At(i)) == cats.I[k] {
				out.F[i*n+k], found = 1, true
			}
		}
		if !found && c.int("zeros") == 0 {
			c.failf("element %d has no category", i)
		}
	}
	return []Value{out}
}
