// Package codegen compiles ONNX models to programs of the machine (codegen/isa), which
// runtime/vm runs.
//
//	p, err := codegen.CompileFile("net.onnx", codegen.Options{})
//	err = p.WriteFile("net.prog")
//
// A model is read into the compiler's form (codegen/read, codegen/ir), passes make it
// better (codegen/pass), and it is written as a program (codegen/emit). Sizes stay
// symbolic on the whole way: one program serves all sizes of the model's contract.
//
//	codegen.go  Compile, CompileFile, Program    bisect.go  the step that changes outputs
package codegen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"shapecheck/codegen/emit"
	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/codegen/pass"
	"shapecheck/codegen/read"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/reads"
	"shapecheck/internal/timing"
	"shapecheck/onnx"
)

// Options say how a model is compiled. The zero value compiles it for all sizes at the
// level fast.
type Options struct {
	// File is the model's, beside which external data is; CompileFile takes its own.
	File string
	// FS is where external data, and the model of CompileFile, come from; nil: the disk.
	FS reads.FS
	// Bind gives symbols of the inputs' sizes values.
	Bind map[string]int64
	// Keep names values of the model that become outputs, beside its own.
	Keep []string
	// Passes say which passes run.
	Passes pass.Options
	// Producer is what the program says that made it; empty: shapecheck.
	Producer string
	// Time measures the compilation; nil: nothing does.
	Time *timing.Track
}

// A Program is a compiled model.
type Program struct {
	// ISA is the program, without the bytes of its segments and, before it is written, without their sums.
	ISA *isa.Program
	// Segments are the contents of the embedded segments.
	Segments []*isa.Data
	// Report tells what the passes did.
	Report *pass.Report
	// Module is the graph that was written, for further reports.
	Module *ir.Module
}

// maxExternal bounds the bytes of one tensor in a file beside the model.
const maxExternal = 16 << 30

// Compile compiles a model, which must not be used afterwards. An error joins all that
// is at fault in the model, each with its node and source line.
func Compile(ctx context.Context, m *onnx.Model, o Options) (*Program, error) {
	span := o.Time.Begin(timing.Phase, timing.Model)
	ext := onnx.NewExternals(o.FS, o.File)
	mod, err := read.Model(ctx, m, read.Options{Bind: o.Bind, Keep: o.Keep,
		Load: func(t *onnx.Tensor) (*onnx.Tensor, error) { return load(ctx, ext, t) }})
	err = errors.Join(err, ext.Close())
	if span.End(); err != nil {
		return nil, err
	}
	o.Passes.Time = o.Time
	span = o.Time.Begin(timing.Phase, timing.Passes)
	report, err := pass.Run(ctx, mod, pass.Passes(), o.Passes)
	if span.End(); err != nil {
		return nil, err
	}
	defer o.Time.Begin(timing.Phase, timing.Code).End()
	producer := o.Producer
	if producer == "" {
		producer = "shapecheck"
	}
	res, err := emit.Program(mod, producer)
	if err != nil {
		return nil, err
	}
	for _, p := range slices.Concat(res.Program.Inputs, res.Program.Outputs) {
		if n := len(p.Name); n > isa.MaxText {
			return nil, fmt.Errorf("the name of an input or output has %d bytes, more than %d: %.40q…", n, isa.MaxText, p.Name)
		}
	}
	if err := isa.Verify(res.Program); err != nil {
		return nil, fmt.Errorf("the compiled program is refused, which is a fault of the compiler: %w", err)
	}
	return &Program{ISA: res.Program, Segments: res.Segments, Report: report, Module: mod}, nil
}

// load gives the elements of a tensor that has them in a file or in a source.
func load(ctx context.Context, ext *onnx.Externals, t *onnx.Tensor) (*onnx.Tensor, error) {
	if t.Source == nil {
		return ext.Load(ctx, t, maxExternal)
	}
	if t.Source.Size() > maxExternal {
		return nil, fmt.Errorf("the tensor has %d bytes, more than %d", t.Source.Size(), int64(maxExternal))
	}
	raw, err := onnx.ReadSource(t.Source)
	if err != nil {
		return nil, err
	}
	return &onnx.Tensor{Name: t.Name, DType: t.DType, Dims: t.Dims, Raw: raw, HasRaw: true}, nil
}

// CompileFile compiles the model of a file. It returns an error if the file cannot be read as a model, and those of
// Compile.
func CompileFile(ctx context.Context, path string, o Options) (*Program, error) {
	span := o.Time.Begin(timing.Phase, timing.Reading)
	m, err := onnx.ReadFile(o.FS, path)
	if span.End(); err != nil {
		return nil, err
	}
	o.File = path
	return Compile(ctx, m, o)
}

// Add adds an embedded segment and its content.
func (p *Program) Add(s *isa.Segment, data *isa.Data) {
	for len(p.Segments) < len(p.ISA.Segments) { // those with names or in other files
		p.Segments = append(p.Segments, &isa.Data{})
	}
	p.ISA.Segments, p.Segments = append(p.ISA.Segments, s), append(p.Segments, data)
	if len(s.Packed) > 0 {
		p.ISA.Minor = max(p.ISA.Minor, isa.MinorPacked)
	}
	p.ISA.Layout()
}

// Write writes the program's file. The error is that of w, or of reading a segment that has another length than the
// program says.
func (p *Program) Write(w io.Writer) error {
	return (&emit.Result{Program: p.ISA, Segments: p.Segments}).Write(w)
}

// Bytes is the program's file. It fails where Write does.
func (p *Program) Bytes() ([]byte, error) {
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// WriteFile writes the program's file, whole or not at all. It returns an error if the file cannot be made, written or
// put in its place; then the old one is as before.
func (p *Program) WriteFile(path string) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	if err := p.Write(f); err != nil {
		return errors.Join(err, f.Discard())
	}
	return f.Commit()
}

// Text is the program in the text form. It returns an error if the program's tables refer to what is not there.
func (p *Program) Text() (string, error) {
	if err := p.ISA.Seal(p.Segments); err != nil {
		return "", err
	}
	return isa.Text(p.ISA)
}
