package infer

// This file notes the floats that a graph of torch.compile has as numbers: a symbol stands for a float where an operation takes any
// scalar, but where its schema says float, as of a probability or an epsilon, PyTorch takes the number and guards it.

import (
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
)

// floatParams are the parameters of torch's functions that are floats in their schemas (native_functions.yaml of PyTorch 2.15), by the
// last part of a function's name.
var floatParams = map[string][]string{
	"dropout": {"p"}, "dropout1d": {"p"}, "dropout2d": {"p"}, "dropout3d": {"p"}, "alpha_dropout": {"p"}, "feature_alpha_dropout": {"p"}, "bernoulli": {"p"}, "bernoulli_": {"p"},
	"layer_norm": {"eps"}, "group_norm": {"eps"}, "rms_norm": {"eps"}, "batch_norm": {"momentum", "eps"}, "instance_norm": {"momentum", "eps"},
	"pairwise_distance": {"p", "eps"}, "cdist": {"p"}, "pdist": {"p"}, "cosine_similarity": {"eps"}, "logit": {"eps"},
	"smooth_l1_loss": {"beta"}, "huber_loss": {"delta"}, "cross_entropy": {"label_smoothing"}, "poisson_nll_loss": {"eps"},
	"triplet_margin_loss": {"margin", "p", "eps"}, "hinge_embedding_loss": {"margin"}, "margin_ranking_loss": {"margin"}, "cosine_embedding_loss": {"margin"},
	"scaled_dot_product_attention": {"dropout_p", "scale"}, "interpolate": {"scale_factor"}, "upsample": {"scale_factor"},
	"nan_to_num": {"nan", "posinf", "neginf"}, "quantile": {"q"}, "nanquantile": {"q"}, "isclose": {"rtol", "atol"}, "allclose": {"rtol", "atol"},
	"normal": {"mean", "std"}, "normal_": {"mean", "std"}, "uniform_": {"from", "to"}, "exponential_": {"lambd"}, "geometric_": {"p"}, "cauchy_": {"median", "sigma"},
	"log_normal_": {"mean", "std"}, "std": {"correction"}, "var": {"correction"}, "std_mean": {"correction"}, "var_mean": {"correction"}, "pad": {"value"},
}

// symbolicMath are the functions of math that keep a symbol a symbol.
var symbolicMath = []string{"sqrt", "cos", "cosh", "sin", "sinh", "tan", "tanh", "asin", "acos", "atan", "log2", "floor", "ceil", "trunc", "isnan", "isinf", "isfinite"}

// takesFloats notes the floats of which an operation takes the numbers.
func (d *dynamoRun) takesFloats(op *ops.Op, name string, args []value.Value, kw []value.Kw) {
	if d.node == nil {
		return
	}
	names := floatParams[name[strings.LastIndexByte(name, '.')+1:]]
	if len(names) == 0 {
		return
	}
	for _, k := range kw {
		if slices.Contains(names, k.Name) {
			d.fixes(k.Value)
		}
	}
	for _, s := range op.Signatures() {
		found := false
		for i := range s.Params {
			if slices.Contains(names, s.Params[i].Name) {
				if found = true; i < len(args) {
					d.fixes(args[i])
				}
			}
		}
		if found {
			return
		}
	}
}

// fixes notes a float of which the number is taken.
func (d *dynamoRun) fixes(v value.Value) {
	if d == nil || d.node == nil {
		return
	}
	for x := range value.Walk(v, value.Deep, value.Sequences) {
		f, ok := x.(value.Float)
		for p := d.node; ok && p != nil; p = p.parent {
			p.events = append(p.events, dynamoEvent{fixed: f})
		}
	}
}

// takesOfMath notes the floats that a function of math fixes.
func (d *dynamoRun) takesOfMath(name string, args []value.Value) {
	if last, ok := strings.CutPrefix(name, "math."); ok && !slices.Contains(symbolicMath, last) {
		for _, a := range args {
			d.fixes(a)
		}
	}
}
