package chainer

// This file holds the functions that draw random numbers. The tensors that they give have known
// types and unknown elements. The source is the package chainer.functions.noise of Chainer 7.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// OptionTrain is the setting of a run that holds chainer.config.train, "off" for False. A program
// sets it by chainer.using_config or by an assignment to the configuration.
const OptionTrain = "chainer-train"

// training reports chainer.config.train.
func (k *call) training() bool { return k.Th.Option(OptionTrain) != "off" }

// applied makes a number that only matters while training what it amounts to, for the node of the typed graph: those who
// read that need not know whether the program trains.
func (k *call) applied(name string, f float64) {
	for i := range k.Sig.Params {
		if k.Sig.Params[i].Name == name {
			k.Args[i] = value.Float(f)
		}
	}
}

// noise lists the functions that draw random numbers. Outside of training dropout and zoneout return their
// input's type with a ratio of 0; while training a mask broadcasts with the input. A noise that is passed
// may widen the dtype.
func noise() []ops.Op {
	return []ops.Op{
		// Outside of training x is returned as it is, and with return_mask the mask is None. While
		// training x is of a float dtype and a mask that is passed broadcasts with it.
		fn("dropout", "Dropout", "(x, ratio=0.5, *, mask=None, return_mask=False)", func(k *call) value.Value {
			if !k.training() {
				k.applied("ratio", 0)
				if !k.apply("x") {
					return nil
				}
				v := k.like("x")
				if k.flag("return_mask") {
					return value.NewTuple(v, value.None)
				}
				return v
			}
			k.ratio("ratio")
			if !k.apply("x", "mask?") || !k.expect(floating) {
				return nil
			}
			if !k.dimensions("x") {
				return nil
			}
			if k.t("mask") != nil {
				return k.withArray(k.out(wider(k.d("x"), k.d("mask")), k.broadcast("x", "mask")...), "return_mask", k.d("mask"), "mask")
			}
			return k.withArray(k.like("x"), "return_mask", k.d("x"), "x")
		}, "elements dropped at random, while training").With(ops.Op{Is: graph.OneTensor}),
		// The mean and the logarithm of the variance have one float dtype and one shape.
		fn("gaussian", "Gaussian", "(mean, ln_var, *, eps=None, return_eps=False)", func(k *call) value.Value {
			if !k.apply("mean", "ln_var", "eps?") || !k.expect("mean.dtype.kind == f", "mean.dtype == ln_var.dtype", "mean.shape == ln_var.shape") {
				return nil
			}
			if k.t("eps") != nil {
				return k.withArray(k.out(wider(k.d("mean"), k.d("eps")), k.broadcast("mean", "eps")...), "return_eps", k.d("eps"), "eps")
			}
			return k.withArray(k.like("mean"), "return_eps", k.d("mean"), "mean")
		}, "normal random numbers"),
		fn("gumbel_softmax", "Softmax|?", "(log_pi, tau=0.1, axis=1)", func(k *call) value.Value {
			if !k.apply("log_pi") {
				return nil
			}
			// An input without axes is not looked at further.
			if len(k.s("log_pi")) == 0 {
				return k.like("log_pi")
			}
			k.real("tau")
			if f, known := k.Float("tau"); k.OK() && known && f == 0 {
				return k.Errorf("ZeroDivisionError", diag.BadValue, "gumbel_softmax(): tau is 0")
			}
			if !k.expect("log_pi.dtype.kind == f") {
				return nil
			}
			a := k.axis("axis", "log_pi")
			k.largestOf("log_pi", a)
			return k.like("log_pi")
		}, "nearly one class chosen at random"),
		// Of x the axes after the first are flattened, (examples, inputs), W is (outputs, inputs),
		// and the result (examples, outputs). A mask has the shape of W, with batchwise one for
		// each example.
		fn("simplified_dropconnect", "SimplifiedDropconnect", "(x, W, b=None, ratio=0.5, train=True, mask=None, use_batchwise_mask=True)",
			func(k *call) value.Value {
				train := k.flag("train")
				batchwise := k.flag("use_batchwise_mask")
				// A mask that is passed replaces the ratio, which is then not read.
				if train && !k.Has("mask") {
					k.ratioOf(k.Value("ratio"))
				}
				if !k.apply("x", "W", "b?", "mask?") || !k.expect(floating, "W.dtype.kind == f", "x.ndim >= 2", "W.ndim == 2",
					"prod(x.shape[1:]) == W.shape[1]") {
					return nil
				}
				if k.t("b") != nil && !k.expect("b.dtype == x.dtype", "b.ndim == 1", "b.shape[0] == W.shape[0]") {
					return nil
				}
				if k.t("mask") != nil {
					if batchwise {
						k.expect("mask.shape[0] == x.shape[0]", "mask.shape[1:] == W.shape")
					} else {
						k.expect("mask.shape == W.shape")
					}
				}
				if !k.OK() {
					return nil
				}
				return k.out(k.d("x"), k.s("x")[0], k.s("W")[0])
			}, "linear with weights dropped at random"),
		// The result has the broadcast shape of both, and the wider of their dtypes.
		fn("zoneout", "Zoneout", "(h, x, ratio=0.5)", func(k *call) value.Value {
			if !k.training() {
				k.applied("ratio", 0)
				if !k.apply("x") {
					return nil
				}
				return k.like("x")
			}
			k.ratioKind("ratio")
			if !k.apply("h", "x") {
				return nil
			}
			if !k.dimensions("x") {
				return nil
			}
			d := wider(k.d("h"), k.d("x"))
			return k.out(d, k.broadcast("h", "x")...)
		}, "elements of the state that stay at random, while training"),
	}
}

// dimensions refuses an input without dimensions, of which NumPy makes a scalar, no array.
func (k *call) dimensions(name string) bool {
	if k.OK() && len(k.s(name)) == 0 {
		k.Errorf("TypeError", diag.RankMismatch, "%s(): forward output must be a tuple of ndarrays, but of %s it is a scalar", k.Short(),
			k.t(name))
	}
	return k.OK()
}

// ratioKind checks that an argument is a real number.
func (k *call) ratioKind(name string) {
	if v := k.Value(name); k.OK() && ops.NumberKind(value.Plain(v)) == dtype.KindComplex {
		k.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' must be a number", k.Short(), name)
		return
	}
	k.real(name)
}
