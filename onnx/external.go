package onnx

// This file reads tensors whose elements are in files beside the model. What the
// model says about them is not trusted: see Gate of package reads for names.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"shapecheck/internal/localfile"
	"shapecheck/internal/reads"
	"shapecheck/runtime/memory"
)

// A Ref says where the elements of an external tensor are.
type Ref struct {
	Location string
	Offset   int64
	Length   int64 // computed from the dimensions where the file does not say
}

// ExternalRef reads a tensor's external_data entries: location, offset, length
// and checksum are the keys of the specification; others, repeated keys and
// numbers that are not plain decimals are refused. A length other than the
// dimensions' is refused too.
func ExternalRef(t *Tensor) (Ref, error) {
	r := Ref{Length: -1}
	seen := map[string]bool{}
	for _, e := range t.External {
		if seen[e.Key] {
			return r, fmt.Errorf("external data of %q: the key %q is there twice", t.Name, e.Key)
		}
		seen[e.Key] = true
		var err error
		switch e.Key {
		case "location":
			r.Location = e.Value
		case "offset":
			r.Offset, err = decimal(e.Value)
		case "length":
			r.Length, err = decimal(e.Value)
		case "checksum": // optional, and of the whole file: it is not asked for
		default:
			err = errors.New("not in the specification, which has location, offset, length and checksum")
		}
		if err != nil {
			return r, fmt.Errorf("external data of %q: %s %q: %w", t.Name, e.Key, e.Value, err)
		}
	}
	if !seen["location"] {
		return r, fmt.Errorf("external data of %q has no location", t.Name)
	}
	if err := localfile.CheckName(r.Location); err != nil {
		return r, fmt.Errorf("external data of %q: location %w", t.Name, err)
	}
	n, err := t.Count()
	if err != nil {
		return r, err
	}
	size, err := ByteSize(t.DType, n)
	switch {
	case err != nil:
		return r, fmt.Errorf("external data of %q: %w", t.Name, err)
	case r.Length < 0:
		r.Length = size
	case r.Length != size:
		return r, fmt.Errorf("external data of %q: the length is %d where the dimensions need %d", t.Name, r.Length, size)
	}
	return r, nil
}

// decimal reads a number that is neither negative nor beyond 63 bits.
func decimal(s string) (int64, error) {
	if s == "" || len(s) > 19 {
		return 0, errors.New("not a number in the range of a file")
	}
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, errors.New("not a plain decimal number")
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, errors.New("not a number in the range of a file")
	}
	return n, nil
}

// Externals opens the external data of a model. Each file is opened once.
type Externals struct {
	fsys  reads.FS
	model string
	gate  *reads.Gate // nil: nothing was opened yet
	files map[string]*externalFile
}

type externalFile struct {
	f    reads.Part
	size int64
}

// NewExternals is for the model of a file, which may be empty, in a file system; nil: on the disk.
func NewExternals(fsys reads.FS, model string) *Externals {
	return &Externals{fsys: fsys, model: model, files: map[string]*externalFile{}}
}

// Open gives the elements of an external tensor, little endian. They are read
// when the section is; it is of no use after Close. It returns an error if the tensor's entries are malformed, if its
// file lies outside of the model's folders (see reads.Beside) or cannot be opened, if the section goes beyond the file's end, or if the
// model has too many files.
func (x *Externals) Open(t *Tensor) (*io.SectionReader, error) {
	r, err := ExternalRef(t)
	if err != nil {
		return nil, err
	}
	file := x.files[r.Location]
	if file == nil {
		if len(x.files) >= maxExternalFiles {
			return nil, fmt.Errorf("the model's tensors are in more than %d files", maxExternalFiles)
		}
		if x.model == "" {
			return nil, fmt.Errorf("external data of %q: it is not known in which folder the file is", t.Name)
		}
		if x.gate == nil {
			x.gate = reads.NewGate(x.fsys, reads.Beside(x.fsys, x.model)...)
		}
		f, size, err := x.gate.OpenIn(filepath.Dir(x.model), r.Location)
		if err != nil {
			return nil, fmt.Errorf("external data of %q: %w", t.Name, err)
		}
		file = &externalFile{f, size}
		x.files[r.Location] = file
	}
	if r.Offset > file.size || r.Length > file.size-r.Offset {
		return nil, fmt.Errorf("external data of %q: %d bytes at %d are beyond the end of %q, which has %d", t.Name, r.Length, r.Offset,
			r.Location, file.size)
	}
	return io.NewSectionReader(file.f, r.Offset, r.Length), nil
}

// maxExternalFiles bounds the open files: PyTorch's exporter makes one for each
// tensor of a large model.
const maxExternalFiles = 1000

// readPiece is how much is read between two looks at the context.
const readPiece = 4 << 20

// Load returns the tensor with its elements in memory, when there are at most
// limit bytes of them. A tensor that is not external is returned as it is.
// The context ends the reading, and the process's memory is asked first. It returns an error where Open does, one that
// wraps ErrExternal if there are more bytes than limit, a *memory.FullError if they are refused, and the context's
// error when it ends.
func (x *Externals) Load(ctx context.Context, t *Tensor, limit int64) (*Tensor, error) {
	if !t.IsExternal {
		return t, nil
	}
	s, err := x.Open(t)
	if err != nil {
		return nil, err
	}
	if s.Size() > limit {
		return nil, fmt.Errorf("external data of %q: %d bytes are more than the %d that are read here: %w", t.Name, s.Size(), limit, ErrExternal)
	}
	if err := memory.Ask(s.Size()); err != nil {
		return nil, fmt.Errorf("external data of %q: %w", t.Name, err)
	}
	raw := make([]byte, s.Size())
	for rest := raw; len(rest) > 0; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		piece := rest[:min(len(rest), readPiece)]
		if _, err := io.ReadFull(s, piece); err != nil {
			return nil, fmt.Errorf("external data of %q: %w", t.Name, err)
		}
		rest = rest[len(piece):]
	}
	in := *t
	in.Raw, in.HasRaw, in.IsExternal, in.External = raw, true, false, nil
	return &in, nil
}

// ReadSource gives the elements that a source writes. The process's memory is asked first. It returns an error if the
// memory is refused, or if the source fails.
func ReadSource(s Source) ([]byte, error) {
	if err := memory.Ask(s.Size()); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(int(s.Size()))
	_, err := s.WriteTo(&b)
	return b.Bytes(), err
}

// Close closes the files. The error joins those of the files.
func (x *Externals) Close() error {
	var errs []error
	for _, f := range x.files {
		errs = append(errs, f.f.Close())
	}
	x.files = map[string]*externalFile{}
	return errors.Join(errs...)
}
