package isa

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestMutationsAreReadOrRefused does a little of what the fuzz targets do in every run of the
// tests: words of the text and bytes of the message are exchanged, doubled and dropped.
func TestMutationsAreReadOrRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	accepted := 0
	for name, text := range programs(t) {
		lines := strings.Split(text, "\n")
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		msg, err := Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 1500 {
			start := time.Now()
			mutated := append([]string{}, lines...)
			for range 1 + n%2 {
				i, j := r.IntN(len(lines)), r.IntN(len(lines))
				a, b := strings.Fields(mutated[i]), strings.Fields(mutated[j])
				if len(a) == 0 || len(b) == 0 {
					continue
				}
				a[r.IntN(len(a))] = b[r.IntN(len(b))]
				mutated[i] = strings.Join(a, " ")
			}
			if p, err := Parse(strings.Join(mutated, "\n")); err == nil {
				if Verify(p) == nil {
					accepted++
					sameForms(t, name, p)
				}
			}
			bytes := append([]byte{}, msg...)
			bytes[r.IntN(len(bytes))] ^= 1 << r.IntN(8)
			check(t, bytes)
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("it took %v:\n%s", d, strings.Join(mutated, "\n"))
			}
		}
	}
	if accepted < 50 {
		t.Errorf("only %d of the mutated texts are programs: the test says little", accepted)
	}
}
