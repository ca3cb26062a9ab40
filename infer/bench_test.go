package infer_test

import (
	"os"
	"path/filepath"
	"strconv"
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

// BenchmarkDepth runs residual networks of growing depth; the time for a layer
// must not grow with it.
func BenchmarkDepth(b *testing.B) {
	const text = `
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.conv = nn.Conv2d(n, n, 3, padding=1)
        self.norm = nn.BatchNorm2d(n)

    def forward(self, x):
        return x + torch.relu(self.norm(self.conv(x)))

class Net(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = nn.ModuleList([Block(8) for _ in range(layers)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
`
	for _, layers := range []int{50, 500, 5000} {
		b.Run(strconv.Itoa(layers), func(b *testing.B) {
			file := filepath.Join(b.TempDir(), "net.py")
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				b.Fatal(err)
			}
			cache := infer.NewCache()
			for b.Loop() {
				res, err := infer.Run(infer.Config{Cache: cache, File: file, Entry: "Net(" + strconv.Itoa(layers) + ")", Args: []string{"x:f32[B,8,H,W]"}})
				if err != nil || res.Output == nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*layers), "µs/layer")
		})
	}
}
