package inference

// This file holds operators on strings.

import (
	"slices"

	"shapecheck/onnx"
)

var textOps = [...]op{
	{"RegexFullMatch", sameAs(onnx.Bool), nil},
	{"StringConcat", binary, nil},
	{"StringNormalizer", normalizer, nil},
	{"StringSplit", stringSplit, nil},
	{"TfIdfVectorizer", tfIdf, nil},
}

// normalizer may drop words: data decides how many stay.
func normalizer(c *call) {
	in, ok := c.dims(0)
	if !ok {
		c.outUnranked(0, onnx.String)
		return
	}
	switch len(in) {
	case 1:
		c.outRank(0, onnx.String, 1)
	case 2:
		c.out(0, onnx.String, []expr{in[0], nil})
	default:
		c.errorf("expected one or two dimensions, got %s", c.in(0).Type)
	}
}

// stringSplit adds a dimension for the parts; data decides how many there are.
func stringSplit(c *call) {
	in, ok := c.dims(0)
	if ok {
		c.out(0, onnx.String, append(slices.Clone(in), nil))
	} else {
		c.outUnranked(0, onnx.String)
	}
	c.outLike(1, onnx.Int64, 0)
}

// tfIdf gives one number for each of the columns that ngram_indexes names.
func tfIdf(c *call) {
	in, ok := c.dims(0)
	if !ok {
		c.outUnranked(0, onnx.Float)
		return
	}
	list := c.a.Ints("ngram_indexes")
	if len(list) == 0 {
		c.errorf("the attribute ngram_indexes is missing")
		return
	}
	columns := slices.Max(list)
	if columns < 0 || columns > farAway {
		c.errorf("ngram_indexes has the element %d", columns)
		return
	}
	n := c.pool().Const(columns + 1)
	switch len(in) {
	case 1:
		c.out(0, onnx.Float, []expr{n})
	case 2:
		c.out(0, onnx.Float, []expr{in[0], n})
	default:
		c.errorf("expected one or two dimensions, got %s", c.in(0).Type)
	}
}
