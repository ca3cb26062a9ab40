package inference

// This file holds the operators of classical machine learning, the domain ai.onnx.ml.

import (
	"slices"

	"shapecheck/onnx"
)

// classical is the domain of these operators.
const classical = "ai.onnx.ml"

var mlOps = [...]op{
	{"ArrayFeatureExtractor", extractFeatures, nil},
	{"Binarizer", same, nil}, {"Imputer", same, nil},
	{"Normalizer", sameAs(onnx.Float), nil}, {"Scaler", sameAs(onnx.Float), nil},
	{"CastMap", castMap, nil},
	{"CategoryMapper", categories, nil},
	{"DictVectorizer", vectorizeMap, nil},
	{"FeatureVectorizer", joinFeatures, nil},
	{"LabelEncoder", encodeLabels, nil},
	{"OneHotEncoder", oneHotEncoder, nil},
	{"LinearClassifier", classifier, nil}, {"SVMClassifier", classifier, nil}, {"TreeEnsembleClassifier", classifier, nil},
	{"LinearRegressor", regressor("targets"), nil}, {"SVMRegressor", regressor(""), nil},
	{"TreeEnsembleRegressor", regressor("n_targets"), nil},
	{"TreeEnsemble", regressor("n_targets"), nil},
	{"ZipMap", zipMap, nil},
}

// samples gives the number of rows of the features [N, F]; those of [F] are one row.
func (c *call) samples() expr {
	d, ok := c.dims(0)
	switch {
	case !ok:
		return nil
	case len(d) == 1:
		return c.pool().Const(1)
	case len(d) == 2:
		return d[0]
	}
	c.errorAt(0, "expected one or two dimensions, got %s", c.in(0).Type)
	return nil
}

// extractFeatures selects columns; a single row becomes a matrix.
func extractFeatures(c *call) {
	x, ok := c.ranked(0, -1)
	at, ok2 := c.dims(1)
	if c.failed {
		return
	}
	if !ok {
		c.outUnranked(0, c.elem(0))
		return
	}
	out := slices.Clone(x)
	if len(x) == 1 {
		out = []expr{c.pool().Const(1), nil}
	}
	if out[len(out)-1] = nil; ok2 {
		out[len(out)-1] = c.numel(at)
	}
	c.out(0, c.elem(0), out)
}

func castMap(c *call) {
	c.outUnranked(0, map[string]onnx.DType{"TO_FLOAT": onnx.Float, "TO_STRING": onnx.String, "TO_INT64": onnx.Int64}[c.a.String("cast_to")])
}

// categories maps strings to integers, and integers to strings.
func categories(c *call) {
	switch c.elem(0) {
	case onnx.String:
		c.outLike(0, onnx.Int64, 0)
	case onnx.Int64:
		c.outLike(0, onnx.String, 0)
	default:
		c.outLike(0, onnx.Undefined, 0)
	}
}

func vectorizeMap(c *call) {
	d := onnx.Undefined
	if of := c.in(0).Of; of != nil {
		d = of.Elem
	}
	c.outUnranked(0, d)
}

// joinFeatures adds up widths that attributes say.
func joinFeatures(c *call) {
	n := c.samples()
	var width expr
	if list := c.a.Ints("inputdimensions"); len(list) > 0 {
		sum := int64(0)
		for _, x := range list {
			if x < 0 || x > farAway {
				c.errorf("inputdimensions has the element %d", x)
				return
			}
			sum += x
		}
		width = c.pool().Const(sum)
	}
	if !c.failed {
		c.out(0, onnx.Float, []expr{n, width})
	}
}

// encodeLabels has the type of the values that it maps to; its first version maps
// strings to their positions, and positions to strings.
func encodeLabels(c *call) {
	if c.version < 2 {
		categories(c)
		return
	}
	d := onnx.Undefined
	switch a := c.a; {
	case a.Has("values_tensor"):
		d = a.Tensor("values_tensor").DType
	case len(a.Strings("values_strings")) > 0:
		d = onnx.String
	case len(a.Ints("values_int64s")) > 0:
		d = onnx.Int64
	case len(a.Floats("values_floats")) > 0:
		d = onnx.Float
	}
	c.outLike(0, d, 0)
}

func oneHotEncoder(c *call) {
	n := len(c.a.Ints("cats_int64s"))
	if n == 0 {
		n = len(c.a.Strings("cats_strings"))
	}
	if d, ok := c.dims(0); ok {
		c.out(0, onnx.Float, append(slices.Clone(d), c.pool().Const(int64(n))))
	} else {
		c.outUnranked(0, onnx.Float)
	}
}

// classifier gives a class for each row, and the scores of all classes.
func classifier(c *call) {
	n := c.samples()
	if c.failed {
		return
	}
	d := onnx.Int64
	if len(c.a.Strings("classlabels_strings")) > 0 {
		d = onnx.String
	}
	c.out(0, d, []expr{n})
	c.out(1, onnx.Float, []expr{n, nil})
}

// regressor gives as many numbers for each row as an attribute says; one without.
func regressor(targets string) func(*call) {
	return func(c *call) {
		n := c.samples()
		if c.failed {
			return
		}
		width := c.pool().Const(1)
		if targets != "" {
			width = nil
			if c.a.Has(targets) {
				width = c.pool().Const(max(c.a.Int(targets), 0))
			}
		}
		d := onnx.Float
		if c.op.Name == "TreeEnsemble" {
			d = c.elem(0)
		}
		c.out(0, d, []expr{n, width})
	}
}

// zipMap makes a map from classes to scores of each row.
func zipMap(c *call) {
	key := onnx.Int64
	if len(c.a.Strings("classlabels_strings")) > 0 {
		key = onnx.String
	}
	of := &Type{Kind: onnx.MapType, Key: key, Of: &Type{Kind: onnx.TensorType, Elem: onnx.Float, Ranked: true}}
	c.setType(0, &Type{Kind: onnx.SequenceType, Of: of})
}
