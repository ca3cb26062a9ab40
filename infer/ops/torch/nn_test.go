package torch_test

// This file tests the records of torch.nn.functional on symbolic sizes, which
// the recorded calls do not have, and the texts of their refusals. The expected
// sizes follow from PyTorch's documentation of each function.

import (
	"strings"
	"testing"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/opstest"
	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// arg makes a value of a Go value: a string of the form f32[…] is a tensor.
func arg(t *testing.T, th *opstest.Thread, x any) value.Value {
	t.Helper()
	switch x := x.(type) {
	case nil:
		return value.None
	case value.Value:
		return x
	case bool:
		return value.Bool(x)
	case int:
		return value.Int(x)
	case float64:
		return value.Float(x)
	case []any:
		elems := make([]value.Value, len(x))
		for i, e := range x {
			elems[i] = arg(t, th, e)
		}
		return value.NewTuple(elems...)
	case string:
		name, rest, isTensor := strings.Cut(x, "[")
		d, known := dtype.Parse(name)
		if !isTensor || !known {
			return value.Str(x)
		}
		ty := graph.TensorType{DType: d, Ranked: true, Shape: symshape.Shape{}}
		for _, s := range symshape.SplitList(strings.TrimSuffix(rest, "]")) {
			switch s = strings.TrimSpace(s); s {
			case "":
			case "*":
				ty.Ranked = false
			default:
				dim, err := th.Pool().ParseDim(s)
				if err != nil {
					t.Fatalf("%s: %v", x, err)
				}
				ty.Shape = append(ty.Shape, dim)
			}
		}
		return &value.Tensor{V: th.Graph().NewValue(graph.TensorKind, ty, th.Here())}
	}
	t.Fatalf("argument %v", x)
	return nil
}

func apply(t *testing.T, th *opstest.Thread, name string, args []any, kw map[string]any) (value.Value, error) {
	t.Helper()
	op, ok := catalog.Lookup(name)
	if !ok {
		t.Fatalf("no record of %s", name)
	}
	var vs []value.Value
	for _, a := range args {
		vs = append(vs, arg(t, th, a))
	}
	var ks []value.Kw
	for k, v := range kw {
		ks = append(ks, value.Kw{Name: k, Value: arg(t, th, v)})
	}
	return catalog.Apply(th, op, name, vs, ks)
}

type list = []any
type kws = map[string]any

const nnf = "torch.nn.functional."

func TestSeedExample(t *testing.T) {
	th := opstest.NewThread()
	h, err := apply(t, th, nnf+"conv2d", list{"f32[bsize=2,3,height=227,width=227]", "f32[96,3,3,3]", "f32[96]", 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h, err = apply(t, th, nnf+"max_pool2d", list{h, 2, 2}, kws{"ceil_mode": true})
	if err != nil {
		t.Fatal(err)
	}
	d := h.(*value.Tensor).Type().Shape[2]
	if d.Val != 57 || !d.Known {
		t.Errorf("value %v, want 57", d)
	}
	want, err := th.Pool().Parse("ceil(((height - 1) // 2 - 2) / 2) + 1")
	if err != nil {
		t.Fatal(err)
	}
	if d.Expr != want {
		t.Errorf("expression %s, want %s", d.Expr, want)
	}
}

// TestSymbolic checks result types on symbolic sizes, and the conditions that a
// call adds to the contract.
func TestSymbolic(t *testing.T) {
	for _, c := range []struct {
		name string
		fn   string
		args list
		kw   kws
		want string
		cond string
	}{
		{"conv_keeps_formula", "conv2d", list{"f32[B,3,H,W]", "f32[64,3,7,7]", nil, 2, 3}, nil, "f32[B,64,(H-1)//2+1,(W-1)//2+1]", ""},
		{"conv_kernel_must_fit", "conv2d", list{"f32[B,3,H,8]", "f32[64,3,7,7]"}, nil, "f32[B,64,H-6,2]", "H >= 7"},
		{"conv_same", "conv1d", list{"f32[B,3,T]", "f32[8,3,4]"}, kws{"padding": "same"}, "f32[B,8,T]", ""},
		{"conv_unbatched", "conv2d", list{"f32[3,H,W]", "f32[8,3,1,1]"}, nil, "f32[8,H,W]", ""},
		{"conv_unranked", "conv2d", list{"f32[*,H,W]", "f32[8,3,3,3]", nil, 1, 1}, nil, "f32[*,8,H,W]", ""},
		{"conv_channels_become_condition", "conv1d", list{"f32[B,C,T]", "f32[8,3,1]"}, nil, "f32[B,8,T]", "C == 3"},
		{"conv_unknown_size", "conv2d", list{"f32[B,3,?,W]", "f32[8,3,3,3]", nil, 1, 1}, nil, "f32[B,8,?,W]", ""},
		{"conv_transpose", "conv_transpose2d", list{"f32[B,8,H,W]", "f32[8,4,4,4]", nil, 2, 1}, nil, "f32[B,4,2*H,2*W]", ""},
		{"unfold", "unfold", list{"f32[B,3,H,W]", 1}, nil, "f32[B,3,H*W]", ""},
		{"fold", "fold", list{"f32[B,12,L]", list{4, 4}, 2}, kws{"stride": 2}, "f32[B,3,4,4]", "L == 4"},
		{"max_pool_default_stride", "max_pool2d", list{"f32[B,3,H,W]", 2}, nil, "f32[B,3,H//2,W//2]", "H >= 2"},
		{"max_pool_ceil", "max_pool1d", list{"f32[B,3,T]", 3, 2, 1}, kws{"ceil_mode": true}, "f32[B,3,T//2+1]", ""},
		{"max_pool_indices", "max_pool1d", list{"f32[3,T]", 1}, kws{"return_indices": true}, "(f32[3,T], i64[3,T])", ""},
		{"global_avg_pool", "avg_pool2d", list{"f32[B,3,8,8]", list{8, 8}}, nil, "f32[B,3,1,1]", ""},
		{"adaptive_keeps_none", "adaptive_avg_pool2d", list{"f32[B,3,H,W]", list{nil, 7}}, nil, "f32[B,3,H,7]", ""},
		{"adaptive_unranked", "adaptive_avg_pool2d", list{"f32[*,64,H,W]", 1}, nil, "f32[*,64,1,1]", ""},
		{"linear_unranked", "linear", list{"f32[*,3]", "f32[10,3]", "f32[10]"}, nil, "f32[*,10]", ""},
		{"linear_unknown_features", "linear", list{"f32[*]", "f32[10,3]"}, nil, "f32[*,10]", ""},
		{"layer_norm", "layer_norm", list{"f32[B,T,D]", list{8}, "f32[8]"}, nil, "f32[B,T,D]", "D == 8"},
		{"batch_norm_of_one_value", "batch_norm", list{"f32[B,8]", nil, nil}, kws{"training": true}, "f32[B,8]", "B >= 2"},
		{"batch_norm_of_images", "batch_norm", list{"f32[B,8,7,7]", nil, nil}, kws{"training": true}, "f32[B,8,7,7]", ""},
		{"group_norm_divides", "group_norm", list{"f32[B,C,8,8]", 4}, nil, "f32[B,C,8,8]", "C % 4 == 0"},
		{"interpolate_doubles", "interpolate", list{"f32[B,3,H,W]"}, kws{"scale_factor": 2.0}, "f32[B,3,2*H,2*W]", ""},
		{"interpolate_halves", "interpolate", list{"f32[B,3,H,8]"}, kws{"scale_factor": 0.5, "mode": "bilinear"}, "f32[B,3,H//2,4]", "H >= 2"},
		{"interpolate_size", "interpolate", list{"f32[B,3,H,W]", list{7, 9}}, nil, "f32[B,3,7,9]", ""},
		{"grid_sample", "grid_sample", list{"f32[B,3,H,W]", "f32[B,h,w,2]"}, nil, "f32[B,3,h,w]", ""},
		{"pixel_shuffle", "pixel_shuffle", list{"f32[B,C,H,W]", 2}, nil, "f32[B,C//4,2*H,2*W]", "C % 4 == 0"},
		{"pixel_unshuffle", "pixel_unshuffle", list{"f32[3,H,8]", 2}, nil, "f32[12,H//2,4]", "H % 2 == 0"},
		{"pad_constant", "pad", list{"f32[B,H,W]", list{1, 2}}, nil, "f32[B,H,W+3]", ""},
		{"pad_reflect", "pad", list{"f32[B,3,W]", list{2, 2}, "reflect"}, nil, "f32[B,3,W+4]", "W >= 3"},
		{"glu", "glu", list{"f32[B,D]"}, nil, "f32[B,D//2]", "D % 2 == 0"},
		{"embedding", "embedding", list{"i64[B,T]", "f32[1000,64]"}, nil, "f32[B,T,64]", ""},
		{"cross_entropy", "cross_entropy", list{"f32[B,10,H,W]", "i64[B,H,W]"}, kws{"reduction": "none"}, "f32[B,H,W]", ""},
		{"cross_entropy_batch", "cross_entropy", list{"f32[B,10]", "i64[N]"}, nil, "f32[]", "B == N"},
		{"sdpa", "scaled_dot_product_attention", list{"f32[B,8,L,64]", "f32[B,8,S,64]", "f32[B,8,S,32]"}, nil, "f32[B,8,L,32]", ""},
		{"sdpa_mask", "scaled_dot_product_attention", list{"f32[B,8,L,64]", "f32[B,8,S,64]", "f32[B,8,S,64]", "bool[L,S]"}, nil,
			"f32[B,8,L,64]", ""},
		{"sdpa_grouped_heads", "scaled_dot_product_attention", list{"f32[B,8,L,64]", "f32[B,2,L,64]", "f32[B,2,L,64]"}, kws{"enable_gqa": true},
			"f32[B,8,L,64]", ""},
		{"rms_norm", "rms_norm", list{"f32[B,T,64]", list{64}, "f32[64]"}, nil, "f32[B,T,64]", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			th := opstest.NewThread()
			got, err := apply(t, th, nnf+c.fn, c.args, c.kw)
			if err != nil {
				t.Fatal(err)
			}
			// The wanted text may be written otherwise than it is printed.
			if g, w := got.String(), retype(t, th, c.want); g != w {
				t.Errorf("got %s, want %s", g, w)
			}
			if c.cond == "" {
				if len(th.Required) > 0 && c.name != "max_pool_default_stride" {
					t.Errorf("unexpected condition %s", th.Required[0])
				}
				return
			}
			want, err := th.Pool().ParseCond(c.cond)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range th.Required {
				if r == want {
					return
				}
			}
			if th.Decide(want) != symshape.Yes || len(th.Required) == 0 {
				t.Errorf("conditions %v, want %s", th.Required, c.cond)
			}
		})
	}
}

// retype prints a type string as results are printed.
func retype(t *testing.T, th *opstest.Thread, s string) string {
	t.Helper()
	if strings.HasPrefix(s, "(") {
		var parts []string
		for _, p := range symshape.SplitList(s[1 : len(s)-1]) {
			parts = append(parts, retype(t, th, strings.TrimSpace(p)))
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return arg(t, th, s).String()
}

func TestMultiHeadAttention(t *testing.T) {
	for _, c := range []struct {
		name    string
		q, k    string
		kw      kws
		want    string
		refusal string
	}{
		{"batched", "f32[L,B,64]", "f32[S,B,64]", nil, "(f32[L,B,64], f32[B,L,S])", ""},
		{"unbatched", "f32[L,64]", "f32[S,64]", nil, "(f32[L,64], f32[L,S])", ""},
		{"weights_of_each_head", "f32[L,B,64]", "f32[S,B,64]", kws{"average_attn_weights": false}, "(f32[L,B,64], f32[B,8,L,S])", ""},
		{"no_weights", "f32[L,B,64]", "f32[S,B,64]", kws{"need_weights": false}, "(f32[L,B,64], None)", ""},
		{"mask", "f32[L,B,64]", "f32[S,B,64]", kws{"attn_mask": "f32[L,S]"}, "(f32[L,B,64], f32[B,L,S])", ""},
		{"batch_and_length_swapped", "f32[4,7,64]", "f32[4,9,64]", nil, "", "same batch size"},
		{"wrong_mask", "f32[5,2,64]", "f32[6,2,64]", kws{"attn_mask": "f32[6,5]"}, "", "attn_mask must have shape [5,6], but it is f32[6,5]"},
		{"wrong_width", "f32[5,2,32]", "f32[5,2,32]", nil, "", "must be embed_dim=64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			th := opstest.NewThread()
			args := list{c.q, c.k, c.k, 64, 8, "f32[192,64]", "f32[192]", nil, nil, false, 0.0, "f32[64,64]", "f32[64]"}
			got, err := apply(t, th, nnf+"multi_head_attention_forward", args, c.kw)
			if c.refusal != "" {
				if err == nil || !strings.Contains(err.Error(), c.refusal) {
					t.Errorf("got %v, %v, want an error with %q", got, err, c.refusal)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestRecurrent(t *testing.T) {
	gru := list{"f32[48,10]", "f32[48,16]", "f32[48]", "f32[48]"}
	both := append(append(list{}, gru...), gru...)
	lstm := list{"f32[64,10]", "f32[64,16]", "f32[64]", "f32[64]"}
	for _, c := range []struct {
		name, fn string
		args     list
		want     string
	}{
		{"gru", "torch.gru", list{"f32[T,B,10]", "f32[1,B,16]", gru, true, 1, 0.0, false, false, false}, "(f32[T,B,16], f32[1,B,16])"},
		{"gru_batch_first", "torch._VF.gru", list{"f32[B,T,10]", "f32[1,B,16]", gru, true, 1, 0.0, false, false, true},
			"(f32[B,T,16], f32[1,B,16])"},
		{"gru_two_ways", "torch.gru", list{"f32[T,B,10]", "f32[2,B,16]", both, true, 1, 0.0, false, true, false}, "(f32[T,B,32], f32[2,B,16])"},
		{"gru_unbatched", "torch.gru", list{"f32[T,10]", "f32[1,16]", gru, true, 1, 0.0, false, false, false}, "(f32[T,16], f32[1,16])"},
		{"gru_packed", "torch.gru", list{"f32[N,10]", "i64[T]", "f32[1,B,16]", gru, true, 1, 0.0, false, false}, "(f32[N,16], f32[1,B,16])"},
		{"lstm", "torch.lstm", list{"f32[T,B,10]", list{"f32[1,B,16]", "f32[1,B,16]"}, lstm, true, 1, 0.0, false, false, false},
			"(f32[T,B,16], f32[1,B,16], f32[1,B,16])"},
		{"lstm_cell", "torch.lstm_cell", list{"f32[B,10]", list{"f32[B,16]", "f32[B,16]"}, "f32[64,10]", "f32[64,16]"}, "(f32[B,16], f32[B,16])"},
		{"gru_cell", "torch.gru_cell", list{"f32[B,10]", "f32[B,16]", "f32[48,10]", "f32[48,16]"}, "f32[B,16]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := apply(t, opstest.NewThread(), c.fn, c.args, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestVision(t *testing.T) {
	th := opstest.NewThread()
	keep, err := apply(t, th, "torchvision.nms", list{"f32[N,4]", "f32[N]", 0.5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := keep.(*value.Tensor).Type().Shape[0]; !d.Expr.IsFresh() {
		t.Errorf("the number of kept boxes is %s, want a fresh symbol", d)
	}
	keep, err = apply(t, th, "torchvision.nms", list{"f32[100,4]", "f32[100]", 0.5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, hi := keep.(*value.Tensor).Type().Shape[0].Expr.Bounds(); hi != 100 {
		t.Errorf("at most %d boxes are kept, want 100", hi)
	}
	for _, c := range []struct {
		fn   string
		args list
		want string
	}{
		{"roi_align", list{"f32[B,256,H,W]", "f32[K,5]", 0.25, 7, 7, 2, false}, "f32[K,256,7,7]"},
		{"roi_pool", list{"f32[B,256,H,W]", "f32[K,5]", 0.25, 7, 7}, "(f32[K,256,7,7], i32[K,256,7,7])"},
		{"ps_roi_align", list{"f32[B,98,H,W]", "f32[K,5]", 0.25, 7, 7, 2}, "(f32[K,2,7,7], i32[K,2,7,7])"},
		{"deform_conv2d", list{"f32[B,4,H,W]", "f32[6,4,3,3]", "f32[B,18,H,W]", "f32[B,9,H,W]", "f32[6]", 1, 1, 1, 1, 1, 1, 1, 1, true},
			"f32[B,6,H,W]"},
	} {
		got, err := apply(t, opstest.NewThread(), "torch.ops.torchvision."+c.fn, c.args, nil)
		if err != nil {
			t.Errorf("%s: %v", c.fn, err)
		} else if got.String() != c.want {
			t.Errorf("%s: got %s, want %s", c.fn, got, c.want)
		}
	}
}

// TestRefusals holds the texts for the mistakes that are made most.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		fn   string
		args list
		kw   kws
		want string
	}{
		{"conv2d", list{"f32[1,4,224,224]", "f32[64,3,7,7]"}, nil, "conv2d: input has 4 channels but the weight [64,3,7,7] expects 3 (groups=1)"},
		{"conv2d", list{"f32[1,3,5,5]", "f32[64,3,7,7]"}, nil,
			"conv2d: the kernel (size 7×7, dilation (1, 1)) is larger than the padded input: 5 + 2·0 in dimension -2 of f32[1,3,5,5]"},
		{"conv2d", list{"f32[224,224]", "f32[64,3,7,7]"}, nil, "conv2d() expects an input of 3D or 4D, but got 2D: f32[224,224]"},
		{"linear", list{"f32[8,512]", "f32[10,256]", "f32[10]"}, nil,
			"linear: input has 512 features in its last dimension but the weight [10,256] expects 256"},
		{"batch_norm", list{"f32[1,64]", "f32[64]", "f32[64]"}, kws{"training": true},
			"batch_norm: expected more than 1 value per channel when training, but the input is f32[1,64]"},
		{"layer_norm", list{"f32[2,5,64]", list{128}}, nil,
			"layer_norm: dimension -1 of the input f32[2,5,64] has size 64, but normalized_shape = 128 expects 128"},
		{"group_norm", list{"f32[2,30,8,8]", 4}, nil, "group_norm: the 30 channels of the input f32[2,30,8,8] are not divisible by num_groups=4"},
		{"cross_entropy", list{"f32[8,10]", "i64[7]"}, nil,
			"cross_entropy: the target of the input f32[8,10] must have shape [8], but it is i64[7]"},
		{"embedding", list{"f32[2,5]", "f32[100,64]"}, nil, "embedding: the index tensor has dtype f32, but i32 or i64 is needed"},
		{"pixel_shuffle", list{"f32[1,10,8,8]", 2}, nil,
			"pixel_shuffle: the 10 channels of f32[1,10,8,8] are not divisible by upscale_factor² = 4"},
		{"glu", list{"f32[2,5]"}, nil, "glu: dimension 1 of the input f32[2,5] must be even, to be halved, but its size is 5"},
	} {
		got, err := apply(t, opstest.NewThread(), nnf+c.fn, c.args, c.kw)
		switch {
		case err == nil:
			t.Errorf("%s: got %s, want an error", c.fn, got)
		case err.Error() != c.want:
			t.Errorf("%s:\n got %s\nwant %s", c.fn, err, c.want)
		}
	}
}

// TestInplace checks that inplace=True gives the input itself.
func TestInplace(t *testing.T) {
	th := opstest.NewThread()
	x := arg(t, th, "f32[B,8]")
	for _, fn := range []string{nnf + "relu", nnf + "dropout"} {
		got, err := apply(t, th, fn, list{x}, kws{"inplace": true})
		if err != nil || got != x {
			t.Errorf("%s gives %v, %v, want its input", fn, got, err)
		}
	}
	if got, _ := apply(t, th, nnf+"relu_", list{x}, nil); got != x {
		t.Errorf("relu_ gives %v, want its input", got)
	}
}
