package onnx

import (
	"bytes"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// largeModel has initializers whose raw data is read on its own: plain ones, one with raw data twice, and
// one whose last raw data is small.
func largeModel(t *testing.T) []byte {
	t.Helper()
	m := sample()
	elems := func(n int, x byte) []byte { return bytes.Repeat([]byte{x}, n) }
	for i, n := range []int{largeRaw, largeRaw - 1, 3 * largeRaw} {
		m.Graph.Initializers = append(m.Graph.Initializers, &Tensor{Name: "w", DType: Uint8, Dims: []int64{int64(n)}, Raw: elems(n, byte(i)),
			HasRaw: true, Doc: "after"})
	}
	b, err := Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var graph []byte
	for _, sizes := range [][]int{{largeRaw, 2 * largeRaw}, {largeRaw, 3}, {3, largeRaw}} {
		var tensor []byte
		for i, n := range sizes {
			tensor = protowire.AppendTag(tensor, tensorRaw, protowire.BytesType)
			tensor = protowire.AppendBytes(tensor, elems(n, byte(10+i)))
		}
		graph = protowire.AppendTag(graph, graphInitializer, protowire.BytesType)
		graph = protowire.AppendBytes(graph, tensor)
	}
	b = protowire.AppendTag(b, modelGraph, protowire.BytesType) // a second graph, which is merged with the first
	return protowire.AppendBytes(b, graph)
}

func TestReadGivesWhatUnmarshalGives(t *testing.T) {
	b := largeModel(t)
	got, err := Read(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	want, err := Unmarshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(got.Graph.Initializers); n != len(sample().Graph.Initializers)+6 {
		t.Errorf("there are %d initializers", n)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("the models differ")
	}
	for _, x := range got.Graph.Initializers {
		if len(x.Raw) >= largeRaw && cap(x.Raw) > len(x.Raw)+len(x.Raw)/4 {
			t.Errorf("%d bytes of %q lie among %d", len(x.Raw), x.Name, cap(x.Raw))
		}
	}
}

func TestReadRefusesWhatUnmarshalRefuses(t *testing.T) {
	b := largeModel(t)
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 3000 {
		x := bytes.Clone(b)
		for range 1 + r.IntN(3) {
			at := r.IntN(len(x))
			if r.IntN(3) > 0 { // in what is not raw data
				at = r.IntN(1500)
			}
			x[at] = byte(r.UintN(256))
		}
		if r.IntN(4) == 0 {
			x = x[:r.IntN(len(x))]
		}
		got, err := Read(bytes.NewReader(x), int64(len(x)))
		want, wantErr := Unmarshal(x)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%v, and Unmarshal says %v", err, wantErr)
		}
		if err != nil {
			refused++
		} else if !reflect.DeepEqual(got, want) {
			t.Fatal("the models differ")
		}
	}
	if refused < 300 || refused > 2900 {
		t.Errorf("%d of the changed models are refused", refused)
	}
}

func TestAFileThatBecomesShorterIsAnError(t *testing.T) {
	b := largeModel(t)
	for _, n := range []int{0, 1, 20, len(b) / 2, len(b) - 1} {
		if _, err := Read(io.NewSectionReader(bytes.NewReader(b), 0, int64(n)), int64(len(b))); err == nil {
			t.Errorf("%d bytes of %d are a model", n, len(b))
		}
	}
}
