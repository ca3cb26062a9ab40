package infer_test

import (
	"testing"

	"shapecheck/tools/golden"
)

func TestPrograms(t *testing.T) { golden.Run(t, "../testdata/infer") }

func TestModels(t *testing.T) { golden.Run(t, "../testdata/models") }

func TestLint(t *testing.T) { golden.Run(t, "../testdata/lint") }

func TestCorpus(t *testing.T) { golden.Run(t, "../testdata/corpus") }

func TestLoaded(t *testing.T) {
	golden.RunLoaded(t, "../testdata/infer", "../testdata/models", "../testdata/lint", "../testdata/corpus")
}
