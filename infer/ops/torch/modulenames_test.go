package torch

import (
	"strings"
	"testing"
)

// Each line of the recorded names is found by what it begins with; the truths are
// those of vars() in PyTorch 1.13 and 2.15.
func TestModuleHas(t *testing.T) {
	for l := range strings.Lines(moduleNames) {
		f := strings.Fields(l)
		if len(f) < 3 {
			t.Errorf("%q has no names", l)
			continue
		}
		for _, name := range f[2:] {
			if has, ok := ModuleHas(f[0]+".1", f[1], name); !has || !ok {
				t.Errorf("ModuleHas(%q, %q, %q) = %v, %v", f[0], f[1], name, has, ok)
			}
		}
	}
	for _, c := range []struct {
		version, module, name string
		has, recorded         bool
	}{
		{"2.15.0", "torch.nn.modules.linear", "uniform_", false, true},
		{"2.15.0", "torch.nn.modules.linear", "Any", true, true},
		{"2.15.0", "torch.nn.modules.activation", "xavier_uniform_", true, true},
		{"2.15.0", "torch.nn.modules.activation", "xavier_uniform", false, true},
		{"1.13.1", "torch.nn.modules.activation", "xavier_normal_", true, true},
		{"1.13.1", "torch.nn.modules.linear_cross_entropy_options", "dataclasses", false, false},
		{"1.1.0", "torch.nn.modules.linear", "Any", false, false},
		{"2.5.0", "torch.nn.modules.linear", "uniform_", false, false},
		{"2.15.0", "torch.nn.modules.linear", "__name__", false, false},
		{"2.15.0", "torch.nn.modules", "Linear", false, false},
		{"", "torch.nn.modules.linear", "Linear", false, false},
	} {
		if has, ok := ModuleHas(c.version, c.module, c.name); has != c.has || ok != c.recorded {
			t.Errorf("ModuleHas(%q, %q, %q) = %v, %v", c.version, c.module, c.name, has, ok)
		}
	}
}
