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
		"{'a': 1}['b']":                        {Kind: diag.LacksKey, Of: "dict", Names: []string{"b"}, Keys: []string{"a"}},
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
		"torch.cat([x, None])":                 {Kind: diag.OfNone, Type: "list"},
		"torch.stack((None, x), 1)":            {Kind: diag.OfNone, Type: "tuple"},
		"x.permute(0, None, 2, 3)":             {Kind: diag.OfNone, Type: "tuple"},
		"torch.cat([x, 3])":                    {Type: "list"},
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

// TestSizesOfFindings checks what findings tell of sizes beside their words, also those that the library's own Python code raises.
func TestSizesOfFindings(t *testing.T) {
	run := func(text, input string) *diag.Diagnostic {
		t.Helper()
		res, err := Run(Config{File: "a.py", Args: []string{"x:f32" + input}, Text: `
import einops, numpy, torch
from torch import nn

def refuse(n):
    m = n + 10
    if m > 20 or n < 0:
        raise ValueError("refused")
    return n

def late(n):
    if n < 0:
        n = n + 1
    if torch.is_tensor(n):
        return n
    raise ValueError("refused")

def forward(x):
    return ` + text + "\n"})
		if err != nil {
			t.Fatal(text, err)
		}
		if len(res.Diagnostics) == 0 {
			t.Fatal(text, "has no finding")
		}
		return res.Diagnostics[0]
	}
	for text, want := range map[string]diag.Sizes{
		"x + torch.ones(5)": {Symbols: []string{"B", "H"}, Numbered: true},
		"x.transpose(0, 3) + torch.cat([x, x], 1).transpose(1, 3)[1:]": {Symbols: []string{"H", "B"}, Numbered: true},
		"nn.LSTM(5, 3)(x[0])":                       {Numbered: true},
		"nn.LSTM(7, 3)(x[0], (x[:1, 0], x[:1, 0]))": {Symbols: []string{"H"}},
		"nn.BatchNorm2d(5)(x)":                      {Symbols: []string{"B", "H"}, Numbered: true},
		"nn.functional.max_pool2d(x, 9)":            {Symbols: []string{"B", "H"}, Numbered: true},
		"x.permute(0, 1)":                           {Symbols: []string{"B", "H"}, Numbered: true},
		"torch.bincount(x.long())":                  {Symbols: []string{"B", "H"}},
		"einops.rearrange(x, 'b c h -> b (c h)')":   {Symbols: []string{"B", "H"}, Numbered: true},
		"x.view(x.size(0), 5)":                      {Symbols: []string{"B", "H"}, Numbered: true},
		"torch.zeros(3, -2)":                        {Numbered: true, Negative: true},
		"nn.Conv2d(4, 4, 1, groups=-1)":             {Negative: true},
		"nn.Conv2d(4, 4, 1, groups=0)":              {Negative: true},
		"refuse(-3)":                                {Negative: true},
		"refuse(30)":                                {},
		"late(-3)":                                  {},
		"torch.zeros(0, 3) + torch.zeros(2, 3)":     {Numbered: true, Empty: true},
		"torch.zeros(0, 3).view(0, -1)":             {Empty: true},
		"nn.functional.avg_pool2d(x, ())":           {Numbered: true, Empty: true},
	} {
		d := run(text, "[B,16,H,7]")
		got := d.Sizes
		if got.Key == 0 {
			t.Errorf("%s has no key", text)
		}
		if got.Key = 0; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s: got %+v, want %+v", text, d.Msg, got, want)
		}
	}
	// The same fault of inputs of two forms has one key, where sizes do not fit; another number is another fault.
	for _, c := range []struct {
		a, b, forms string
		same        bool
	}{
		{"x + torch.ones(5)", "x + torch.ones(5)", "[T,7]", true},
		{"x + torch.ones(5)", "x + torch.ones(6)", "[T,7]", false},
		{"torch.cat([x, x[..., 1:, :]], -1)", "torch.cat([x, x[..., 1:, :]], -1)", "[T,16,W,7]", true},
		{"nn.LSTM(5, 3)(x[0])", "nn.LSTM(5, 3)(x[0])", "[T,16,W,7]", true},
		{"nn.Conv1d(16, 8, 3)(x)", "nn.Conv1d(16, 8, 3)(x)", "[T,16,W,7]", false}, // of ranks: another form may have them
	} {
		if got := run(c.a, "[B,16,H,7]").Sizes.Key == run(c.b, c.forms).Sizes.Key; got != c.same {
			t.Errorf("%s and %s of %s: one key: %v", c.a, c.b, c.forms, got)
		}
	}
}
