package main

import (
	"bytes"
	"compress/flate"
	"io"
	"math/rand/v2"
	"os"
	"testing"
)

// What deflate makes is read by compress/flate, and is smaller than what that makes.
func TestDeflate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 3*segment/2)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	skewed := make([]byte, 1<<17) // words of every length up to the limit
	for i := range skewed {
		skewed[i] = byte(min(r.ExpFloat64()*3, 255))
	}
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	far := bytes.Repeat(noise[:window], 3) // matches at the greatest distance
	for _, c := range []struct {
		name string
		data []byte
		less float64 // the size by compress/flate's
	}{
		{"empty", nil, 3}, {"byte", []byte("x"), 2}, {"three", []byte("aaa"), 2}, {"zeros", make([]byte, segment+12345), 1.02},
		{"noise", noise, 1.01}, {"skewed", skewed, 1}, {"far", far, 1}, {"text", text, 0.97}, {"program", program[:min(len(program), 5<<20)], 0.96},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := deflate(c.data)
			back, err := io.ReadAll(flate.NewReader(bytes.NewReader(got)))
			if err != nil || !bytes.Equal(back, c.data) {
				t.Fatalf("read back: %d of %d bytes, %v", len(back), len(c.data), err)
			}
			var b bytes.Buffer
			w, err := flate.NewWriter(&b, flate.BestCompression)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(c.data); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d bytes, %d by compress/flate", len(got), b.Len())
			if float64(len(got)) > c.less*float64(b.Len()) {
				t.Errorf("%d bytes, compress/flate has %d", len(got), b.Len())
			}
		})
	}
}
