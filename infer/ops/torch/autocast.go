package torch

// This file knows what torch.autocast converts for which functions, from the lists of
// PyTorch's ATen/autocast_mode.h and, for functions that call those of the lists, from
// recorded runs of PyTorch 2.15 on the CPU.

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"shapecheck/infer/value"
	"shapecheck/symshape/dtype"
)

// An Autocast says to which dtype autocast converts the floating point arguments of a
// function.
type Autocast uint8

const (
	AutocastNone   Autocast = iota // it leaves them as they are
	AutocastLower                  // to the dtype of the region
	AutocastFloat                  // to float32
	AutocastWidest                 // to the widest dtype among them
	AutocastResult                 // to float32, and the result to the dtype of the region
	AutocastLost                   // the dtypes of the result follow no rule of these
)

// autocast1 are the policies on the CPU that PyTorch 1.13 has otherwise.
var autocast1 = map[string]Autocast{
	"torch.nn.functional.conv_transpose1d": AutocastFloat, "torch.nn.functional.conv_transpose2d": AutocastFloat,
	"torch.nn.functional.conv_transpose3d": AutocastFloat, "torch.nn.functional.prelu": AutocastNone,
}

// AutocastOf is the policy for a call of the function with a canonical name on devices of
// a kind, in PyTorch 1 or 2.
func AutocastOf(torch1 bool, device, name string, args []value.Value, kw []value.Kw) Autocast {
	a := autocasts()[device][name]
	if old, differs := autocast1[name]; torch1 && differs && device == "cpu" {
		return old
	}
	if decide := autocastBy[name]; a != AutocastNone && decide != nil && device == "cpu" {
		return decide(args, kw)
	}
	return a
}

// autocastBy are the functions whose policy on the CPU depends on their arguments, as these decide to
// which functions of the lists they come.
var autocastBy = map[string]func(args []value.Value, kw []value.Kw) Autocast{
	"torch.einsum": contraction,
	"torch.linalg.matrix_power": func(args []value.Value, kw []value.Kw) Autocast {
		if n, known := value.AsInt(argument(args, kw, 1, "n")); known && n <= 1 && n >= -1 {
			return AutocastNone
		}
		return AutocastLower
	},
	"torch.nn.functional.max_pool3d": func(args []value.Value, kw []value.Kw) Autocast {
		if argument(args, kw, 6, "return_indices") == value.Bool(true) {
			return AutocastNone
		}
		return AutocastFloat
	},
	"torch.nn.functional.pad": func(args []value.Value, kw []value.Kw) Autocast {
		if mode, _ := value.AsStr(argument(args, kw, 2, "mode")); mode == "reflect" || mode == "replicate" {
			return AutocastFloat
		}
		return AutocastNone
	},
	"torch.inner": func(args []value.Value, kw []value.Kw) Autocast {
		for i, n := range [...]string{"self", "other"} {
			if t, ok := argument(args, kw, i, n).(*value.Tensor); ok && t.Type().Rank() == 0 {
				return AutocastNone // a product with a number
			}
		}
		return AutocastLower
	},
	"torch.gru": likeState, "torch.gru_cell": likeState, "torch.lstm_cell": likeState,
}

// likeState is the policy of cells that add to the state, so that their results have its
// dtype, whatever the dtype of their products.
func likeState(args []value.Value, kw []value.Kw) Autocast {
	for _, a := range args[min(1, len(args)):] {
		if t, ok := a.(*value.Tuple); ok && len(t.Elems) > 0 {
			a = t.Elems[0]
		}
		if l, ok := a.(*value.List); ok && len(l.Elems) > 0 {
			a = l.Elems[0]
		}
		if t, ok := a.(*value.Tensor); ok && t.Type().DType.IsFloat() { // not the lengths of a batch
			if t.Type().DType == dtype.F32 {
				return AutocastFloat
			}
			break
		}
	}
	return AutocastLower
}

// argument is an argument before it is bound: nil where it is not given.
func argument(args []value.Value, kw []value.Kw, i int, name string) value.Value {
	for _, k := range kw {
		if k.Name == name {
			return k.Value
		}
	}
	if i < len(args) {
		return args[i]
	}
	return nil
}

// contraction is the policy of einsum, which multiplies matrices where it sums over what
// two operands have in common: other equations are products of elements.
func contraction(args []value.Value, _ []value.Kw) Autocast {
	text, ok := value.AsStr(argument(args, nil, 0, ""))
	if !ok {
		return AutocastLower
	}
	in, out, _ := strings.Cut(strings.ReplaceAll(text, " ", ""), "->")
	operands := strings.Split(in, ",")
	for i, a := range operands {
		for _, b := range operands[i+1:] {
			for _, r := range a {
				if r != '.' && strings.ContainsRune(b, r) && (!strings.ContainsRune(text, '>') || !strings.ContainsRune(out, r)) {
					return AutocastLower
				}
			}
		}
	}
	return AutocastNone
}

// The canonical names of the functions of each policy and kind of device. Those of
// torch.nn.functional stand without their module.
var autocastLists = [...]struct {
	device string
	policy Autocast
	names  string
}{
	{"cpu", AutocastLower, `conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d prelu linear scaled_dot_product_attention
		multi_head_attention_forward conv_tbc torch.matmul torch.mm torch.bmm torch.addmm torch.addbmm torch.baddbmm torch.linalg.vecdot
		torch.einsum torch.tensordot torch.linalg.multi_dot torch.chain_matmul torch.Tensor.__rmatmul__ torch.cov torch.corrcoef
		torch.linalg.matrix_power torch.inner torch.lstm torch.gru torch.rnn_tanh torch.rnn_relu torch.lstm_cell torch.gru_cell torch.rnn_tanh_cell
		torch.rnn_relu_cell`},
	{"cpu", AutocastFloat, `pad torch.pinverse avg_pool3d binary_cross_entropy binary_cross_entropy_with_logits grid_sample torch.grid_sampler torch.grid_sampler_2d
		torch.grid_sampler_3d torch.polar torch.prod torch.masked.prod torch.quantile torch.nanquantile torch.stft torch.cdist torch.trace torch.view_as_complex
		torch.cholesky_inverse torch.cholesky_solve torch.linalg.inv torch.linalg.lu_solve torch.ormqr torch.linalg.householder_product torch.lu torch.Tensor.lu torch.lu_solve torch.linalg.matrix_sqrth
		max_pool3d torch.max_pool3d max_unpool1d max_unpool2d max_unpool3d adaptive_avg_pool3d mse_loss cosine_embedding_loss nll_loss
		hinge_embedding_loss poisson_nll_loss smooth_l1_loss cross_entropy l1_loss huber_loss margin_ranking_loss soft_margin_loss triplet_margin_loss
		multi_margin_loss ctc_loss torch.ctc_loss kl_div multilabel_margin_loss torch.fft.fft torch.fft.ifft torch.fft.fft2 torch.fft.ifft2 torch.fft.fftn
		torch.fft.ifftn torch.fft.rfft torch.fft.irfft torch.fft.rfft2 torch.fft.irfft2 torch.fft.rfftn torch.fft.irfftn torch.fft.hfft torch.fft.ihfft
		torch.linalg.cond torch.linalg.matrix_rank torch.linalg.solve torch.linalg.cholesky torch.linalg.svdvals torch.linalg.eigvals
		torch.linalg.eigvalsh torch.linalg.tensorinv torch.linalg.tensorsolve torch.fake_quantize_per_tensor_affine
		torch.geqrf torch.linalg.qr torch.svd torch.triangular_solve fractional_max_pool2d fractional_max_pool3d
		fractional_max_pool2d_with_indices fractional_max_pool3d_with_indices adaptive_max_pool3d
		torch.linalg.cholesky_ex torch.linalg.svd torch.linalg.eig torch.linalg.eigh torch.linalg.lstsq torch.linalg.inv_ex`},
	{"cpu", AutocastResult, "torch.linalg.pinv"},
	{"cpu", AutocastLost, "torch.linalg.polar"},
	{"cuda", AutocastLower, `conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d prelu linear scaled_dot_product_attention
		multi_head_attention_forward conv_tbc torch.matmul torch.mm torch.mv torch.bmm torch.addmm torch.addmv torch.addr torch.addbmm torch.baddbmm
		torch.linalg.vecdot torch.einsum torch.tensordot torch.linalg.multi_dot torch.chain_matmul torch.Tensor.__rmatmul__ torch.inner torch.lstm torch.gru
		torch.rnn_tanh torch.rnn_relu torch.lstm_cell torch.gru_cell torch.rnn_tanh_cell torch.rnn_relu_cell`},
	{"cuda", AutocastFloat, `torch.acos torch.asin torch.cosh torch.erfinv torch.exp torch.expm1 torch.log torch.log10 torch.log2 torch.log1p
		torch.reciprocal torch.rsqrt torch.sinh torch.tan torch.pow torch.Tensor.__rpow__ softplus layer_norm torch.native_layer_norm rms_norm
		group_norm cosine_similarity poisson_nll_loss cosine_embedding_loss nll_loss hinge_embedding_loss kl_div l1_loss smooth_l1_loss huber_loss mse_loss
		margin_ranking_loss multilabel_margin_loss soft_margin_loss triplet_margin_loss multi_margin_loss cross_entropy binary_cross_entropy_with_logits
		torch.dist pdist torch.cdist torch.renorm torch.logsumexp interpolate torch.prod softmax log_softmax torch.cumprod torch.cumsum
		torch.linalg.vector_norm torch.linalg.matrix_norm torch.linalg.norm torch.sum torch.norm`},
	{"cuda", AutocastWidest, `torch.addcdiv torch.addcmul torch.atan2 bilinear torch.cross torch.linalg.cross torch.dot torch.vdot grid_sample
		torch.index_put torch.scatter_add torch.cat torch.stack`},
	{"cpu", AutocastWidest, "torch.cat torch.stack torch.index_copy"},
}

var autocasts = sync.OnceValue(func() map[string]map[string]Autocast {
	m := map[string]map[string]Autocast{}
	for _, l := range autocastLists {
		if m[l.device] == nil {
			m[l.device] = map[string]Autocast{}
		}
		for _, n := range strings.Fields(l.names) {
			if !strings.HasPrefix(n, "torch.") {
				n = "torch.nn.functional." + n
			}
			m[l.device][n] = l.policy
		}
	}
	return m
})

// AutocastNames lists the functions that have a policy.
func AutocastNames() []string {
	var list []string
	for _, m := range autocasts() {
		list = slices.AppendSeq(list, maps.Keys(m))
	}
	list = slices.AppendSeq(list, maps.Keys(autocastBy))
	list = slices.AppendSeq(list, maps.Keys(autocast1))
	slices.Sort(list)
	return slices.Compact(list)
}
