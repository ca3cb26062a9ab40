package infer

// This file tests what is said of the two sides of an assert.

import (
	"fmt"
	"strings"
	"testing"
)

func TestAnAssertShowsItsSides(t *testing.T) {
	const program = `
import torch


class Table:
    def __init__(self):
        self.shape = torch.zeros(1500, 64).shape


def equal(x):
    assert x.shape[1:] == Table().shape, "wrong length"


def chained(x):
    assert 1 < x.ndim < 2


def second(x, n=3):
    assert n > 2 and x.shape[-1] == n, "bad"


def tensors(x):
    assert torch.equal(x, x) and x.dtype == torch.int64


def flag(x):
    n = x.ndim == 3
    assert not n


def long(x):
    assert [x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim] == []
`
	for _, c := range []struct{ entry, want string }{
		{"equal", "x.shape[1:]: torch.Size([550, 64]); Table().shape: torch.Size([1500, 64])"},
		{"chained", "x.ndim: 3; 2: 2"},
		{"second", "x.shape[-1]: 64; n: 3"},
		{"tensors", "x.dtype: torch.float32; torch.int64: torch.int64"},
		{"flag", ""}, // which compared nothing
		{"long", "[x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.…: [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]; []: []"},
	} {
		r, err := Run(Config{File: "net.py", Text: program, Entry: c.entry, Args: []string{"x:f32[2,550,64]"}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range r.Diagnostics {
			for _, o := range d.Operands {
				got = append(got, fmt.Sprintf("%s: %s", o.Name, o.Type))
			}
		}
		if s := strings.Join(got, "; "); s != c.want || len(r.Diagnostics) == 0 {
			t.Errorf("%s: %q, want %q", c.entry, s, c.want)
		}
	}
}
