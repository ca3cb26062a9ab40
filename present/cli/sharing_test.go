package cli

// This file compares the reports of which sizes share a trace with those in testdata/retrace/sharing/reports.txt, which
// check.py there holds against PyTorch, and those of JAX and TensorFlow.

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"shapecheck/tools/testfiles"
)

var updateSharing = flag.Bool("update-sharing", false, "write testdata/retrace/sharing/reports.txt")

func TestSizesThatShareATrace(t *testing.T) {
	const folder = "../../testdata/retrace/sharing"
	source, err := os.ReadFile(filepath.Join(folder, "programs.py"))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, m := range regexp.MustCompile(`(?m)^# (\S.*)\nclass (\w+)`).FindAllStringSubmatch(string(source), -1) {
		for _, tracer := range []string{"torch.export", "compile", "jit.trace"} {
			args := []string{"trace", filepath.Join(folder, "programs.py"), "--entry", m[2] + "()", "--for", tracer}
			for _, a := range strings.Fields(m[1]) {
				args = append(args, "--arg", a)
			}
			code, out, errs := run(args...)
			if code > 1 || errs != "" {
				t.Errorf("%s, %s: exit code %d: %s", m[2], tracer, code, errs)
			}
			got.WriteString(strings.ReplaceAll(out, folder+"/", "") + "\n")
		}
	}
	file := filepath.Join(folder, "reports.txt")
	if *updateSharing {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("other reports than in %s (-want +got):\n%s\nafter a look at what changed: -update-sharing, and check.py beside PyTorch", file,
			d)
	}
}

func TestSizesThatShareATraceOfJAXAndTensorFlow(t *testing.T) {
	for _, c := range []struct{ name, tracer, source, arg, want string }{
		{"jax", "jax", "import jax.numpy as jnp\n\n\ndef f(x):\n    return jnp.tanh(x).sum()\n", "x:f32[B,3]", `f(f32[B,3]), jax.jit: a trace for each B
  B=8  B == 8
to paste at the end of the file:
    import jax
    traced = jax.jit(f)
`},
		{"jax, bounded", "jax", "import jax.numpy as jnp\n\n\ndef f(x):\n    return jnp.tanh(x).sum()\n", "x:f32[3]", `f(f32[3]), jax.jit: one trace serves all sizes
    all sizes that the model takes
to paste at the end of the file:
    import jax
    traced = jax.jit(f)
`},
		{"jax, a condition", "jax", "import jax.numpy as jnp\n\n\ndef f(x):\n    if x.sum() > 0:\n        return x\n    return -x\n", "x:f32[B]", `f(f32[B]), jax.jit: nothing is traced
  error[SC531] at FILE:5: a trace fails here: Attempted boolean conversion of traced array with shape bool[].
`},
		{"tf", "tf", "import tensorflow as tf\n\n\ndef f(x):\n    return tf.reduce_sum(x, axis=0)\n", "x:f32[B,3]", `f(f32[B,3]), tf.function: one trace serves all sizes
  B=8  all sizes that the model takes
to paste at the end of the file:
    traced = tf.function(f, input_signature=[tf.TensorSpec([None, 3], tf.float32)])
`},
		{"tf, a size asked for", "tf", "import tensorflow as tf\n\n\ndef f(x):\n    if x.shape[0] > 4:\n        return x * 2\n    return x\n", "x:f32[B,3]", `f(f32[B,3]), tf.function: a trace for each B
  B=8  B == 8
  info[SC531] at FILE:5: a trace fails here: '>' not supported between instances of 'NoneType' and 'int'
to paste at the end of the file:
    traced = tf.function(f)
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "program.py")
			if err := os.WriteFile(file, []byte(c.source), 0o644); err != nil {
				t.Fatal(err)
			}
			_, out, errs := run("trace", file, "--entry", "f", "--arg", c.arg, "--for", c.tracer)
			if d := cmp.Diff(c.want, strings.ReplaceAll(out, file, "FILE")); d != "" || errs != "" {
				t.Errorf("(-want +got):\n%s%s", d, errs)
			}
		})
	}
}

func TestSizesThatAreNotKnown(t *testing.T) {
	t.Chdir("../../testdata/retrace/sharing")
	for _, c := range []struct{ arg, says string }{
		{"x:f32[*,8]", "not known: an argument has sizes or a number of axes that are not known\n"},
		{"x:f32[B,?]", "not known: an argument has sizes or a number of axes that are not known\n"},
		{"x:f32[B,7]", "not known: a check of the entry finds errors\n"},
		{"x:f32[B=3,8]", "  B=3  all sizes that the model takes\n"},
	} {
		for _, tracer := range []string{"torch.export", "compile", "jit.trace", "onnx"} {
			_, out, errs := run("trace", "programs.py", "--entry", "Affine()", "--arg", c.arg, "--for", tracer)
			if (tracer != "compile" || c.arg != "x:f32[B=3,8]") && !strings.Contains(out, c.says) || errs != "" {
				t.Errorf("%s, %s: %s%s, want %s", c.arg, tracer, out, errs, c.says)
			}
		}
	}
}

func TestSizesThatShareATraceAreInTheGuide(t *testing.T) {
	doc, err := os.ReadFile("../../docs/trace.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	out, _ := runCLI(t, 1, "trace", "testdata/retrace/sharing/programs.py", "--entry", "Threshold()", "--arg", "x:f32[B,8]", "--arg",
		"y:f32[T,3]")
	if blocks := guideBlocks(string(doc), ""); len(blocks) < 2 || blocks[1] != out {
		t.Errorf("docs/trace.md does not show:\n%s", out)
	}
}

func TestTraceRefusesFlags(t *testing.T) {
	for _, c := range []struct{ flags, want string }{
		{"--for torch --arg x:f32[B]", "no tracer that is known"},
		{"--arg x:f32[B] --others []", "--others with --for"},
		{"--arg x:f32[B] --inputs (1,)", "give one of them"},
		{"--entry f", "--inputs is missing"},
	} {
		code, _, errs := run(append([]string{"trace", "net.py"}, strings.Fields(c.flags)...)...)
		if code != 2 || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d: %s", c.flags, code, errs)
		}
	}
}

func TestPageOfATrace(t *testing.T) {
	t.Chdir(testfiles.Unpack(t, "../../testdata/retrace/branch"))
	args := strings.Fields("trace elif_chain.py --entry net --inputs inputs --others others --output-format html")
	out, _ := runCLI(t, 1, args...)
	for _, want := range []string{
		`<div class="mark">if n &lt; 4: no, depends on the sizes: s1 &lt;= 3; another way for f32[2]; a trace is wrong for f32[2]:`,
		`<div class="line dim" id="s`, // return x * 1, which does not run
		`<div class="line kept" id="s`,
		`<div class="line influenced" id="s`, // return x * k
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the page has no %s", want)
		}
	}
}
