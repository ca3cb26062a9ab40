package isa

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"shapecheck/internal/cputime"
	"shapecheck/onnx/schema"
)

func programs(t testing.TB) map[string]string {
	out := map[string]string{}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d programs, %v", len(files), err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[f] = string(b)
	}
	return out
}

func TestProgramsAreTheSameInAllForms(t *testing.T) {
	for name, text := range programs(t) {
		p, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := Verify(p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		sameForms(t, name, p)
	}
}

// sameForms checks that bytes and text give back the program, and the canonical form itself.
func sameForms(t *testing.T, name string, p *Program) {
	t.Helper()
	b, err := Encode(p.Clone())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	q, err := Decode(b)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	text, err := Text(q)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	r, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	again, err := Encode(r)
	if err != nil || !bytes.Equal(b, again) {
		t.Errorf("%s: the text assembles to other bytes: %v\n%s\nwhich is\n%s", name, err, text, must(Text(r)))
	}
	if twice := must(Text(r)); twice != text {
		t.Errorf("%s: the text changes:\n%s\nto\n%s", name, text, twice)
	}
}

func must(s string, err error) string {
	if err != nil {
		return err.Error()
	}
	return s
}

func TestTextIsAsPeopleWriteIt(t *testing.T) {
	p, err := Parse(programs(t)["testdata/unet.txt"])
	if err != nil {
		t.Fatal(err)
	}
	const want = `size s0 = ((H - 1) // 2) + 1
size s1 = ((W - 1) // 2) + 1
size s2 = (((4 * N) * 64) * s0) * s1
require "H % 32 == 0" because "net.py:41: cat joins 32*(H//32) and H rows"
input "x" f32[N,3,H,W]
output "y" f32[N,64,s0,s1]
segment 0 "data" at 0 length 37888 sha256 0x0000000000000000000000000000000000000000000000000000000000000000
const @0 "w0" f32[64,3,7,7] = segment 0 at 0
const @1 "b0" f32[64] = segment 0 at 37632
class c0 = s2
values 2
in %0 = {port=0} -> f32[N,3,H,W]
conv %1 = %0, @0, @1 {act="relu" pads=[3,3,3,3] strides=[2,2]} -> f32[N,64,s0,s1] c0 ; at "net.py":12 "conv1" node "Conv_0" by "merge"
free %0
out %1 {port=0}
free %1
`
	if text := must(Text(p)); !strings.HasSuffix(text, want) {
		t.Errorf("the text is\n%s", text)
	}
}

// Each line is a change of the text of control.txt after which the program must be refused, and
// why.
func TestBrokenProgramsAreRefused(t *testing.T) {
	refused(t, "testdata/packed.txt", []broken{
		{"packed @0 \"bf16", "packed @1 \"bf16", "is not there"},
		{"at 32768 length 16448", "at 32768 length 32833", "is not there"},
		{"at 32768 length 16448", "at 65664 length 0", "is not there"},
		{"at 32768 length 16448", "at 32760 length 16448", "is not there"},
		{"format 1.2", "format 1.1", "older than they are"},
		{`"packed" tier`, `"data" tier`, "not of that kind"},
		{"length 65600", `length 65600 file "w.bin"`, "not of that kind"},
	})
	refused(t, "testdata/control.txt", []broken{
		{"free %0\n", "", "not freed"},
		{"free %0\n", "free %0\nfree %0\n", "is not set"},
		{"free %8\n", "", "not freed"},
		{"Add %7 = %5, @0", "Add %7 = %7, @0", "not set"},
		{"Add %7 = %5, @0 -> f32[N]", "Add %12 = %5, @0 -> f32[N]", "do not agree"},
		{"Mul %7 = %5, @0 -> f32[N]", "Mul %7 = %5, @0 -> f32[2*N]", "do not agree"},
		{"Add %7 = %5, @0", "Add %7 = %5, @1", "elements of type bool"},
		{"Add %7 = %5, @0", "Add %7 = %5, %6", "wrong kind"},
		{"Add %7 = %5, @0", "Add %7 = %5", "missing"},
		{"Add %7 = %5, @0", "Add %7 = %5, ~", "absent"},
		{"Add %7 = %5, @0", "Add %7 = %5, @0, @0", "one too many"},
		{"Add %7 = %5, @0", "Add %7 = %5, @0 {axis=1}", "no attribute"},
		{"{perm=[1,0]}", "{perm=1}", "another form"},
		{"-> i64[u,1]\nout %11", "-> i64[u,-1]\nout %11", "negative dimension"},
		{"binds u", "", "nothing binds"},
		{"NonZero %10 = %5 -> i64[1,u] binds u", "NonZero %10 = %5 -> i64[u,u]", "nothing binds"},
		{"free %8\n", "free %8\nNonZero %12 = %5 -> i64[1,u]\nfree %12\n", "not bound here"},
		{"  jmpf %1 r1", "  jmpf %2 r1", "elements of type i64"},
		{"jmpt %4 r0", "jmpt %1 r0", "second result"},
		{"  jmp r1\n", "", "does not end with its jmp"},
		{"%3, %2, @1, %7, %9 r0", "%3, %2, @1, %7, %6 r0", "changes the value %9"},
		{"out %5 {port=0}\n", "", "nothing sets"},
		{"out %5 {port=0}", "out %5 {port=1}", "another type"},
		{"out %5 {port=0}\n", "out %5 {port=0}\nout %5 {port=0}\n", "has been used"},
		{"Mul %7 = %5, @0 -> f32[N]", "Mul %7 = %5, @0 -> f32[N] alias 0", "may have its memory"},
		{"Transpose %11 = %10 {perm=[1,0]} -> i64[u,1]", "Transpose %11 = %10 {perm=[1,0]} -> i64[u,1] alias 0", "cannot be overwritten"},
		{"bound u <= N", "bound N <= u", "not made of earlier ones"},
		{"sym u 0..", "sym u 9..3", "empty or negative"},
		{`input "c" bool[]`, `input "x" bool[]`, "name of its own"},
		{"const @0 f32[] = 0x0000803f", "const @0 f32[] = 0x000080", "has 3 bytes"},
		{"free %6\n", "free %6\njmp r1\n", "not the end"},
		{"free %8\n", "loop.end %3, %4 r0\nfree %8\n", ""},
	})
}

// A broken is a change of a program and what is said of it.
type broken struct{ old, new, want string }

func refused(t *testing.T, file string, list []broken) {
	t.Helper()
	text := programs(t)[file]
	for _, c := range list {
		if !strings.Contains(text, c.old) {
			t.Fatalf("%q is not in the program", c.old)
		}
		p, err := Parse(strings.Replace(text, c.old, c.new, 1))
		if err == nil {
			err = Verify(p)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q → %q: %v", c.old, c.new, err)
		}
	}
}

func TestMemoryOfClassesIsChecked(t *testing.T) {
	const head = `program "" format 1.0
input "x" f32[16]
output "y" f32[16]
class c0 = 64 at 0
class c1 = 64 at %d
in %%0 = {port=0} -> f32[16]
Exp %%1 = %%0 -> f32[16] c0
`
	for _, c := range []struct {
		at   int
		rest string
		want string
	}{
		{64, "Exp %2 = %1 -> f32[16] c1\nfree %1\n", ""},
		{0, "Exp %2 = %1 -> f32[16] c1\nfree %1\n", "overlaps"},
		{32, "Exp %2 = %1 -> f32[16] c1\nfree %1\n", "not aligned"},
		{0, "Copy9", "no opcode"},
		{0, "view %3 = %1 -> f32[4,4] c0 alias 0\nfree %1\nview %2 = %3 -> f32[16] c0 alias 0\nfree %3\n", ""},
		{64, "view %3 = %1 -> f32[4,4] c0 alias 0\nExp %2 = %1 -> f32[16] c0\nfree %1\nfree %3\n", "is in use"},
		{64, "view %3 = %1 -> f32[4,4] c1 alias 0\nview %2 = %3 -> f32[16] c1 alias 0\nfree %1\nfree %3\n", "differ"},
		{64, "copy %2 = %1 -> f32[16] c0 alias 0\nfree %1\n", ""},
	} {
		p, err := Parse(fmt.Sprintf(head, c.at) + c.rest + "out %2 {port=0}\nfree %2\nfree %0\n")
		if err == nil {
			err = Verify(p)
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d %q: %v", c.at, c.rest, err)
		}
	}
}

func TestSizesAreExactOrRefused(t *testing.T) {
	for _, c := range []struct {
		k    SizeOp_Kind
		a, b int64
		want string
	}{
		{SizeOp_ADD, 1<<63 - 1, 1, "over"}, {SizeOp_ADD, -1 << 63, -1, "over"}, {SizeOp_ADD, -1 << 63, 1<<63 - 1, "-1"}, {SizeOp_ADD, 5, 0, "5"},
		{SizeOp_SUB, -1 << 63, 1, "over"}, {SizeOp_SUB, 0, -1 << 63, "over"}, {SizeOp_SUB, 3, 5, "-2"},
		{SizeOp_MUL, 1 << 32, 1 << 31, "over"}, {SizeOp_MUL, -1 << 63, -1, "over"}, {SizeOp_MUL, -3, 5, "-15"},
		{SizeOp_MUL, 1 << 31, 1 << 31, "4611686018427387904"},
		{SizeOp_FLOORDIV, -7, 2, "-4"}, {SizeOp_FLOORDIV, 7, -2, "-4"}, {SizeOp_FLOORDIV, 7, 0, "over"}, {SizeOp_FLOORDIV, -1 << 63, -1, "over"},
		{SizeOp_MOD, -7, 2, "1"}, {SizeOp_MOD, 7, -2, "-1"}, {SizeOp_MOD, -1 << 63, -1, "0"}, {SizeOp_MOD, 1, 0, "over"},
		{SizeOp_MAX, -1, 2, "2"}, {SizeOp_MIN, -1, 2, "-1"},
	} {
		got, why := applySize(c.k, c.a, c.b)
		if text := fmt.Sprint(got); why != "" != (c.want == "over") || why == "" && text != c.want {
			t.Errorf("%v %d %d: %s %s, not %s", c.k, c.a, c.b, text, why, c.want)
		}
	}
}

func TestOpcodesKeepTheirNumbers(t *testing.T) {
	var b strings.Builder
	names := map[string]bool{}
	for _, i := range Ops() {
		fmt.Fprintf(&b, "%d %s\n", i.Op, strings.TrimSpace(i.Domain+" "+i.Name))
		if names[i.Name] {
			t.Errorf("two opcodes are named %s", i.Name)
		}
		if slices.Contains(reserved, i.Op) {
			t.Errorf("%s has the number %d, which another opcode had", i.Name, i.Op)
		}
		names[i.Name] = true
		if Lookup(i.Domain, i.Name) != i.Op || i.Op.String() != i.Name {
			t.Errorf("%s is not found", i.Name)
		}
	}
	want, err := os.ReadFile("testdata/opcodes.golden")
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.HasPrefix(got, string(want)) || len(want) == 0 {
		for _, line := range strings.Split(string(want), "\n") {
			if !strings.Contains(got, line) {
				t.Errorf("the opcode %s is gone or has another number: numbers are never changed", line)
			}
		}
		if got != string(want) && os.Getenv("SHAPECHECK_UPDATE") != "" {
			if err := os.WriteFile("testdata/opcodes.golden", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got != string(want) {
			t.Error("testdata/opcodes.golden is not the list of opcodes: for new ones run with SHAPECHECK_UPDATE=1")
		}
	}
}

// Every operator of the standard domain and of ONNX+ is an opcode, or here with the reason.
func TestEveryOperatorHasAnOpcode(t *testing.T) {
	not := map[string]string{"If": "a region", "Loop": "a region", "Scan": "a region", "SequenceMap": "a region", "Constant": "a constant",
		"ChainerFusionGroup": "a group",
		"StringConcat":       "strings", "StringNormalizer": "strings", "StringSplit": "strings", "RegexFullMatch": "strings",
		"Gradient": "a request to the compiler"}
	for _, op := range schema.Ops() {
		if op.Domain != "" && op.Domain != TrainingDomain && op.Domain != schema.Chainer || schema.Last(op.Domain, op.Name).Deprecated ||
			op.Experimental {
			continue
		}
		o := Lookup(op.Domain, op.Name)
		if (o == 0) != (not[op.Name] != "") {
			t.Errorf("%s %s: opcode %d, %q", op.Domain, op.Name, o, not[op.Name])
		}
	}
}

func TestFilesHoldProgramAndSegments(t *testing.T) {
	p, err := Parse(programs(t)["testdata/unet.txt"])
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Repeat([]byte{1, 2, 3}, 37888)[:37888]
	var b bytes.Buffer
	if err := Write(&b, p, []io.Reader{bytes.NewReader(data)}); err != nil {
		t.Fatal(err)
	}
	f, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(data))
	if _, err := f.Segments.ReadAt(got, int64(f.Program.Segments[0].Offset)); err != nil || !bytes.Equal(got, data) {
		t.Errorf("the segment is not read back: %v", err)
	}
	for n := range b.Len() {
		if n > 3000 && n < b.Len()-3000 {
			continue
		}
		if _, err := Read(bytes.NewReader(b.Bytes()[:n]), int64(n)); err == nil {
			t.Fatalf("a file of %d of %d bytes is read", n, b.Len())
		}
	}
}

// chain is a program of n functions of elements, one after the other.
func chain(t testing.TB, n int) *Program {
	t.Helper()
	var b strings.Builder
	b.WriteString("program \"\" format 1.0\nsym N 1..\ninput \"x\" f32[N]\noutput \"y\" f32[N]\nin %0 = {port=0} -> f32[N]\n")
	for i := range n {
		fmt.Fprintf(&b, "Exp %%%d = %%%d -> f32[N]\nfree %%%d\n", i+1, i, i)
	}
	fmt.Fprintf(&b, "out %%%d {port=0}\nfree %%%d\n", n, n)
	p, err := Parse(b.String())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// BenchmarkVerify has programs of 2,000 and 40,000 instructions.
func BenchmarkVerify(b *testing.B) {
	for _, n := range []int{1000, 20000} {
		p := chain(b, n)
		b.Run(strconv.Itoa(len(p.Code)), func(b *testing.B) {
			begin := cputime.Used()
			for b.Loop() {
				if err := Verify(p); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((cputime.Used()-begin).Nanoseconds())/float64(b.N)/float64(len(p.Code))/1e3, "cpu-ms/1000inst")
		})
	}
}

// The time is held against that of a program of a twentieth, in the same run: a verifier that is
// quadratic takes twenty times as long for each instruction. BenchmarkVerify measures it.
func TestVerifierIsLinear(t *testing.T) {
	least := func(n int) float64 { // for each instruction
		p := chain(t, n)
		best := math.Inf(1)
		for range 5 {
			begin := cputime.Used()
			for range 20000 / n {
				if err := Verify(p); err != nil {
					t.Fatal(err)
				}
			}
			best = min(best, (cputime.Used()-begin).Seconds()/float64(20000/n*len(p.Code)))
		}
		return best
	}
	small, large := least(1000), least(20000)
	t.Logf("%.2g and %.2g s for each instruction", small, large)
	if large > 5*small {
		t.Errorf("%.2g s for each instruction, and %.2g in a program of a twentieth", large, small)
	}
}
