package lsp

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"shapecheck/internal/cputime"
)

// edited is a file that is worked on, with a module beside it.
const edited = `"""A transformer."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from parts import Feed

__all__ = ["Net"]


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self.norm = nn.LayerNorm(dim)
        self.feed = Feed(dim)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(self.norm(x)).view(B, T, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        a = F.softmax(q @ k.transpose(-2, -1) / math.sqrt(C // self.heads), -1)
        x = x + self.out((a @ v).transpose(1, 2).reshape(B, T, C))
        return x + self.feed(x)


class Net(nn.Module):
    def __init__(self, dim=64, depth=3):
        super().__init__()
        self.embed = nn.Embedding(100, dim)
        self.blocks = nn.ModuleList([Block(dim, 4) for _ in range(depth)])
        self.head = nn.Linear(dim, 100)

    def forward(self, ids):
        x = self.embed(ids)
        for b in self.blocks:
            x = b(x)
        return self.head(x)
`

const beside = `from torch import nn


class Feed(nn.Sequential):
    def __init__(self, dim):
        super().__init__(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))
`

// TestManyEdits checks a file after each of many random edits: checks of what is kept between them give what a new
// server gives, and memory does not grow. SHAPECHECK_EDITS is the number of edits; 10,000, as .ci/editor has them, take less than a minute.
func TestManyEdits(t *testing.T) {
	edits := 120
	if n, err := strconv.Atoi(os.Getenv("SHAPECHECK_EDITS")); err == nil {
		edits = n
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "parts.py"), []byte(beside), 0o666); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "net.py")
	kept := newServer(Options{})
	check := func(s *Server, text string) *view { return s.checkNow(t, dir, path, text) }
	rnd := rand.New(rand.NewPCG(1, 2))
	words := []string{"x", " + 1", "\n", "    ", "(", ")", "self.", "# ", "dim", ":", "import parts\n", "\"\"\"", "0"}
	text := edited
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var before uint64
	spent := time.Duration(0)
	for i := range edits {
		if i%3 == 0 {
			text = edited // as somebody does who undoes
		}
		at := rnd.IntN(len(text) + 1)
		if rnd.IntN(3) == 0 {
			text = text[:at] + text[min(at+rnd.IntN(9), len(text)):]
		} else {
			text = text[:at] + words[rnd.IntN(len(words))] + text[at:]
		}
		start := cputime.Used()
		v := check(kept, text)
		spent += cputime.Used() - start
		if i%20 == 0 {
			if got, want := seen(v), seen(check(newServer(Options{}), text)); got != want {
				t.Fatalf("edit %d: what is kept gives\n%s\nand a new server\n%s\nfor\n%s", i, got, want, text)
			}
		}
		if i == 20 {
			before = live()
		}
	}
	after := live()
	t.Logf("%d edits, %d loads with kept modules; %v a check; %d kB live, %d kB after 20 edits",
		edits, kept.modules.Resumed(), spent/time.Duration(edits), after>>10, before>>10)
	if after > 100<<20 {
		t.Errorf("%d kB live after %d edits", after>>10, edits)
	}
	if grown := int64(after) - int64(before); grown/int64(edits-20) > 30<<10 {
		t.Errorf("each edit leaves %d bytes", grown/int64(edits-20))
	}
	if kept.modules.Resumed() < edits/2 {
		t.Errorf("only %d of %d checks had kept modules", kept.modules.Resumed(), edits)
	}
}

// seen is what an editor sees of a view.
func seen(v *view) string {
	var b strings.Builder
	for uri, list := range v.diagnostics {
		for _, d := range list {
			fmt.Fprintln(&b, filepath.Base(uri), d.Range, d.Code, d.Message)
		}
	}
	for _, x := range v.targets {
		fmt.Fprintln(&b, x.start, x.end, x.name)
		for _, t := range x.types {
			fmt.Fprintln(&b, "  ", t.entry, t.text)
		}
		b.WriteString(v.trail(&x))
	}
	for _, e := range v.entries {
		fmt.Fprintln(&b, e.title, e.conditions, e.parameters)
	}
	return b.String()
}
