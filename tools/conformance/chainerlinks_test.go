package conformance

// This file runs Chainer's model links, exported for any size of the picture, beside what Chainer computed:
// testdata/chainer/links.npz, which record_links.py there made.

import (
	"context"
	"hash/crc32"
	"math"
	"strconv"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/check/export"
	"shapecheck/infer"
	"shapecheck/onnx"
	"shapecheck/runtime/tensor"
)

func TestModelLinksOfChainerGiveItsNumbers(t *testing.T) {
	recorded := openWeights(t, chainerRuns+"links.npz")
	for name, sizes := range map[string][][]int64{
		"GoogLeNet": {{1, 3, 64, 64}, {2, 3, 79, 96}}, "ResNet50": {{1, 3, 64, 64}, {2, 3, 79, 96}},
		"VGG16": {{1, 3, 32, 32}, {2, 3, 47, 64}}, "Blocks": {{1, 6, 14, 14}, {2, 6, 9, 12}},
	} {
		t.Run(name, func(t *testing.T) {
			target := &check.Target{Run: infer.Config{File: chainerRuns + "links.py", Entry: name + "()",
				Args: []string{"x:f32[B," + strconv.FormatInt(sizes[0][1], 10) + ",H,W]"}}}
			out, err := export.Entry(context.Background(), &check.Session{}, target, export.Options{SelfCheck: true})
			if err != nil {
				t.Fatal(err)
			}
			if out.Model == nil {
				for _, d := range out.Diagnostics {
					t.Error(d.Msg)
				}
				return
			}
			model, err := onnx.Marshal(out.Model)
			if err != nil {
				t.Fatal(err)
			}
			engine := Engines()[0]
			loaded, err := engine.Load(context.Background(), model)
			if err != nil {
				t.Fatal(err)
			}
			defer loaded.Close()
			for i, size := range sizes {
				in := []tensor.Value{drawn("x", size)}
				for _, x := range out.Model.Graph.Inputs[1:] {
					var dims []int64
					for _, d := range x.Type.Shape.Dims {
						dims = append(dims, d.Value)
					}
					in = append(in, drawn(x.Name, dims))
				}
				got, err := RunLoaded(context.Background(), loaded, in)
				if err != nil {
					t.Fatal(err)
				}
				want := recordedArray(t, recorded, name+"."+strconv.Itoa(i))
				y, ok := got[0].(*tensor.Tensor)
				if !ok || y.Len() != want.Len() {
					t.Fatalf("%v, Chainer's %v", got[0], want.Dims())
				}
				for k := range want.Len() {
					if a, b := y.Float(k), want.Float(k); !(math.Abs(a-b) <= 1e-4*(1+math.Abs(b))) {
						t.Fatalf("%v: element %d is %g, Chainer's %g", size, k, a, b)
					}
				}
			}
		})
	}
}

// drawn makes the array of a name as record_links.py does.
func drawn(name string, dims []int64) *tensor.Tensor {
	n, fan := int64(1), int64(1)
	for i, d := range dims {
		n *= d
		if i > 0 {
			fan *= d
		}
	}
	last := name[strings.LastIndexByte(name, '/')+1:]
	first := uint64(crc32.ChecksumIEEE([]byte(name)))
	elems := make([]float32, n)
	for i := range elems {
		u := float64((uint64(i)+first)*2654435761%(1<<32))/(1<<31) - 1
		switch {
		case last == "gamma":
			u = 1 + 0.1*u
		case last == "avg_var":
			u = 1.5 + 0.5*u
		case last == "W":
			u *= math.Sqrt(6 / float64(fan))
		case len(dims) == 1:
			u *= 0.1
		}
		elems[i] = float32(u)
	}
	return tensor.Of(elems, dims...)
}
