package eval_test

// This file runs recorded tests on the kernels: of the archives in testdata, onnx1.23 and onnx1.12
// are ONNX's own node tests with small inputs (the latter also models that PyTorch once
// exported), whose outputs were recorded with numpy and PyTorch; old is made by record.py:
// nodes of old versions, whose outputs are ONNX Runtime's; varied is made by vary.py: node tests
// with other attributes, sizes, element types and operands.

import (
	"path/filepath"
	"testing"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/onnx/eval/evaltest"
)

// least are the numbers of cases of the archives.
var least = map[string]int{"onnx1.23.tar.gz": 1668, "onnx1.12.tar.gz": 563, "old.tar.gz": 272, "varied.tar.gz": 1432}

func TestKernelsAgreeWithRecordedOutputs(t *testing.T) {
	ran := map[eval.Op]bool{}
	for name, n := range least {
		fsys, err := evaltest.Archive(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		dirs, err := evaltest.List(fsys)
		if err != nil {
			t.Fatal(err)
		}
		if len(dirs) < n {
			t.Errorf("%s has %d cases, not %d", name, len(dirs), n)
		}
		for _, dir := range dirs {
			c, err := evaltest.Load(fsys, dir)
			if err != nil {
				t.Errorf("%s: %v", dir, err)
				continue
			}
			err = c.Run(eval.Config{}, c.Random())
			why := c.Exception()
			switch {
			case err != nil && why == "":
				t.Errorf("%s: %v", dir, err)
			case err == nil && why != "":
				t.Errorf("%s passes, and is an exception: %s", dir, why)
			case err == nil:
				note(ran, c.Model.Graph.Nodes)
			}
		}
	}
	for _, op := range eval.Supported() {
		if !ran[op] && untested[op] == "" && op.Domain != plus { // TestChainer has those
			t.Errorf("no recorded case runs %v", op)
		}
		if ran[op] && untested[op] != "" {
			t.Errorf("%v has a recorded case", op)
		}
	}
}

func note(ran map[eval.Op]bool, list []*onnx.Node) {
	for _, n := range list {
		ran[eval.Op{Domain: onnx.StandardDomain(n.Domain), Name: n.Op}] = true
		n.Subgraphs(func(_ string, g *onnx.Graph) { note(ran, g.Nodes) })
	}
}

// untested are operators without a recorded case, and what holds them instead.
var untested = map[eval.Op]string{
	{Name: "Multinomial"}: distribution, {Name: "RandomNormal"}: distribution, {Name: "RandomNormalLike"}: distribution,
	{Name: "RandomUniform"}: distribution,
}

const distribution = "TestRandomOperators"
