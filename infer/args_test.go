package infer

// This file tests numbers of the entry's expression that are symbols.

import (
	"strings"
	"testing"

	"shapecheck/internal/diag"
)

const towers = `
from dataclasses import dataclass
import torch
from torch import nn

@dataclass
class Cfg:
    width: int = 32
    heads: int = 4
    words: int = 50
    rate: float = 0.5
    bias: bool = True
    last: int = -1

class Plain:
    def __init__(self, width=32):
        self.width = width

class Tower(nn.Module):
    def __init__(self, config: Cfg):
        super().__init__()
        self.emb = nn.Embedding(config.words, config.width)
        self.heads, self.last, self.bias = config.heads, config.last, config.bias

    def forward(self, idx):
        assert self.last == -1 and self.bias is True
        b, t = idx.size()
        y = self.emb(idx).view(b, t, self.heads, -1).transpose(1, 2).contiguous()
        return y.transpose(1, 2).VIEW(b, t, -1)

class Head(nn.Module):
    def __init__(self, width, classes=10, text="?"):
        super().__init__()
        self.a, self.b = nn.Linear(width, classes), nn.Linear(11, 2)

    def forward(self, idx):
        return self.b(self.a(torch.zeros(2, 7)))

class Wide(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.a = nn.Linear(config.width, 3)

    def forward(self, idx):
        return self.a(torch.zeros(2, 7))
`

func TestOpenNumbers(t *testing.T) {
	for _, tc := range []struct {
		entry, view, arg string
		open             OpenArguments
		want             string // the result, or the code of the error
	}{
		{"Tower(Cfg())", "view", "idx:i64[B,T]", NothingOpen, "SC105"},
		{"Tower(Cfg(width=?, heads=?))", "view", "idx:i64[B,T]", NothingOpen, "SC105"},
		{"Tower(Cfg(width=?, heads=?))", "reshape", "idx:i64[B,T]", NothingOpen, "f32[B,T,(width//heads)*heads]"},
		{"Tower(Cfg())", "view", "idx:i64[B,T]", NumbersOpen, "SC105"},
		{"Tower(Cfg())", "view", "idx:?[*]", NumbersOpen, "SC105"},
		{"Tower(Cfg())", "reshape", "idx:i64[B,T]", NumbersOpen, "f32[B,T,(width//heads)*heads]"},
		{"Head(7, 12)", "view", "idx:i64[B]", NothingOpen, "SC101"},
		{"Head(7, 12)", "view", "idx:i64[B]", NumbersOpen, "f32[2,2]"}, // the guess was at fault
		{"Head(8)", "view", "idx:i64[B]", NumbersOpen, "SC101"},        // the default is not a guess
		{"Head(?, ?, text='?')", "view", "idx:i64[n]", NothingOpen, "f32[2,2]"},
		{"Wide(Plain())", "view", "idx:i64[width]", NothingOpen, "SC101"},
		{"Wide(Plain())", "view", "idx:i64[width]", NumbersOpen, "f32[2,3]"},
	} {
		res, err := Run(Config{File: "a.py", Text: strings.ReplaceAll(towers, "VIEW", tc.view), Entry: tc.entry, Args: []string{tc.arg},
			Open: tc.open})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if res.Output != nil {
			got = res.Output.String()
		}
		for _, d := range res.Diagnostics {
			if d.Severity == diag.Error {
				got = string(d.Code)
			}
		}
		if got != tc.want {
			t.Errorf("%s with %s, %s, open %v: %s, want %s", tc.entry, tc.arg, tc.view, tc.open, got, tc.want)
		}
	}
}
