package ops

// This file knows which names PyTorch's versions brought, as far as programs ask
// for them to see what they may use: those that version 1.13 lacks.

import (
	"strconv"
	"strings"
)

// since are full names and the versions that brought them, from the release notes
// and the documentation of the versions.
var since = map[string]string{
	"torch.compile":                  "2.0",
	"torch.func":                     "2.0",
	"torch.mps":                      "2.0",
	"torch.set_default_device":       "2.0",
	"torch.vmap":                     "2.0",
	"torch._check":                   "2.1",
	"torch.compiler":                 "2.1",
	"torch.get_default_device":       "2.3",
	"torch.xpu":                      "2.3",
	"torch.rms_norm":                 "2.4",
	"torch.Tensor.itemsize":          "2.1",
	"torch.Tensor.nbytes":            "2.1",
	"torch.backends.cuda.sdp_kernel": "2.0",
	"torch.nn.functional.scaled_dot_product_attention": "2.0",
	"torch.nn.functional.lp_pool3d":                    "2.3",
	"torch.nn.functional.rms_norm":                     "2.4",
	"torch.nn.CircularPad1d":                           "2.1",
	"torch.nn.CircularPad2d":                           "2.1",
	"torch.nn.CircularPad3d":                           "2.1",
	"torch.nn.ZeroPad1d":                               "2.1",
	"torch.nn.ZeroPad3d":                               "2.1",
	"torch.nn.LPPool3d":                                "2.3",
	"torch.nn.RMSNorm":                                 "2.4",
	"torch.nn.Buffer":                                  "2.5",
	"torch.nn.attention":                               "2.2",
	"torch.nn.attention.bias":                          "2.3",
	"torch.nn.attention.flex_attention":                "2.5",
	"torch.nn.utils.parametrizations.weight_norm":      "2.1",
	"torch.optim.lr_scheduler.LRScheduler":             "2.0",
}

// Newer gives the names that came after a version of PyTorch such as "1.13.1",
// with the versions that brought them; nil when there are none.
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
