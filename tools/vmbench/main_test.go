package main

// This file tests our side, and the comparison of outputs. ONNX Runtime is no part of the tests.

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/runtime/tensor"
)

func TestDifferencesAreRelativeToTheLargestElement(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, x *tensor.Tensor) string {
		path := filepath.Join(dir, name+".npy")
		if err := tensor.WriteFile(path, name, x); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b := file("a", tensor.Of([]float32{1, 2, -8})), file("b", tensor.Of([]float32{1, 2.5, -8}))
	if d, err := difference(b, a); err != nil || d != 0.0625 {
		t.Errorf("%v, %v", d, err)
	}
	i, j := file("i", tensor.Of([]int64{1, 2})), file("j", tensor.Of([]int64{1, 3}))
	if d, err := difference(i, j); err != nil || !math.IsInf(d, 1) {
		t.Errorf("%v, %v", d, err)
	}
	if d, err := difference(i, i); err != nil || d != 0 {
		t.Errorf("%v, %v", d, err)
	}
	if _, err := difference(a, i); err == nil {
		t.Error("types differ")
	}
}

func TestMeansAreOfEachNumberOfThreadsAndExporter(t *testing.T) {
	got := means([]row{{"pytorch", "1", 2}, {"shapecheck", "1", 0.5}, {"pytorch", "1", 8}, {"pytorch", "2", 3}, {"pytorch, OpenVINO", "2", 5}})
	want := "1 threads, all: geometric mean of 3 ratios 2.00, largest 8.00\n1 threads, pytorch: geometric mean of 2 ratios 4.00, largest 8.00\n" +
		"1 threads, shapecheck: geometric mean of 1 ratios 0.50, largest 0.50\n2 threads, all: geometric mean of 1 ratios 3.00, largest 3.00\n" +
		"2 threads, OpenVINO: geometric mean of 1 ratios 5.00, largest 5.00\n2 threads, pytorch: geometric mean of 1 ratios 3.00, largest 3.00\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestATableTakesThePlaceOfItsName(t *testing.T) {
	const text = "a\n<!-- vmbench x -->\nold\n<!-- end -->\nb\n<!-- vmbench y -->\nkept\n<!-- end -->\n"
	got, err := replaced(text, "x", "new\n")
	if want := "a\n<!-- vmbench x -->\n\nnew\n\n<!-- end -->\nb\n<!-- vmbench y -->\nkept\n<!-- end -->\n"; err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if again, err := replaced(got, "x", "new\n"); err != nil || again != got {
		t.Errorf("%q, %v", again, err)
	}
	if _, err := replaced(text, "z", "new"); err == nil {
		t.Error("there is no z")
	}
}

func TestInputsThatHaveNoSizesAreRefused(t *testing.T) {
	prog := filepath.Join(t.TempDir(), "net.prog")
	if err := compile([]string{"../../codegen/testdata/net.onnx", prog}); err == nil || !strings.Contains(err.Error(), "are no numbers") {
		t.Errorf("the model's sizes are symbols: %v", err)
	}
}
