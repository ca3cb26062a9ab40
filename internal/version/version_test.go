package version

import (
	"runtime/debug"
	"testing"
)

func TestTag(t *testing.T) {
	for _, c := range []struct{ main, want string }{
		{"v0.2.0", "0.2.0"},
		{"v1.0.0-rc.1", "1.0.0-rc.1"},
		{"v0.2.0+dirty", ""},
		{"v0.0.0-20261123073000-0123456789ab", ""},
		{"v0.2.1-0.20261123073000-0123456789ab+dirty", ""},
		{"(devel)", ""},
		{"", ""},
	} {
		got, ok := Tag(&debug.BuildInfo{Main: debug.Module{Version: c.main}})
		if got != c.want || ok != (c.want != "") {
			t.Errorf("Tag(%q) = %q, %v, want %q", c.main, got, ok, c.want)
		}
	}
}
