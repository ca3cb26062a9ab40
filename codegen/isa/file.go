package isa

// This file reads and writes programs. A file is the magic number, the major version, the
// length of the message, the message, zeros up to a multiple of 64, and the segments.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"shapecheck/internal/localfile"
)

// Magic begins every program file.
const Magic = "SCPROG"

const (
	headLen      = 16 // magic, major as uint16, length as uint64, little endian
	segmentAlign = 64
)

// A FormatError is a file that is no program, or one that this version does not read.
type FormatError struct{ Reason string }

func (e *FormatError) Error() string { return "not a program: " + e.Reason }

func badFormat(format string, args ...any) error { return &FormatError{fmt.Sprintf(format, args...)} }

// Encode brings the program into its canonical form and gives the bytes of its message. It
// fails for a program whose tables refer to what is not there.
func Encode(p *Program) ([]byte, error) {
	if err := p.checkTables(); err != nil {
		return nil, err
	}
	p.Canonicalize()
	return marshal(p)
}

// Decode reads a message. Before anything is made its parts are counted; the tables refer
// only to what is there, but the program must still be verified. The error is a *FormatError: the message
// is malformed, too large or nested too deep, is of another version, needs an unknown feature, has unknown fields
// without being of a later version, or has tables that refer to what is not there.
func Decode(b []byte) (*Program, error) {
	if len(b) > MaxMessage {
		return nil, badFormat("the message has %d bytes, more than %d", len(b), MaxMessage)
	}
	var seen survey
	if err := seen.message(0, b, 0); err != nil {
		return nil, err
	}
	p := &Program{}
	if err := unmarshal(b, p); err != nil {
		return nil, badFormat("%v", err)
	}
	if p.Major != Major {
		return nil, badFormat("its format is %d.%d; this version reads %d.0 and later ones of %d", p.Major, p.Minor, Major, Major)
	}
	for _, f := range p.Features {
		if !features[f] {
			return nil, badFormat("it needs the feature %q (format %d.%d), which this version (format %d.%d) does not know", f, p.Major, p.Minor,
				Major, Minor)
		}
	}
	// What a newer version adds without a feature does not change what the program does: it is left out.
	if seen.unknown && p.Minor <= Minor {
		return nil, badFormat("it has fields that format %d.%d does not have", p.Major, p.Minor)
	}
	return p, p.checkTables()
}

// features are those that this reader knows.
var features = map[string]bool{FeatureReal: true}

// maxDepth bounds messages within messages.
const maxDepth = MaxNesting + 16

// A survey is what is known of a message before anything of it is made.
type survey struct {
	parts   int  // messages and elements of lists
	unknown bool // it has fields that this version has not
}

// message counts the parts of an encoded message before it is decoded, so that a small file cannot unfold
// into a large program: nesting is limited to maxDepth and the parts to MaxParts, and texts are UTF-8. A field that the schema
// lacks, or of another wire type, is noted as unknown. of is the message's place in fieldsOf.
func (s *survey) message(of uint8, b []byte, depth int) error {
	if depth > maxDepth {
		return badFormat("its messages are nested more than %d deep", maxDepth)
	}
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return badFormat("%v", protowire.ParseError(n))
		}
		size := protowire.ConsumeFieldValue(num, typ, b[n:])
		if size < 0 {
			return badFormat("%v", protowire.ParseError(size))
		}
		val := b[n : n+size]
		b = b[n+size:]
		s.parts++
		var inner []byte
		if typ == protowire.BytesType {
			inner, _ = protowire.ConsumeBytes(val)
		}
		var f fieldInfo
		if fields := fieldsOf[of]; int(num) < len(fields) {
			f = fields[num]
		}
		switch {
		case f.isList && typ == protowire.BytesType: // numbers one behind the other
			s.parts += len(inner) // at least; each has one byte or more
		case !f.known || f.wire != typ:
			s.unknown = true
		case f.isMessage:
			if err := s.message(f.message, inner, depth+1); err != nil {
				return err
			}
		case f.isText && !utf8.Valid(inner):
			return badFormat("%v", errText)
		}
		if s.parts > MaxParts {
			return badFormat("it has more than %d parts", MaxParts)
		}
	}
	return nil
}

// A Payload holds a program's segments: those that are in its file, from the first one on.
type Payload = io.ReaderAt

// Write writes a program file. Segment i with neither file nor name is copied from segments[i];
// their places, lengths and sums must be set (see Layout). It returns an error if Encode or w fails, or if a segment
// has another length than the program says.
func Write(w io.Writer, p *Program, segments []io.Reader) error {
	msg, err := Encode(p)
	if err != nil {
		return err
	}
	head := append([]byte(Magic), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	binary.LittleEndian.PutUint16(head[6:], uint16(p.Major))
	binary.LittleEndian.PutUint64(head[8:], uint64(len(msg)))
	if _, err := w.Write(append(head, msg...)); err != nil {
		return err
	}
	at := int64(headLen + len(msg))
	base := align(at)
	for i, s := range p.Segments {
		if s.File != "" || s.Name != "" {
			continue
		}
		if _, err := w.Write(make([]byte, base+int64(s.Offset)-at)); err != nil {
			return err
		}
		n, err := io.Copy(w, segments[i])
		if err != nil {
			return err
		}
		if uint64(n) != s.Length {
			return fmt.Errorf("segment %d has %d bytes, not %d", i, n, s.Length)
		}
		at = base + int64(s.Offset) + n
	}
	return nil
}

// Layout sets the places of the embedded segments one behind the other.
func (p *Program) Layout() {
	at := int64(0)
	for _, s := range p.Segments {
		if s.File == "" && s.Name == "" {
			s.Offset = uint64(at)
			at = align(at + int64(s.Length))
		}
	}
}

func align(n int64) int64 { return (n + segmentAlign - 1) &^ (segmentAlign - 1) }

// A File is an open program file.
type File struct {
	Program *Program
	// Segments reads the embedded segments: the offsets of segments are places in it. Base is its own place in the file.
	Segments *io.SectionReader
	Base     int64
}

// Read reads a program from the size bytes of r and checks that its embedded segments are there.
// Nothing of them is read. It returns a *FormatError if the head or the message is no program of this version or a
// segment goes beyond the end, and the error of r.
func Read(r io.ReaderAt, size int64) (*File, error) {
	head := make([]byte, headLen)
	if n, err := r.ReadAt(head, 0); n < headLen {
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		return nil, badFormat("it is too short")
	}
	if !bytes.HasPrefix(head, []byte(Magic)) {
		return nil, badFormat("it does not begin with %s", Magic)
	}
	if major := binary.LittleEndian.Uint16(head[6:]); major != Major {
		return nil, badFormat("its format is %d; this version reads %d", major, Major)
	}
	length := binary.LittleEndian.Uint64(head[8:])
	if length > MaxMessage || int64(length) > size-headLen {
		return nil, badFormat("its message has %d bytes, which are not there or more than %d", length, MaxMessage)
	}
	msg := make([]byte, length)
	if _, err := io.ReadFull(io.NewSectionReader(r, headLen, int64(length)), msg); err != nil {
		return nil, err
	}
	p, err := Decode(msg)
	if err != nil {
		return nil, err
	}
	base := min(align(headLen+int64(length)), size)
	for i, s := range p.Segments {
		if s.File == "" && s.Name == "" && (s.Offset > uint64(size-base) || s.Length > uint64(size-base)-s.Offset) {
			return nil, badFormat("segment %d, %d bytes at %d, is beyond its end", i, s.Length, s.Offset)
		}
	}
	return &File{p, io.NewSectionReader(r, base, size-base), base}, nil
}

// ReadFile reads a program file; Close closes it. What is no regular file is refused.
func ReadFile(path string) (*File, io.Closer, error) {
	f, info, err := localfile.OpenRegular(path)
	if err != nil {
		return nil, nil, err
	}
	x, err := Read(f, info.Size())
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return x, f, nil
}
