package layering

// This file states the layers. A package imports only from layers above its own
// in the list. Do not move a package to mend a failing build: move the code.

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// layers lists the packages from the bottom up. A name that ends in /... stands
// for the packages below it.
var layers = [][]string{
	{"internal/lazyregexp", "internal/inorder", "internal/packedtext", "internal/columns"},
	{"internal/cputime", "internal/source", "symshape/dtype", "grammar", "tools/layering", "internal/atomicfile", "internal/localfile",
		"internal/closest", "tools/counts", "tools/testfiles", "internal/safetext", "internal/version", "runtime/memory", "runtime/memory/fence"},
	{"internal/diag", "internal/reads", "internal/cache", "internal/timing", "symshape", "grammar/pygen"},
	{"internal/diag/place", "internal/gittree", "internal/fix", "parser/ast", "infer/graph", "infer/annot", "onnx"},
	{"onnx/schema", "infer/toplevel", "project/notebook", "present/render/text"},
	{"onnx/check", "onnx/eval"},
	{"present/render/...", "parser", "parser/resolve", "onnx/...", "onnx/weights"},
	{"codegen/isa", "runtime/tensor"},
	{"runtime/pool", "runtime/kernel/tile", "codegen/ir"},
	{"codegen/ir/irtext"},
	{"runtime/kernel", "codegen/op", "codegen/interp", "codegen/sched"},
	{"runtime/vm", "codegen/read", "codegen/pass"},
	{"runtime/observe", "codegen/emit"},
	{"codegen"},
	{"infer/value", "project/pyenv", "parser/pieces"},
	{"infer/ops", "lower/aten"},
	{"infer/ops/torch", "infer/ops/numpy"},
	{"infer/ops/einops", "infer/ops/chainer"},
	{"infer/ops/catalog"},
	{"infer/ops/opstest", "infer/lib", "infer/lint", "infer/advice", "infer/fill", "trace/jit", "lower"},
	{"trace/export"},
	{"trace/dynamo"},
	{"trace/retrace"},
	{"infer", "lower/initial"},
	{"contract", "project/comments"},
	{"check/record"},
	{"present/report", "present/summary"},
	{"trace", "present/report/html"},
	{"project/suppress", "present/compare", "suite/collect"},
	{"project/config", "discover/text"},
	{"check"},
	{"check/export", "check/reduce", "discover/trial", "suite"},
	{"present/changes"},
	{"tools/golden", "tools/conformance", "tools/conformance/hostile", "tools/conformance/outside"},
	{"present/lsp", "present/playground"},
	{"present/mcp"},
	{"present/cli"},
	{"cmd/...", "tools/differential"},
	{"tools/..."},
}

// apart lists what packages with a prefix must not import although it is in a lower layer, but
// for the exceptions: programs run without the compiler linked in, and the compiler knows ONNX
// alone, neither Python nor the machine, but for the memory of the process. Who checks prints nothing.
var apart = []struct{ from, to, except string }{
	{"runtime/", "codegen", "codegen/isa"},
	{"codegen", "runtime/", "runtime/memory"},
	{"codegen", "infer", ""}, {"codegen", "parser", ""}, {"codegen", "lower", ""},
	{"runtime/", "infer", ""}, {"runtime/", "parser", ""}, {"runtime/", "lower", ""},
	{"check", "present/", ""}, {"discover/", "present/", ""}, {"suite", "present/", ""},
}

// testsOnly lists the packages that tests alone may import.
var testsOnly = []string{"codegen/ir/irtext"}

// keptApart reports whether pkg must not import dep.
func keptApart(pkg, dep string) bool {
	for _, a := range apart {
		if strings.HasPrefix(pkg, a.from) && strings.HasPrefix(dep, a.to) && !slices.Contains(strings.Fields(a.except), dep) {
			return true
		}
	}
	return false
}

func layerOf(pkg string) int {
	for i, layer := range layers {
		for _, p := range layer {
			if base, ok := strings.CutSuffix(p, "/..."); ok {
				if strings.HasPrefix(pkg, base+"/") {
					return i
				}
			} else if pkg == p {
				return i
			}
		}
	}
	return -1
}

func TestPackagesImportOnlyFromLowerLayers(t *testing.T) {
	prefix := modulePath(t) + "/"
	out, err := exec.Command("go", "list", "-e", "-json=ImportPath,Imports", prefix+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	n := 0
	found := map[string]bool{}
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		n++
		name := strings.TrimPrefix(p.ImportPath, prefix)
		found[name] = true
		layer := layerOf(name)
		if layer < 0 {
			t.Errorf("%s is in no layer: add it to the list", name)
			continue
		}
		for _, imp := range p.Imports {
			dep, ours := strings.CutPrefix(imp, prefix)
			if !ours {
				if strings.HasPrefix(imp, "github.com/antlr4-go/") && name != "parser" && name != "grammar/pygen" {
					t.Errorf("%s imports %s: ANTLR's types stay in parser", name, imp)
				}
				if imp == "text/template" || imp == "html/template" {
					t.Errorf("%s imports %s, which calls methods by name: the linker then keeps all there are, a tenth of the program", name, imp)
				}
				continue
			}
			if keptApart(name, dep) {
				t.Errorf("%s imports %s: these are kept apart", name, dep)
			}
			if slices.Contains(testsOnly, dep) {
				t.Errorf("%s imports %s, which is for tests alone", name, dep)
			}
			if l := layerOf(dep); l >= layer {
				t.Errorf("%s (layer %d) imports %s (layer %d)", name, layer, dep, l)
			}
		}
	}
	if n < 10 {
		t.Fatalf("only %d packages were listed", n)
	}
	for _, layer := range layers {
		for _, p := range layer {
			if !strings.HasSuffix(p, "/...") && !found[p] {
				t.Errorf("the list has %s, which is no package", p)
			}
		}
	}
}

// TestTheProgramHasNoNetwork checks that what runs on users' code cannot send it anywhere.
func TestTheProgramHasNoNetwork(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", modulePath(t)+"/cmd/shapecheck").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "io") {
		t.Fatalf("%d packages without io", len(deps))
	}
	for _, name := range []string{"net/http", "net/rpc", "net/smtp", "crypto/tls"} {
		if slices.Contains(deps, name) {
			t.Errorf("the program links %s", name)
		}
	}
}

// modulePath is the path of the module, which tools/rename changes.
func modulePath(t *testing.T) string {
	out, err := exec.Command("go", "list", "-m").Output()
	if err != nil {
		t.Fatalf("go list -m: %v", err)
	}
	return strings.TrimSpace(string(out))
}
