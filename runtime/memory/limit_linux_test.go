package memory

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestLimitsOfControlGroupsAreRead(t *testing.T) {
	root := t.TempDir()
	for path, text := range map[string]string{
		"memory/a/b/memory.limit_in_bytes": "5000\n", "memory/a/memory.limit_in_bytes": "4000\n",
		"memory/memory.limit_in_bytes": "9223372036854771712\n",
		"x/y/memory.max":               "max\n", "x/memory.max": "3000\n",
	} {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		lines string
		want  []int64
	}{
		{"9:name=systemd:/\n4:cpu,memory:/a/b\n", []int64{5000, 4000}},
		{"4:memory:/of/the/host\n", nil},
		{"0::/x/y\n", []int64{3000}},
		{"0::/\n", nil},
		{"4:memory:/a\n0::/x\n", []int64{4000, 3000}},
		{"4:memory:/a/../../x\n", nil},
		{"odd\n:\n\n", nil},
	} {
		if got := groupLimits(root, c.lines); !slices.Equal(got, c.want) {
			t.Errorf("%q: %v instead of %v", c.lines, got, c.want)
		}
	}
}

func TestDefaultLimitIsLessThanTheMachines(t *testing.T) {
	n := DefaultLimit()
	if n <= 0 {
		t.Fatal(n)
	}
	for _, b := range bounds() {
		if b > 0 && n > b/5*4 {
			t.Errorf("%d of %d", n, b)
		}
	}
	if resident() <= 0 {
		t.Error(resident())
	}
}
