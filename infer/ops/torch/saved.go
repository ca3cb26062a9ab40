package torch

// This file says which tensors PyTorch's functions keep for their gradients: measured with
// PyTorch 2.15, by writing to each tensor before backward() (infer/testdata/saved.txt), as
// its derivatives.yaml has it.

import "strings"

// A Saving says what a function keeps for its gradient of what the program can reach. No
// row means that it keeps nothing, or that it is not known.
type Saving uint8

const (
	SavesNothing Saving = iota
	SavesInput          // the first operand
	SavesResult         // the result
	SavesBoth           // the first operand and the result
	SavesOthers         // each operand, where another one requires gradients
	SavesSecond         // the second operand, and the first where the second requires gradients
	SavesAll            // all operands, whichever requires gradients
	SavesSelf           // the first operand; in place, the result
	SavesProduct        // of three, the second and third where the other of them requires gradients
	SavesPower          // a base with a number above it; else all operands and the result
)

// savings are rows of functions; torch. and torch.nn.functional. are left out.
var savings = map[Saving]string{
	SavesInput: `abs sin cos log log2 log10 log1p square erf erfc atan asin acos sinh cosh asinh acosh atanh var clamp clip
		relu6 selu celu gelu silu mish softplus hardswish hardsigmoid hardtanh threshold glu softsign logsigmoid normalize nll_loss gather
		max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d`,
	SavesSelf:    "leaky_relu elu",
	SavesProduct: "addmm baddbmm addcmul",
	SavesPower:   "pow",
	SavesResult:  "exp exp2 expm1 sigmoid tanh sqrt rsqrt reciprocal tan relu softmax log_softmax softmin inverse inv",
	SavesBoth:    "cumprod logsumexp prod amax amin std norm max min",
	SavesOthers:  "mul mm bmm matmul mv dot outer linear einsum",
	SavesSecond:  "div true_divide kl_div",
	SavesAll: `maximum minimum atan2 conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d prelu
		batch_norm layer_norm group_norm mse_loss smooth_l1_loss huber_loss binary_cross_entropy binary_cross_entropy_with_logits grid_sample`,
}

var savingOf = func() map[string]Saving {
	m := map[string]Saving{}
	for s, names := range savings {
		for _, n := range strings.Fields(names) {
			m[n] = s
		}
	}
	return m
}()

// SavingOf is what the function with a canonical name keeps.
func SavingOf(name string) Saving {
	n, ok := strings.CutPrefix(name, "torch.nn.functional.")
	if !ok {
		if n, ok = strings.CutPrefix(name, "torch."); !ok {
			return SavesNothing
		}
		n = strings.TrimPrefix(strings.TrimPrefix(n, "Tensor."), "linalg.")
	}
	return savingOf[n]
}

// NeverSaved reports whether an operand with this name of the signature is left out of the
// rows: its gradient, or those of others, need no elements of it.
func NeverSaved(param string) bool {
	switch param {
	case "bias", "running_mean", "running_var", "pos_weight", "min", "max":
		return true
	}
	return false
}
