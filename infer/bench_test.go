package infer_test

// This file holds the benchmarks of whole runs: many models, and deep ones.

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"shapecheck/infer"
	"shapecheck/internal/cputime"
)

// BenchmarkZoo checks all of torchvision's classification models once, in one
// process on two workers with one cache, as a run over a project does.
// SHAPECHECK_TORCHVISION names the folder that holds torchvision's sources:
//
//	SHAPECHECK_TORCHVISION=DIST go test ./infer -run '^$' -bench Zoo -benchtime 1x [-v]
//
// SHAPECHECK_ZOO is a regular expression on the models' names. The goal is that all
// of them take less than 20 seconds of processor time: 10 s on two cores.
func BenchmarkZoo(b *testing.B) {
	dist := os.Getenv("SHAPECHECK_TORCHVISION")
	if _, err := os.Stat(filepath.Join(dist, "torchvision")); dist == "" || err != nil {
		b.Skip("SHAPECHECK_TORCHVISION does not name torchvision's sources")
	}
	names := zooNames(b)
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as the command does
	var begin time.Duration
	for b.Loop() {
		if begin == 0 {
			begin = cputime.Used()
		}
		cache := infer.NewCache()
		next := make(chan string)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				for name := range next {
					start := time.Now()
					res, err := infer.Run(infer.Config{Cache: cache, Module: "torchvision", Roots: []string{dist}, Entry: "torchvision.models." + name +
						"()",
						Args: []string{"x:f32[2,3,224,224]"}, Eval: true})
					switch {
					case err != nil:
						b.Errorf("%s: %v", name, err)
					case res.Output == nil || len(res.Unknown) > 0:
						b.Errorf("%s: not all is known", name)
					}
					if testing.Verbose() {
						b.Logf("%-20s %d ms", name, time.Since(start).Milliseconds())
					}
				}
			})
		}
		for _, name := range names {
			next <- name
		}
		close(next)
		wg.Wait()
	}
	b.ReportMetric(float64(b.N*len(names))/b.Elapsed().Seconds(), "models/s")
	if used := cputime.Used() - begin; used > 0 {
		b.ReportMetric(used.Seconds()/float64(b.N), "cpu-s/op")
		b.ReportMetric(float64(used.Milliseconds())/float64(b.N*len(names)), "cpu-ms/model")
	}
}

// zooNames lists the models of which there are traces.
func zooNames(b *testing.B) []string {
	only, err := regexp.Compile(os.Getenv("SHAPECHECK_ZOO"))
	if err != nil {
		b.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join("..", "testdata", "torchvision", "classification", "*.a.json.gz"))
	if err != nil || len(files) == 0 {
		b.Fatalf("no traces: %v", err)
	}
	var names []string
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".a.json.gz"); only.MatchString(name) {
			names = append(names, name)
		}
	}
	return names
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
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as the command does
	for _, layers := range []int{50, 500, 5000} {
		b.Run(strconv.Itoa(layers), func(b *testing.B) {
			file := filepath.Join(b.TempDir(), "net.py")
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				b.Fatal(err)
			}
			cache := infer.NewCache()
			var begin time.Duration
			for b.Loop() {
				if begin == 0 {
					begin = cputime.Used()
				}
				res, err := infer.Run(infer.Config{Cache: cache, File: file, Entry: "Net(" + strconv.Itoa(layers) + ")",
					Args: []string{"x:f32[B,8,H,W]"}})
				if err != nil || res.Output == nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((cputime.Used()-begin).Microseconds())/float64(b.N*layers), "cpu-µs/layer")
		})
	}
}
