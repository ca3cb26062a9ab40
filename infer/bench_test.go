package infer_test

import (
	"os"
	"path/filepath"
	"testing"

	"shapecheck/infer"
)

// BenchmarkZoo runs torchvision models; SHAPECHECK_TORCHVISION names the folder
// that holds its sources.
func BenchmarkZoo(b *testing.B) {
	dist := os.Getenv("SHAPECHECK_TORCHVISION")
	if _, err := os.Stat(filepath.Join(dist, "torchvision")); dist == "" || err != nil {
		b.Skip("SHAPECHECK_TORCHVISION does not name torchvision's sources")
	}
	for _, m := range []string{"resnet18", "resnet50", "densenet121", "vit_b_16", "swin_t"} {
		b.Run(m, func(b *testing.B) {
			cache := infer.NewCache()
			for b.Loop() {
				res, err := infer.Run(infer.Config{Cache: cache, Module: "torchvision", Roots: []string{dist}, Entry: "torchvision.models." + m + "()",
					Args: []string{"x:f32[2,3,224,224]"}, Eval: true})
				if err != nil || res.Output == nil {
					b.Fatal(err)
				}
			}
		})
	}
}
