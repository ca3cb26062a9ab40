package torch

// This file holds the losses of regression and ranking: those that compare
// tensors element by element, and what all losses share. Most losses work alike: input and target
// broadcast, the dtype is the promoted one, and reduction= decides whether the shape stays (none)
// or becomes a scalar (mean, sum). What differs is which dtypes the kernels have, whether
// broadcasting is allowed, and which shapes are compared before. Functions of torch.nn.functional
// take the reduction as a str, those of torch as a number.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// Both old parameters are deprecated but still read.
const legacyReduction = "any size_average=None, any reduce=None, str reduction='mean')"

// weightedReduction is that of losses that take a weight for each element, which came with PyTorch 2.
const weightedReduction = "any size_average=None, any reduce=None, str reduction='mean', Tensor? weight=None)"

var lossOps = [...]ops.Op{
	{Names: []string{nnf + "mse_loss"}, Sig: "(Tensor input, Tensor target, " + weightedReduction, Sig1: "(Tensor input, Tensor target, " +
		legacyReduction,
		Rule: weighted(pairLoss(ops.RealFloats)), Form: graph.PairLoss, Is: graph.Loss, Quirks: ops.OneDevice,
		Trace: ops.ComparesOperands, Doc: "mean squared error"},
	{Names: []string{nnf + "l1_loss"}, Sig: "(Tensor input, Tensor target, " + weightedReduction, Sig1: "(Tensor input, Tensor target, " +
		legacyReduction,
		Rule: weighted(l1Loss), Form: graph.PairLoss, Is: graph.Loss, Quirks: ops.OneDevice,
		Trace: ops.ComparesOperands, Doc: "mean absolute error"},
	{Names: []string{nnf + "smooth_l1_loss"},
		Sig:  "(Tensor input, Tensor target, any size_average=None, any reduce=None, str reduction='mean', float beta=1.0)",
		Rule: smoothL1Loss, Form: graph.PairLoss, Is: graph.Loss, Quirks: ops.OneDevice,
		Trace: ops.ComparesOperands, Doc: "squared error near zero, absolute beyond"},
	{Names: []string{nnf + "huber_loss"}, Sig: "(Tensor input, Tensor target, str reduction='mean', float delta=1.0, Tensor? weight=None)",
		Sig1: "(Tensor input, Tensor target, str reduction='mean', float delta=1.0)", Rule: weighted(huberLoss), Form: graph.PairLoss,
		Is: graph.Loss, Quirks: ops.OneDevice,
		Trace: ops.ComparesOperands, Doc: "squared error near zero, absolute beyond"},
	{Names: []string{nnf + "kl_div"},
		Sig:  "(Tensor input, Tensor target, any size_average=None, any reduce=None, str reduction='mean', bool log_target=False)",
		Rule: klDiv, Quirks: ops.OneDevice, Trace: ops.ComparesOperands, Doc: "Kullback-Leibler divergence"},
	{Names: []string{"torch.kl_div"}, Sig: "(Tensor input, Tensor target, int reduction=0, *, bool log_target=False)", Rule: klDiv,
		Quirks: ops.OneDevice, Trace: ops.ComparesOperands, Doc: "Kullback-Leibler divergence"},
	{Names: []string{nnf + "poisson_nll_loss"},
		Sig: "(Tensor input, Tensor target, bool log_input=True, bool full=False, any size_average=None, float eps=1e-8, " +
			"any reduce=None, str reduction='mean')", Rule: poissonLoss, Is: graph.Loss,
		Trace: ops.ComparesOperands, Doc: "negative log likelihood of a Poisson distribution"},
	{Names: []string{"torch.poisson_nll_loss"}, Sig: "(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction)",
		Rule:  poissonLoss,
		Trace: ops.ComparesOperands, Doc: "negative log likelihood of a Poisson distribution"},
	{Names: []string{nnf + "soft_margin_loss"}, Sig: "(Tensor input, Tensor target, " + legacyReduction, Rule: softMarginLoss,
		Is: graph.Loss, Trace: ops.ComparesOperands, Doc: "log(1+exp(-target·input))"},
	{Names: []string{nnf + "hinge_embedding_loss"}, Sig: "(Tensor input, Tensor target, float margin=1.0, " + legacyReduction, Rule: hingeLoss,
		Is: graph.Loss, Trace: ops.ComparesOperands, Doc: "x, or max(0, margin-x) where the target is -1"},
	{Names: []string{"torch.hinge_embedding_loss"}, Sig: "(Tensor input, Tensor target, float margin=1.0, int reduction=0)", Rule: hingeLoss,
		Trace: ops.ComparesOperands, Doc: "x, or max(0, margin-x) where the target is -1"},
	{Names: []string{nnf + "gaussian_nll_loss"},
		Sig:  "(Tensor input, Operand target, Operand var, any full=False, float eps=1e-6, str reduction='mean')",
		Sig1: "(Tensor input, Operand target, Tensor var, any full=False, float eps=1e-6, str reduction='mean')",
		Rule: gaussianLoss, Is: graph.Loss,
		Trace: ops.ComparesOperands | ops.AsksSign, Floats: "-eps", Doc: "negative log likelihood of a normal distribution"},
	{Names: []string{nnf + "margin_ranking_loss"}, Sig: "(Tensor input1, Tensor input2, Tensor target, float margin=0, " + legacyReduction,
		Rule: rankingLoss,
		Is:   graph.Loss, Trace: ops.ComparesOperands, Doc: "max(0, -target·(input1-input2)+margin)"},
	{Names: []string{"torch.margin_ranking_loss"}, Sig: "(Tensor input1, Tensor input2, Tensor target, float margin=0, int reduction=0)",
		Rule:  rankingLoss,
		Trace: ops.ComparesOperands, Doc: "max(0, -target·(input1-input2)+margin)"},
	{Names: []string{nnf + "triplet_margin_loss"},
		Sig: "(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2, float eps=1e-6, any swap=False, " +
			legacyReduction, Rule: tripletLoss, Is: graph.Loss, Trace: ops.ComparesOperands, Doc: "max(0, |a-p|-|a-n|+margin)"},
	{Names: []string{"torch.triplet_margin_loss"},
		Sig: "(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2, float eps=1e-6, " +
			"bool swap=False, int reduction=0)", Rule: tripletLoss, Trace: ops.ComparesOperands, Doc: "max(0, |a-p|-|a-n|+margin)"},
	{Names: []string{nnf + "triplet_margin_with_distance_loss"},
		Sig: "(Tensor anchor, Tensor positive, Tensor negative, *, any distance_function=None, " +
			"float margin=1.0, any swap=False, str reduction='mean')", Rule: tripletDistanceLoss, Is: graph.Loss,
		Trace: ops.ComparesOperands, Floats: "-margin", Doc: "triplet_margin_loss with a distance of one's own"},
	{Names: []string{nnf + "cosine_embedding_loss"}, Sig: "(Tensor input1, Tensor input2, Tensor target, float margin=0, " + legacyReduction,
		Rule: cosineLoss,
		Is:   graph.Loss, Trace: ops.ComparesOperands, Doc: "1-cos, or max(0, cos-margin) where the target is -1"},
	{Names: []string{"torch.cosine_embedding_loss"}, Sig: "(Tensor input1, Tensor input2, Tensor target, float margin=0, int reduction=0)",
		Rule:  cosineLoss,
		Trace: ops.ComparesOperands, Doc: "1-cos, or max(0, cos-margin) where the target is -1"},
}

// reduction reads how a loss is reduced: "none", "mean", "sum" or one of extra.
// The functions of torch itself take a number, of which the default that their
// schema calls Mean is 0 in Python.
// Up to PyTorch 1 it was said by size_average and reduce, which still count. extra are names that
// only one function knows. An unknown name is reported; for numbers anything else than 1 and 2 is
// none.
func reduction(c *ops.Call, extra ...string) string {
	for _, name := range [...]string{"size_average", "reduce"} {
		if c.HasParam(name) && c.Has(name) {
			average := !c.Has("size_average") || truthy(c, "size_average")
			reduce := !c.Has("reduce") || truthy(c, "reduce")
			switch {
			case reduce && average:
				return "mean"
			case reduce:
				// The two old parameters are only looked at together.
				return "sum"
			}
			return "none"
		}
	}
	if i, ok := value.AsInt(value.Plain(c.Value("reduction"))); ok {
		switch i {
		case 0:
			return "none"
		case 1:
			return "mean"
		case 2:
			return "sum"
		}
		return "none"
	}
	s := c.Str("reduction")
	switch s {
	case "none", "mean", "sum":
		return s
	}
	for _, e := range extra {
		if s == e {
			return s
		}
	}
	if c.OK() {
		c.Errorf("ValueError", diag.BadValue, "%s: reduction must be none, mean or sum, not '%s'", c.Short(), s)
	}
	return "none"
}

// reduced makes the result of a loss whose elements have dtype d and the shape.
// The mean of integers is refused, their sum is int64. Without a reduction the order of axes in memory is not sure if
// an operand is not contiguous (Unsure). Nil after a report.
func reduced(c *ops.Call, how string, d dtype.DType, shape symshape.Shape) value.Value {
	if !c.OK() {
		return nil
	}
	switch how {
	case "none":
		out := c.Out(d, shape)
		for _, a := range c.Args {
			if t, ok := a.(*value.Tensor); ok {
				c.Unsure(out, t)
			}
		}
		return out
	case "mean":
		if d.IsIntegralOrBool() {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s: the mean of %s is not defined", c.Short(), d)
		}
		return c.Out(d, symshape.Shape{})
	}
	return c.Out(ops.SumType(d), symshape.Shape{})
}

// inputTarget reads the two tensors that most losses compare. ok is false where one of them is not
// known.
func inputTarget(c *ops.Call) (x, y *value.Tensor, ok bool) {
	x, y = c.Tensor("input"), c.Tensor("target")
	return x, y, c.OK() && x != nil && y != nil
}

// pairLoss is a loss of input and target, broadcast and promoted. set has the dtypes for which the
// kernel exists.
func pairLoss(set ops.DTypeSet) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		x, y, ok := inputTarget(c)
		how := reduction(c)
		if !ok || !c.OK() {
			return nil
		}
		d := c.ResultType(x, y)
		s := c.BroadcastTensors(x, y)
		if c.OK() && !set.Has(d) {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s of %s and %s is not defined: it takes %s inputs", c.Short(), x.Type().DType,
				y.Type().DType, set)
		}
		return reduced(c, how, d, s)
	}
}

// weighted is a loss that takes a weight of the input's shape. The weight must have exactly the
// input's shape, without broadcasting.
func weighted(rule func(*ops.Call) value.Value) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		if x, w := c.Tensor("input"), optional(c, "weight"); x != nil && w != nil {
			a, b := c.Shape(x), c.Shape(w)
			if c.OK() && (len(a) != len(b) || !c.SameSizes(a, b)) {
				return c.Errorf("ValueError", diag.ShapeMismatch, "%s: the weight %s must have the shape of the input %s", c.Short(), w, x)
			}
		}
		return rule(c)
	}
}

// l1Loss: input and target broadcast, which F.l1_loss warns of but does. Of complex numbers the difference's
// absolute value is real.
func l1Loss(c *ops.Call) value.Value {
	x, y, ok := inputTarget(c)
	how := reduction(c)
	if !ok || !c.OK() {
		return nil
	}
	s := c.BroadcastTensors(x, y)
	if !c.OK() || !noBools(c, x, y) {
		return nil
	}
	return reduced(c, how, c.ResultType(x, y).Real(), s)
}

// noBools refuses bool tensors, which cannot be subtracted. False after a report.
func noBools(c *ops.Call, ts ...*value.Tensor) bool {
	for _, t := range ts {
		if t != nil && t.Type().DType == dtype.Bool {
			c.Errorf("RuntimeError", diag.DTypeMismatch, "%s: bool tensors cannot be subtracted: %s", c.Short(), t)
			return false
		}
	}
	return c.OK()
}

// smoothL1Loss: with beta 0 the quadratic part is gone, and PyTorch 2 calls l1_loss, which takes more dtypes.
func smoothL1Loss(c *ops.Call) value.Value {
	beta, known := c.Float("beta")
	if known && beta < 0 {
		return c.Errorf("RuntimeError", diag.BadValue, "smooth_l1_loss: beta must not be negative, but it is %g", beta)
	}
	if known && beta == 0 && !c.Torch1() { // the loss of l1_loss
		return l1Loss(c)
	}
	return pairLoss(ops.RealFloats)(c)
}

// huberLoss: the result is allocated like the input before the kernel runs, so the target may have a wider
// dtype only where the result can still be written.
func huberLoss(c *ops.Call) value.Value {
	if d, known := c.Float("delta"); known && d <= 0 {
		return c.Errorf("RuntimeError", diag.BadValue, "huber_loss: delta must be positive, but it is %g", d)
	}
	x, y, ok := inputTarget(c)
	how := reduction(c)
	if !ok || !c.OK() {
		return nil
	}
	// All losses of pairs report shapes that do not broadcast here.
	s := c.BroadcastTensors(x, y)
	d := c.ResultType(x, y)
	if !c.OK() || !wantDType(c, x, "the input", ops.RealFloats) {
		return nil
	}
	if !ops.RealFloats.Has(d) {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "huber_loss of %s and %s is not defined", x.Type().DType, y.Type().DType)
	}
	return reduced(c, how, x.Type().DType, s) // the result is made like the input
}

// klDiv knows the additional reduction "batchmean", which divides by the first size and therefore needs one.
func klDiv(c *ops.Call) value.Value {
	x, y, ok := inputTarget(c)
	how := reduction(c, "batchmean")
	if !ok || !c.OK() {
		return nil
	}
	if how == "batchmean" && x.Type().Rank() == 0 && !c.Torch1() {
		return c.Errorf("RuntimeError", diag.RankMismatch, "kl_div: reduction 'batchmean' needs an input with dimensions, but it is %s", x)
	}
	s := c.BroadcastTensors(x, y)
	d := c.ResultType(x, y)
	if !c.OK() || !wantDType(c, x, "the input", ops.RealFloats) || !wantDType(c, y, "the target", ops.RealFloats) {
		return nil
	}
	return reduced(c, how, d, s)
}

// poissonLoss: without log_input the input's logarithm is taken, with it the exponential; of bools neither is
// defined in all combinations.
func poissonLoss(c *ops.Call) value.Value {
	x, y, ok := inputTarget(c)
	how := reduction(c)
	if !ok || !c.OK() {
		return nil
	}
	s := c.BroadcastTensors(x, y)
	set := ops.AnyDType
	if truthy(c, "full") { // Stirling's term compares the target and subtracts it
		set = ops.RealNums
	}
	if !c.OK() || !wantDType(c, y, "the target", set) {
		return nil
	}
	// exp(x) - y·x of two bools has no kernel.
	if truthy(c, "log_input") {
		if c.ResultType(x, y) == dtype.Bool {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s: input and target must not both be bool", c.Short())
		}
	} else if !noBools(c, x) {
		return nil
	}
	// Integers give floats, because of exp and log.
	return reduced(c, how, c.ToFloat(c.ResultType(x, y)), s)
}

// softMarginLoss, alone among the losses of pairs, does not broadcast the input: it is computed in a tensor of
// the input's shape.
func softMarginLoss(c *ops.Call) value.Value {
	x, y, ok := inputTarget(c)
	how := reduction(c)
	if !ok || !c.OK() || !noBools(c, x, y) || !wantDType(c, x, "the input", ops.Inexact) {
		return nil
	}
	// The result is computed in a tensor of the input's shape and dtype.
	s := c.Shape(x)
	if !c.OK() || !broadcastable(c, y, "the target", s) {
		return nil
	}
	if d := c.ResultType(x, y); d != dtype.Unknown && !dtype.CanCast(d, x.Type().DType) {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "soft_margin_loss: %s and %s give %s, which does not fit the input's dtype",
			x.Type().DType,
			y.Type().DType, d)
	}
	return reduced(c, how, x.Type().DType, s)
}

// hingeLoss is F.hinge_embedding_loss: a target of 1 and -1 for inputs that are distances. Its result has the
// input's dtype, whatever the target's.
func hingeLoss(c *ops.Call) value.Value {
	x, y, ok := inputTarget(c)
	how := reduction(c)
	if !ok || !c.OK() || !noBools(c, x) || !wantDType(c, x, "the input", ops.RealNums) {
		return nil
	}
	// 0 - margin would wrap in uint8.
	if m, known := c.Float("margin"); known && m < 0 && x.Type().DType == dtype.U8 {
		return c.Errorf("RuntimeError", diag.BadValue, "hinge_embedding_loss: margin %g does not fit an unsigned input", m)
	}
	s := c.BroadcastTensors(x, y)
	return reduced(c, how, x.Type().DType, s)
}

// gaussianLoss needs real floats for var, in the input's shape, without its last dimension, or with 1
// there, or a number that is not negative. Input and target broadcast and must not be bool. The result is
// reduced, in the promoted dtype.
func gaussianLoss(c *ops.Call) value.Value {
	x := c.Tensor("input")
	v, ok := c.Value("var").(*value.Tensor)
	if x != nil && !ok { // a number, since PyTorch 2.9
		if n, known := c.Float("var"); known && n < 0 {
			return c.Errorf("ValueError", diag.BadValue, "gaussian_nll_loss: var must not be negative, but is %g", n)
		}
		v = x
	}
	xs, vs := c.Shape(x), c.Shape(v)
	if !c.OK() {
		return nil
	}
	y, isTensor := c.Value("target").(*value.Tensor)
	if !isTensor { // a number
		y = x
		if ops.NumberKind(c.Value("target")) == dtype.KindBool {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "gaussian_nll_loss: a bool cannot be subtracted")
		}
	}
	// reduction is checked before the shapes.
	if reduction(c); !c.OK() {
		return nil
	}
	// var has the input's shape, lacks the last axis, or has 1 there.
	same := len(vs) == len(xs)
	prefix := min(len(vs), len(xs))
	if same && prefix > 0 && !ops.SameShape(xs, vs) && ops.IsConst(vs[prefix-1], 1) {
		prefix--
	}
	if len(xs) == 0 && len(vs) == 1 && ops.IsConst(vs[0], 1) {
		same, prefix = true, 0
	}
	fits := same || len(vs) == len(xs)-1
	for i := 0; fits && i < prefix; i++ {
		c.Blame(ops.Ref{Tensor: x, Axis: i}, ops.Ref{Tensor: v, Axis: i})
		_, fits = c.Same(xs[i], vs[i])
	}
	if !fits {
		return c.Errorf("ValueError", diag.ShapeMismatch,
			"gaussian_nll_loss: var %s does not fit the input %s: it must have its shape, its shape without the last dimension, or 1 there", v, x)
	}
	c.Blame()
	// The target may be a number, for which x stands.
	s := c.BroadcastTensors(x, y)
	how := reduction(c)
	if !c.OK() || !noBools(c, x, y) || !wantDType(c, v, "var", ops.RealFloats) || !wantDType(c, x, "the input", ops.Numbers) {
		return nil
	}
	// The missing last axis counts as 1.
	if !same {
		vs = append(append(symshape.Shape(nil), vs...), c.Const(1))
	}
	if out, _, ok := c.Broadcast(s, vs); ok {
		s = out
	}
	return reduced(c, how, c.ResultType(x, y, v), s)
}

// rankingLoss: the Python function compares the numbers of dimensions, and ATen broadcasts the sizes. Called as
// torch.margin_ranking_loss only the latter happens, which the parameter reduce of the signature tells apart.
func rankingLoss(c *ops.Call) value.Value {
	a, b, y := c.Tensor("input1"), c.Tensor("input2"), c.Tensor("target")
	as, bs, ys := c.Shape(a), c.Shape(b), c.Shape(y)
	how := reduction(c)
	if !c.OK() {
		return nil
	}
	if (len(as) != len(bs) || len(as) != len(ys)) && c.HasParam("reduce") {
		return c.Errorf("RuntimeError", diag.RankMismatch,
			"margin_ranking_loss: the inputs and the target must have the same number of dimensions, but they are %s, %s and %s", a, b, y)
	}
	// The target is 1 or -1 and takes part in the promotion.
	s := c.BroadcastTensors(a, b, y)
	if !c.OK() || !noBools(c, a, b, y) {
		return nil
	}
	d := c.ResultType(a, b, y)
	if d.IsComplex() {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "margin_ranking_loss is not defined for %s", d)
	}
	return reduced(c, how, c.ToFloat(d), s)
}

// tripletLoss: distances along the last axis, which goes. Since the distances have floating dtypes of their
// own, and the loss is of two or (swap) three of them, the dtype is promoted by pairs.
func tripletLoss(c *ops.Call) value.Value {
	a, p, n := c.Tensor("anchor"), c.Tensor("positive"), c.Tensor("negative")
	as, ps, ns := c.Shape(a), c.Shape(p), c.Shape(n)
	how := reduction(c)
	if !c.OK() {
		return nil
	}
	if len(as) != len(ps) || len(as) != len(ns) {
		return c.Errorf("RuntimeError", diag.RankMismatch,
			"triplet_margin_loss: the inputs must have the same number of dimensions, but they are %s, %s and %s", a, p, n)
	}
	// Each pair is checked by itself, as the message names the two.
	c.BroadcastTensors(a, p)
	c.BroadcastTensors(a, n)
	s := c.BroadcastTensors(a, p, n)
	if !c.OK() || !noBools(c, a, p, n) {
		return nil
	}
	if len(s) > 0 {
		s = s[:len(s)-1]
	}
	// A dtype that is not known makes the result's unknown.
	d := dtype.Unknown
	if x, y := c.ResultType(a, p), c.ResultType(a, n); x != dtype.Unknown && y != dtype.Unknown { // of two distances
		d = dtype.Promote(c.ToFloat(x).Real(), c.ToFloat(y).Real())
		if z := c.ResultType(p, n); truthy(c, "swap") && z != dtype.Unknown {
			d = dtype.Promote(d, c.ToFloat(z).Real())
		}
	}
	return reduced(c, how, d, s)
}

// tripletDistanceLoss calls the distance function, as PyTorch does. The shapes and dtypes of the
// distances broadcast and promote as those of other losses do.
func tripletDistanceLoss(c *ops.Call) value.Value {
	a, p, n := c.Tensor("anchor"), c.Tensor("positive"), c.Tensor("negative")
	how := reduction(c)
	if !c.OK() || a == nil || p == nil || n == nil {
		return nil
	}
	pairs := [][2]*value.Tensor{{a, p}, {a, n}}
	if truthy(c, "swap") {
		// The distance between positive and negative is the third one.
		pairs = append(pairs, [2]*value.Tensor{p, n})
	}
	shape, d := symshape.Shape{}, dtype.Bool
	for _, pair := range pairs {
		s, dist := distance(c, pair[0], pair[1])
		if !c.OK() {
			return nil
		}
		shape = fit(c, shape, s)
		if dist == dtype.Unknown || d == dtype.Unknown {
			d = dtype.Unknown
		} else {
			d = dtype.Promote(d, dist)
		}
	}
	return reduced(c, how, c.ToFloat(d), shape)
}

// distance is distance_function(a, b), pairwise_distance by default. The axis of features goes in
// the default distance. A function that raises, or gives no tensor, ends the rule.
func distance(c *ops.Call, a, b *value.Tensor) (symshape.Shape, dtype.DType) {
	if !c.Has("distance_function") {
		if !noBools(c, a, b) {
			return nil, dtype.Unknown
		}
		s := c.BroadcastTensors(a, b)
		if len(s) > 0 {
			s = s[:len(s)-1]
		}
		return s, c.ResultType(a, b).Real()
	}
	v, err := c.Th.Call(c.Value("distance_function"), []value.Value{a, b}, nil)
	if err != nil {
		c.SetErr(err)
		return nil, dtype.Unknown
	}
	t, ok := v.(*value.Tensor)
	if !ok {
		c.Lose("the distance is not a tensor that is known")
		return nil, dtype.Unknown
	}
	return c.Shape(t), t.Type().DType
}

// cosineLoss needs a target without dimensions for vectors, or a vector of targets for matrices of as many
// rows; the inputs broadcast to each other and must be real. The loss has the target's rank before
// reduction; integers give floats.
func cosineLoss(c *ops.Call) value.Value {
	a, b, y := c.Tensor("input1"), c.Tensor("input2"), c.Tensor("target")
	as, bs, ys := c.Shape(a), c.Shape(b), c.Shape(y)
	how := reduction(c)
	if !c.OK() {
		return nil
	}
	axis := len(ys)
	if axis > 1 || len(as) != axis+1 {
		return c.Errorf("RuntimeError", diag.RankMismatch,
			"cosine_embedding_loss: a target of %dD takes inputs of %dD, but they are %s, %s and %s", axis, axis+1, a, b, y)
	}
	if len(bs) <= axis && axis > 0 {
		return c.Errorf("IndexError", diag.RankMismatch,
			"cosine_embedding_loss: a target of %dD takes inputs of %dD, but they are %s, %s and %s", axis, axis+1, a, b, y)
	}
	d := c.ResultType(a, b)
	if d.IsComplex() {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "cosine_embedding_loss is not defined for %s", d)
	}
	both := c.BroadcastTensors(a, b)
	if !c.OK() {
		return nil
	}
	// The product and both norms lose the axis, and then broadcast among each other.
	out := symshape.Shape{}
	for _, s := range [...]symshape.Shape{both, as, bs} {
		if len(s) > 0 {
			s = ops.Without(s, axis)
		}
		if out = fit(c, out, s); !c.OK() {
			return nil
		}
	}
	c.Blame(ops.Ref{Tensor: a, Axis: 0}, ops.Ref{Tensor: y, Axis: 0})
	out, _, ok := c.Broadcast(out, ys)
	if !ok {
		return c.Shapef("cosine_embedding_loss: the target %s does not fit the inputs %s and %s", y, a, b)
	}
	if x, y := a.Type().DType, b.Type().DType; d != dtype.Unknown { // the norms of integers are floats before they meet
		d = dtype.Promote(c.ToFloat(x), c.ToFloat(y))
	}
	return reduced(c, how, d, out)
}

// fit broadcasts two shapes. It reports shapes that do not fit.
func fit(c *ops.Call, a, b symshape.Shape) symshape.Shape {
	out, axis, ok := c.Broadcast(a, b)
	if !ok {
		c.Shapef("%s: the shapes %s and %s do not match at dimension %d", c.Short(), a, b, -axis)
	}
	return out
}
