package version

import (
	"encoding/json"
	"os"
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

// The extension that is made from the sources says the version that the program made of them says.
func TestTheExtensionHasTheNextVersion(t *testing.T) {
	for _, name := range []string{"package.json", "package-lock.json"} {
		data, err := os.ReadFile("../../editors/vscode/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var d struct{ Version string }
		if err := json.Unmarshal(data, &d); err != nil || d.Version != Next {
			t.Errorf("%s has version %q, %v, want %s", name, d.Version, err, Next)
		}
	}
}
