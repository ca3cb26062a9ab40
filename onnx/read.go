package onnx

// This file reads models from files. The elements of large initializers are most of a file: each
// gets memory of its own, so that what nobody needs any more can be freed.
//
// The obvious way, to read the file into one slice and to decode that, would keep the whole file
// in memory as long as one initializer refers to it, and would read it on one processor. Here a
// scanner walks over the protobuf fields first and copies all but the large raw data into small
// messages; these go through the ordinary decoder, which thus stays the only place that knows the
// format; the raw data is then read straight into its final memory by several goroutines. A field
// that the scanner does not understand is copied, so that the decoder's error message is the same
// as for a slice.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/encoding/protowire"

	"shapecheck/internal/localfile"
	"shapecheck/internal/reads"
	"shapecheck/runtime/memory"
)

// ReadFile reads the model of a file, as Read does. The file comes from a file system; nil: from the disk. It returns
// an error if the file cannot be opened, is larger than MaxMessage, or is no model.
func ReadFile(fsys reads.FS, path string) (m *Model, err error) {
	f, size, err := reads.Open(fsys, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if size > MaxMessage {
		return nil, localfile.TooLarge(path, size, MaxMessage)
	}
	if m, err = Read(f, size); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Read reads the model that is in the first size bytes of r. It gives what Unmarshal gives, and
// shares no memory with r. It returns an error if the bytes cannot be read, are no valid message or have no graph, and
// a *memory.FullError if there is no memory for the model.
func Read(r io.ReaderAt, size int64) (*Model, error) {
	s := &scanner{r: r, size: size, buf: bufio.NewReaderSize(nil, 1<<16)}
	s.seek(0)
	m := &Model{}
	var rest []byte
	err := s.fields(size, &rest, func(num protowire.Number, n int64, start int) (bool, error) {
		if num != modelGraph {
			return false, nil
		}
		rest = rest[:start]
		var b []byte
		if err := s.graph(n, &b); err != nil {
			return false, err
		}
		if m.Graph == nil { // a message that stands twice is merged
			m.Graph = &Graph{}
		}
		d := decoder{depth: 1}
		return true, invalid(d.graph(b, m.Graph))
	})
	if err != nil {
		return nil, err
	}
	var d decoder
	if err := d.model(rest, m); err != nil {
		return nil, invalid(err)
	}
	if m.Graph == nil {
		return nil, errNoGraph
	}
	return m, s.load(m.Graph.Initializers)
}

// Numbers of fields of ModelProto, GraphProto and TensorProto.
const (
	modelGraph       = 7
	graphInitializer = 5
	tensorRaw        = 9
)

// largeRaw is the size from which raw data is read on its own.
const largeRaw = 4 << 10

// A scanner reads the fields of messages and leaves raw data of initializers out. It reads the
// file forward, with jumps over raw data.
type scanner struct {
	r       io.ReaderAt
	size    int64
	at      int64
	buf     *bufio.Reader
	tensors int       // initializers so far
	raws    []rawData // that were left out
}

// A rawData is where elements of an initializer are.
//
// The number is that of the initializer in the graph, in the order of the file.
type rawData struct {
	tensor   int
	at, size int64
}

// seek goes to a place of the file and forgets what was buffered.
func (s *scanner) seek(at int64) {
	s.at = at
	s.buf.Reset(io.NewSectionReader(s.r, at, s.size-at))
}

// bytes appends n bytes of the file. It asks for memory before it grows, since n comes from the
// file: a file that says a field of 2 GiB must not take them if there are none. It returns a
// *memory.FullError then, or the error of the reader.
func (s *scanner) bytes(n int64, to *[]byte) error {
	if int64(cap(*to)-len(*to)) < n { // it grows to twice as much at most
		if err := memory.Ask(n + 2*int64(cap(*to))); err != nil {
			return err
		}
	}
	*to = slices.Grow(*to, int(n))
	b := (*to)[len(*to) : len(*to)+int(n)]
	if _, err := io.ReadFull(s.buf, b); err != nil {
		return err
	}
	*to = (*to)[:len(*to)+int(n)]
	s.at += n
	return nil
}

// varint reads a number of at most left bytes, which it appends. Where there is none, ok is
// false. The bytes are appended as they stand, also those of a number that is longer than need
// be, as the decoder shall see the same message. n says how many they were; 10 is the most of
// protobuf.
func (s *scanner) varint(left int64, to *[]byte) (x uint64, n int64, ok bool, err error) {
	for n < left && n < 10 {
		b, err := s.buf.ReadByte()
		if err != nil {
			return 0, n, false, err
		}
		*to = append(*to, b)
		s.at++
		x |= uint64(b&0x7f) << (7 * n)
		if n++; b < 0x80 {
			return x, n, true, nil
		}
	}
	return 0, n, false, nil
}

// fields appends a message of n bytes. nested may read a field of bytes itself and put something else in its place,
// which begins at start. A message that is wrong is appended as it is: it is the decoder that
// says so. size is the length of the field's content, where the scanner stands, and nested must
// leave it behind that content if it reports true. The error is that of the reader or of memory:
// a wrong message gives none here.
func (s *scanner) fields(n int64, to *[]byte, nested func(num protowire.Number, size int64, start int) (bool, error)) error {
	for n > 0 {
		start := len(*to)
		tag, used, ok, err := s.varint(n, to)
		if n -= used; err != nil {
			return err
		}
		num, typ := protowire.DecodeTag(tag)
		size := int64(0)
		switch {
		case !ok:
			return s.bytes(n, to)
		case typ == protowire.VarintType:
			if _, used, ok, err = s.varint(n, to); err != nil {
				return err
			}
			n -= used
		case typ == protowire.Fixed32Type:
			size = 4
		case typ == protowire.Fixed64Type:
			size = 8
		case typ == protowire.BytesType:
			var long uint64
			if long, used, ok, err = s.varint(n, to); err != nil {
				return err
			}
			n -= used
			if ok = ok && long <= uint64(n); ok {
				size = int64(long)
				if done, err := nested(num, size, start); err != nil {
					return err
				} else if done {
					n -= size
					continue
				}
			}
		default:
			ok = false
		}
		if !ok || size > n {
			return s.bytes(n, to)
		}
		if err := s.bytes(size, to); err != nil {
			return err
		}
		n -= size
	}
	return nil
}

// graph appends the fields of a graph, with initializers that lack their large raw data. It
// counts all initializers, as load finds them by their number.
func (s *scanner) graph(n int64, to *[]byte) error {
	return s.fields(n, to, func(num protowire.Number, size int64, start int) (bool, error) {
		if num != graphInitializer {
			return false, nil
		}
		s.tensors++
		if size < largeRaw {
			return false, nil
		}
		var b []byte
		if err := s.tensor(size, &b); err != nil {
			return false, err
		}
		*to = protowire.AppendTag((*to)[:start], num, protowire.BytesType)
		*to = protowire.AppendBytes(*to, b)
		return true, nil
	})
}

// tensor appends the fields of a tensor without large raw data, of which the last one counts. An
// empty raw field takes the place of a large one, so that the decoder knows that there is one. If
// a tensor has the field twice the last one is valid, as everywhere in protobuf.
func (s *scanner) tensor(n int64, to *[]byte) error {
	raw := rawData{tensor: s.tensors - 1, size: -1}
	err := s.fields(n, to, func(num protowire.Number, size int64, start int) (bool, error) {
		if num != tensorRaw {
			return false, nil
		}
		if raw.size = -1; size < largeRaw {
			return false, nil
		}
		raw.at, raw.size = s.at, size
		s.seek(s.at + size)
		*to = protowire.AppendTag((*to)[:start], num, protowire.BytesType)
		*to = protowire.AppendBytes(*to, nil)
		return true, nil
	})
	if raw.size >= 0 {
		s.raws = append(s.raws, raw)
	}
	return err
}

// load reads the raw data that was left out. list are the decoded initializers. Goroutines take
// the next one in turn: sizes differ by orders of magnitude, so that equal shares of their number
// would not be equal shares of the work. It returns all errors of reading and a *memory.FullError
// joined.
func (s *scanner) load(list []*Tensor) error {
	errs := make([]error, len(s.raws))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(s.raws)) {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(s.raws) {
					return
				}
				x := s.raws[i]
				if errs[i] = memory.Ask(x.size); errs[i] != nil {
					return
				}
				b := make([]byte, x.size)
				_, errs[i] = io.ReadFull(io.NewSectionReader(s.r, x.at, x.size), b)
				list[x.tensor].Raw = b
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
