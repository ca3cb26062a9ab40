package torch

// This file knows which names PyTorch's versions brought, as far as programs ask
// for them to see what they may use: those that version 1.13 lacks. A name that is older needs no
// entry, and neither does one that no program asks for.

import (
	"strconv"
	"strings"
)

// since are full names and the versions that brought them, from the release notes
// and the documentation of the versions.
var since = map[string]string{
	"torch.Tensor.itemsize":                            "2.1",
	"torch.Tensor.nbytes":                              "2.1",
	"torch.Tensor.untyped_storage":                     "2.0",
	"torch._check":                                     "2.1",
	"torch._check_index":                               "2.1",
	"torch._check_is_size":                             "2.1",
	"torch._check_not_implemented":                     "2.1",
	"torch._check_tensor_all":                          "2.1",
	"torch._check_tensor_all_with":                     "2.1",
	"torch._check_type":                                "2.1",
	"torch._check_value":                               "2.1",
	"torch._check_with":                                "2.1",
	"torch._dynamo":                                    "2.0",
	"torch.accelerator":                                "2.6",
	"torch.amp.GradScaler":                             "2.3",
	"torch.amp.custom_bwd":                             "2.4",
	"torch.amp.custom_fwd":                             "2.4",
	"torch.amp.is_autocast_available":                  "2.4",
	"torch.backends.cuda.sdp_kernel":                   "2.0",
	"torch.compile":                                    "2.0",
	"torch.compiler":                                   "2.1",
	"torch.float8_e4m3fn":                              "2.1",
	"torch.float8_e5m2":                                "2.1",
	"torch.float8_e4m3fnuz":                            "2.2",
	"torch.float8_e5m2fnuz":                            "2.2",
	"torch.float8_e8m0fnu":                             "2.7",
	"torch.OutOfMemoryError":                           "2.5",
	"torch.export":                                     "2.1",
	"torch.library.triton_op":                          "2.6",
	"torch.library.wrap_triton":                        "2.6",
	"torch.func":                                       "2.0",
	"torch.get_autocast_dtype":                         "2.4",
	"torch.get_default_device":                         "2.3",
	"torch.library.custom_op":                          "2.4",
	"torch.library.impl_abstract":                      "2.1",
	"torch.library.register_fake":                      "2.4",
	"torch.library.register_kernel":                    "2.4",
	"torch.mps":                                        "2.0",
	"torch.nn.Buffer":                                  "2.5",
	"torch.nn.CircularPad1d":                           "2.1",
	"torch.nn.CircularPad2d":                           "2.1",
	"torch.nn.CircularPad3d":                           "2.1",
	"torch.nn.LPPool3d":                                "2.3",
	"torch.nn.RMSNorm":                                 "2.4",
	"torch.nn.ZeroPad1d":                               "2.1",
	"torch.nn.ZeroPad3d":                               "2.1",
	"torch.nn.attention":                               "2.2",
	"torch.nn.attention.bias":                          "2.3",
	"torch.nn.attention.flex_attention":                "2.5",
	"torch._grouped_mm":                                "2.8",
	"torch.nn.functional.grouped_mm":                   "2.10",
	"torch.nn.functional.lp_pool3d":                    "2.3",
	"torch.nn.functional.rms_norm":                     "2.4",
	"torch.nn.functional.scaled_dot_product_attention": "2.0",
	"torch.nn.modules.module.register_module_buffer_registration_hook":    "2.0",
	"torch.nn.modules.module.register_module_full_backward_pre_hook":      "2.0",
	"torch.nn.modules.module.register_module_module_registration_hook":    "2.0",
	"torch.nn.modules.module.register_module_parameter_registration_hook": "2.0",
	"torch.nn.utils.clip_grads_with_norm_":                                "2.6",
	"torch.nn.utils.get_total_norm":                                       "2.6",
	"torch.nn.utils.parametrizations.weight_norm":                         "2.1",
	"torch.onnx.dynamo_export":                                            "2.1",
	"torch.optim.Adafactor":                                               "2.5",
	"torch.optim.lr_scheduler.LRScheduler":                                "2.0",
	"torch.optim.swa_utils.get_ema_avg_fn":                                "2.0",
	"torch.optim.swa_utils.get_ema_multi_avg_fn":                          "2.0",
	"torch.rms_norm":                                   "2.4",
	"torch.serialization.add_safe_globals":             "2.4",
	"torch.serialization.safe_globals":                 "2.5",
	"torch.set_default_device":                         "2.0",
	"torch.uint16":                                     "2.3",
	"torch.uint32":                                     "2.3",
	"torch.uint64":                                     "2.3",
	"torch.utils.checkpoint.set_checkpoint_early_stop": "2.1",
	"torch.utils.data.StackDataset":                    "2.1",
	"torch.vmap":                                       "2.0",
	"torch.xpu":                                        "2.3",
}

// Newer gives the names that came after a version of PyTorch such as "1.13.1",
// with the versions that brought them; nil when there are none. Versions are compared by their
// first two numbers.
func Newer(version string) map[string]string {
	major, minor, ok := versionOf(version)
	if !ok {
		return nil
	}
	var out map[string]string
	for name, v := range since {
		a, b, _ := versionOf(v)
		if a > major || a == major && b > minor {
			if out == nil {
				out = map[string]string{}
			}
			out[name] = v
		}
	}
	return out
}

// IsVersion reports whether a text begins as the versions of PyTorch do: "2.6.0+cu124".
func IsVersion(text string) bool {
	_, _, ok := versionOf(text)
	return ok
}

// versionOf reads the first two numbers of a version.
func versionOf(v string) (major, minor int, ok bool) {
	parts := strings.SplitN(v, ".", 3)
	if len(parts) < 2 {
		return 0, 0, false
	}
	major, err := strconv.Atoi(parts[0])
	if err != nil {
		return 0, 0, false
	}
	minor, err = strconv.Atoi(parts[1])
	return major, minor, err == nil
}
