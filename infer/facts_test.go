package infer

// This file tests what findings say to those who act on them.

import (
	"errors"
	"reflect"
	"testing"

	"shapecheck/internal/diag"
)

func TestFactsOfFindings(t *testing.T) {
	type fact = diag.Fact
	for text, want := range map[string]fact{
		"torch.nn.Conv2d(3, 8, 3)(x)":                              {Kind: diag.UnfitSize, Has: 16, Wants: 3},
		"torch.nn.Linear(3, 8)(x)":                                 {Kind: diag.UnfitSize, Has: 7, Wants: 3},
		"torch.nn.GRUCell(3, 8)(x[0, 0])":                          {Kind: diag.UnfitSize, Has: 7, Wants: 3},
		"x + torch.ones(5)":                                        {Kind: diag.UnequalSizes, Has: 7, Wants: 5},
		"torch.nn.BatchNorm2d(5)(x)":                               {Kind: diag.UnequalSizes, Has: 16, Wants: 5},
		"x[0, 0] @ torch.ones(5)":                                  {},
		"torch.nn.Conv1d(16, 8, 3)(x)":                             {Kind: diag.WrongRank, Of: "f32[B,16,H,7]", Wants: 3},
		"torch.einsum('bch,bch->b', x, x)":                         {Kind: diag.WrongRank, Of: "f32[B,16,H,7]", Wants: 3},
		"einops.rearrange(x, 'b c h -> b (c h)')":                  {Kind: diag.WrongRank, Of: "f32[B,16,H,7]", Wants: 3},
		"torch.nn.functional.adaptive_avg_pool3d(x[0], (1, 1, 1))": {Kind: diag.WrongRank, Of: "f32[16,H,7]", Wants: 5},
		"unpack(x)":                            {Kind: diag.WrongRank, Of: "[B,16,H,7]", Wants: 3},
		"torch.nn.Embedding(3, 8)(x)":          {Kind: diag.NeedsIndices},
		"torch.nn.functional.one_hot(x, 5)":    {Kind: diag.NeedsIndices},
		"torch.nn.EmbeddingBag(3, 8)(x[0, 0])": {Kind: diag.NeedsIndices},
		"torch.imag(x)":                        {Kind: diag.NeedsComplex},
		"(3)[0]":                               {Kind: diag.OneForMany, Of: "int"},
		"list(3)":                              {Kind: diag.OneForMany, Of: "int"},
		"[*3]":                                 {Kind: diag.OneForMany, Of: "int"},
		"len(3)":                               {Kind: diag.OneForMany, Of: "int"},
		"1 in 3":                               {Kind: diag.OneForMany, Of: "int"},
		"{'a': 1}['b']":                        {Kind: diag.LacksKey, Of: "dict", Names: []string{"b"}},
		"x['b']":                               {Kind: diag.LacksKey, Of: "f32[B,16,H,7]", Names: []string{"b"}},
		"x.sum()['b']":                         {Kind: diag.LacksKey, Of: "f32[]", Names: []string{"b"}, Type: "str"},
		"Two(1)":                               {Kind: diag.LacksArguments, Of: "Two.__init__", Names: []string{"b", "c"}},
		"Data(1)":                              {Kind: diag.LacksArguments, Of: "Data.__init__", Names: []string{"b"}},
		"x * None":                             {Kind: diag.OfNone, Type: "None"},
		"x.d":                                  {Kind: diag.LacksAttribute, Of: "f32[B,16,H,7]", Names: []string{"d"}, Type: "Tensor"},
		"(3).d":                                {Kind: diag.LacksAttribute, Of: "int", Names: []string{"d"}, Type: "int"},
		"Two(1, 2, c=3).d":                     {Kind: diag.LacksAttribute, Of: "Two", Names: []string{"d"}, Type: "Two"},
		"left()":                               {Kind: diag.NotImplemented, Raised: "NotImplementedError: None yet"},
		"(3)(x)":                               {Kind: diag.NotCallable, Of: "int"},
		"[1] + 3":                              {Kind: diag.NotList, Of: "int", Has: 1},
		"3 + [1]":                              {Kind: diag.NotList, Of: "int"},
		"[1] + None":                           {Kind: diag.NotList, Of: "NoneType", Has: 1},
		"left(1)":                              {Kind: diag.TakesLess, Of: "left", Has: 1},
		"refuse(3, y=4)":                       {Kind: diag.TakesLess, Of: "refuse", Names: []string{"y"}},
		"refuse(3)":                            {Raised: "TypeError: a number"},
		"None.shape":                           {Kind: diag.OfNone, Type: "None"},
		"torch.relu(None)":                     {Kind: diag.OfNone, Type: "None"},
		"x.sum(None, None, None)":              {Kind: diag.OfNone},
		"refuse(None)":                         {Kind: diag.OfNone, Raised: "ValueError: None is no mask"},
		"None[0]":                              {Kind: diag.OneForMany, Of: "NoneType"},
	} {
		res, err := Run(Config{File: "a.py", Args: []string{"x:f32[B,16,H,7]"}, Text: `
import dataclasses, einops, torch

class Two:
    def __init__(self, a, b, *, c): pass

@dataclasses.dataclass
class Data:
    a: int
    b: int

def unpack(x):
    b, t, c = x.shape

def left():
    raise NotImplementedError("None yet")

def refuse(x):
    if x is None:
        raise ValueError("None is no mask")
    raise TypeError("a number")

def forward(x):
    return ` + text + "\n"})
		if err != nil {
			t.Fatal(text, err)
		}
		if len(res.Diagnostics) == 0 {
			t.Error(text, "has no finding")
			continue
		}
		d := res.Diagnostics[0]
		if !reflect.DeepEqual(d.Fact, want) {
			t.Errorf("%s: %s: got %+v, want %+v", text, d.Msg, d.Fact, want)
		}
		if none := want.Kind == diag.OfNone || want.Of == "NoneType"; d.Fact.AboutNone() != none {
			t.Errorf("%s: about None: %v", text, !none)
		}
	}
}

// What an expression of an entry lacks is told with the error.
func TestFactOfAnEntry(t *testing.T) {
	_, err := Run(Config{File: "a.py", Entry: "Two(1)", Text: "class Two:\n    def __init__(self, a, b): pass\n"})
	var usage *UsageError
	if !errors.As(err, &usage) || !reflect.DeepEqual(usage.Fact, diag.Fact{Kind: diag.LacksArguments, Of: "Two.__init__",
		Names: []string{"b"}}) {
		t.Errorf("%+v", err)
	}
}

// TestLeftOut checks which parameters, left to None, a fault may come from.
func TestLeftOut(t *testing.T) {
	for body, want := range map[string][]string{
		"return self.fc(x)":                                     {"x"},
		"y = x\n        return self.fc(y)":                      {"x"},
		"return self.fc(x) * mask":                              {"x"},
		"return torch.ones(2) * mask":                           {"mask"},
		"return self.take(mask)":                                {"mask"},
		"return self.bias.shape":                                nil,
		"return self.fc(None)":                                  nil,
		"b, n = x.shape\n        return mask.shape":             {"x"},
		"if x is None:\n            raise ValueError('give x')": {"x"},
		"if x is None and mask is None:\n            raise ValueError('give one')": {"x", "mask"},
		"h = mask if x is None else x\n        return h.shape":                     {"mask", "x"},
		"for y in (mask,):\n            y.shape\n        return 1":                 {"mask"},
		"return torch.ones(3) @ torch.ones(4)":                                     nil,
	} {
		res, err := Run(Config{File: "a.py", Text: `
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.bias = nn.Linear(8, 3), None

    def take(self, t):
        return t.shape

    def forward(self, x=None, mask=None, scale=2.0):
        ` + body + "\n"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		errors := 0
		for _, d := range res.Diagnostics {
			if d.Severity == diag.Error {
				if errors++; errors == 1 {
					got = d.Fact.LeftOut
				}
			}
		}
		if errors == 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: from %q, want %q; %d errors", body, got, want, errors)
		}
	}
}
