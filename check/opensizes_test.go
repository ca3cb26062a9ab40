package check

import (
	"testing"

	"shapecheck/infer"
)

// The second run is made where the program itself reshapes, works along an axis, or takes tensors of other shapes together.
func TestWhatTellsSizesApart(t *testing.T) {
	for body, want := range map[string]bool{
		"return x + x":                                   false,
		"return x * 2":                                   false,
		"return x + y":                                   true,
		"return 1 + y + y":                               false,
		"return x < y":                                   true,
		"return x < x":                                   false,
		"return x + s":                                   true, // s has a free size
		"return s + s":                                   true,
		"return x + z":                                   true,
		"return torch.relu(x)":                           false,
		"return x.reshape(3, 4)":                         true,
		"return nn.Flatten()(x)":                         false, // the library's reshape
		"return x.softmax(1)":                            true,
		"return nn.Softmax(1)(x)":                        false,
		"return F.mse_loss(x, x)":                        false,
		"return F.mse_loss(x, y)":                        true,
		"return nn.MSELoss()(x, y)":                      true,
		"return nn.MSELoss()(x, x)":                      false,
		"return x.relu() if x.sum() > 0 else x + y":      true,
		"return x.relu() if x.sum() > 0 else x + x":      false,
		"return torch.add(x, other=y)":                   true,
		"return torch.relu(x) + torch.relu(x)":           false,
		"return x.transpose(0, 1) + x.transpose(0, 1)":   false,
		"return (x + x).relu(), nn.Linear(3, 5)(x) + 1.": false,
	} {
		res, err := infer.Run(infer.Config{File: "a.py", Args: []string{"x:f32[4,3]", "y:f32[3]", "s:f32[4,N]", "z:f32[1,3]"}, Text: `
import torch
from torch import nn
import torch.nn.functional as F

def forward(x, y, s, z):
    ` + body + "\n"})
		if err != nil {
			t.Fatal(err)
		}
		if got := tellsApart(res.Graph); got != want {
			t.Errorf("%s: %v", body, got)
		}
	}
}
