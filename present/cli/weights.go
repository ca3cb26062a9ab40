package cli

// This file reads the flags about weights: those that a model is compared with
// (check --weights), and that go into an exported model (export --weights, --init).

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/onnx/weights"
)

// weightsFlags say where a model's weights are.
type weightsFlags struct {
	file, key string
	convert   bool
	// seed is --init's; empty: nothing is drawn.
	seed string
}

// initFlag declares --init, which export has.
func (w *weightsFlags) initFlag(c *cobra.Command) {
	c.Flags().StringVar(&w.seed, "init", "",
		"parameters and buffers get what the constructors draw and compute: PyTorch's distributions, from this seed (a number)")
}

func (w *weightsFlags) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&w.file, "weights", "", "a file of weights: safetensors, model.safetensors.index.json, npz, HDF5, or what torch.save writes")
	f.StringVar(&w.key, "weights-key", "", "the entry of the checkpoint that holds the weights, such as ema.state_dict")
	f.BoolVar(&w.convert, "convert-weights", false, "weights of another float type are rounded to the model's")
}

// open reads the headers of the file; nil when there is neither a file nor a seed.
// The caller closes the file.
func (w *weightsFlags) open() (*check.Weights, error) {
	if w.file != "" && w.seed != "" {
		return nil, errors.New("--init and --weights exclude each other: the file has all parameters")
	}
	if w.file == "" && (w.key != "" || w.convert) {
		return nil, errors.New("--weights-key and --convert-weights need --weights FILE")
	}
	switch {
	case w.seed != "":
		n, err := strconv.ParseUint(w.seed, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("--init=%s: expected a number from 0 to %d", w.seed, uint64(math.MaxUint64))
		}
		return &check.Weights{Seed: &n}, nil
	case w.file == "":
		return nil, nil
	}
	file, err := weights.Open(w.file, weights.Options{Key: w.key})
	if err != nil {
		return nil, err
	}
	return &check.Weights{File: file, Name: w.file, Convert: w.convert}, nil
}

// closeWeights closes the file of weights.
func closeWeights(w *check.Weights) error {
	if w == nil || w.File == nil {
		return nil
	}
	return w.File.Close()
}
