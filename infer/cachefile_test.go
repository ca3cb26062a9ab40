package infer

import (
	"testing"

	"shapecheck/internal/reads"
)

// The places of findings hold for each of several runs that share a cache, also in a file
// whose functions are parsed when they are called.
func TestPlacesOfRunsThatShareACache(t *testing.T) {
	fsys := reads.NewMemory(map[string]string{"site-packages/pkg/net.py": "import torch\ndef f(x):\n    return x @ torch.zeros(4, 5)\n"})
	cache := NewCache()
	for i := range 3 {
		res, err := Run(Config{FS: fsys, Cache: cache, File: "site-packages/pkg/net.py", Entry: "f", Args: []string{"x:f32[2,3]"}})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Diagnostics) != 1 {
			t.Fatalf("%d findings", len(res.Diagnostics))
		}
		if p := res.Files.Position(res.Diagnostics[0].At.Start); p.File == nil || p.Line != 3 {
			t.Errorf("run %d: at %v", i, p)
		}
	}
}
