package weights

// This file reads HDF5 files, as h5py writes them, and so Chainer's save_hdf5 and Keras: the superblock, objects and their
// messages. The format is described in "HDF5 File Format Specification Version 3.0" of The HDF Group. The other files:
//
//	hdf5group.go  groups   hdf5tree.go  trees   hdf5data.go  datasets   hdf5type.go  elements   hdf5chunk.go  chunks   hdf5index.go  where they lie
//
// What a file may have is in tables: h5Messages, h5Layouts, h5Indexes, h5Filters, h5Classes. What is not there, or has a
// reason there, is refused by its name.
//
// Files of other people are read, so each number is bounded before memory is taken for it:
// objects, depth, headers and nodes have limits for the whole file, and a read beyond its end is
// an error. Checksums are compared wherever the format has them.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Limits of what a file may make us do.
const (
	maxHDF5Objects   = 1 << 17
	maxHDF5Depth     = 64
	maxHDF5Header    = 1 << 20   // of the messages of one object
	maxHDF5Headers   = 256 << 20 // of those of all
	maxHDF5Name      = 1 << 12
	maxHDF5Nodes     = 1 << 20 // of all groups' trees
	maxHDF5UserBlock = 1 << 20
	noAddress        = ^uint64(0)
)

const hdf5Signature = "\x89HDF\r\n\x1a\n"

// An h5file is an open file. The counters are of the whole reading; out collects the tensors in
// the order in which they are met.
type h5file struct {
	r       io.ReaderAt
	size    int64
	objects int
	nodes   int64 // of trees, so far
	most    int64 // of them
	headers uint64
	out     []*Tensor
	// unsummed reads blocks whose checksums are wrong; for the tests.
	unsummed bool
}

// userBlock is the size of what stands before an HDF5 file in a file; -1: there is none. The
// signature is looked for at 0, 512, 1024, 2048 and so on, as the specification has it.
func userBlock(r io.ReaderAt, size int64) int64 {
	var b [8]byte
	for at := int64(0); at <= min(size-8, maxHDF5UserBlock); at = max(512, 2*at) {
		if _, err := readAt(r, b[:], at); err == nil && string(b[:]) == hdf5Signature {
			return at
		}
	}
	return -1
}

func readHDF5(r io.ReaderAt, size int64) ([]*Tensor, error) {
	return readHDF5File(&h5file{r: r, size: size})
}

// readHDF5File lists the data sets of a file. A user block may precede it, so addresses are counted from where
// the signature is. The error is the file's first fault.
func readHDF5File(f *h5file) ([]*Tensor, error) {
	f.most = maxHDF5Nodes
	skip := userBlock(f.r, f.size)
	if skip < 0 {
		return nil, errors.New("not an HDF5 file")
	}
	f.r, f.size = io.NewSectionReader(f.r, skip, f.size-skip), f.size-skip
	root, err := f.superblock(uint64(skip))
	if err != nil {
		return nil, err
	}
	if err := f.object("", root, 0); err != nil {
		return nil, err
	}
	return f.out, nil
}

// superblock gives the address of the root group. Versions 0 and 1 have the root group as a
// symbol table entry, 2 and 3 as an address. Errors name what is not read: other sizes of
// addresses, another base, other drivers, a file that was not closed.
func (f *h5file) superblock(base uint64) (root uint64, err error) {
	head, err := f.bytes(0, 48)
	if err != nil {
		return 0, err
	}
	version := head[8]
	switch version {
	case 0, 1:
		at := 24 + 4*uint64(version)
		if head[13] != 8 || head[14] != 8 {
			return 0, errors.New("addresses of other than 8 bytes are not read")
		}
		if head, err = f.bytes(at, 48); err != nil {
			return 0, err
		}
		if le64(head) != base {
			return 0, fmt.Errorf("the base address %d is not where the file begins", le64(head))
		}
		if le64(head[24:]) != noAddress {
			return 0, errors.New(
				"a file of one of HDF5's other drivers (as family or multi), whose parts are other files: h5repack makes one file of them")
		}
		return le64(head[40:]), nil
	case 2, 3:
		if err := f.sum("superblock", head); err != nil {
			return 0, err
		}
		if head[9] != 8 || head[10] != 8 {
			return 0, errors.New("addresses of other than 8 bytes are not read")
		}
		if version == 3 && head[11]&5 != 0 {
			return 0, errors.New("the file was not closed by the program that wrote it: h5clear -s marks it as closed")
		}
		if le64(head[12:]) != base {
			return 0, fmt.Errorf("the base address %d is not where the file begins", le64(head[12:]))
		}
		if extension := le64(head[20:]); extension != noAddress {
			// Messages that change how the file is read are refused by the table.
			if _, err := f.messages(extension); err != nil {
				return 0, fmt.Errorf("superblock: %w", err)
			}
		}
		return le64(head[36:]), nil
	}
	return 0, fmt.Errorf("version %d of superblocks is not known", version)
}

func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
func le16(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }

// leN reads a number of len(b) bytes, at most 8.
func leN(b []byte) uint64 {
	var w [8]byte
	copy(w[:], b)
	return le64(w[:])
}

// bytes reads n bytes at an address. Each call reads from the file; what is read often (blocks of
// indices) is kept by its reader.
func (f *h5file) bytes(at uint64, n int) ([]byte, error) {
	if n < 0 || at > uint64(f.size) || uint64(n) > uint64(f.size)-at {
		return nil, fmt.Errorf("%d bytes at %d are beyond the end of the file", n, at)
	}
	b := make([]byte, n)
	_, err := readAt(f.r, b, int64(at))
	return b, err
}

// block reads n bytes that begin with a signature and the version 0, and end with their checksum.
// Its errors say which block is not there, has another version, or a wrong checksum (Jenkins'
// lookup3).
func (f *h5file) block(at uint64, n uint64, signature string) ([]byte, error) {
	if n > uint64(f.size) {
		return nil, fmt.Errorf("a block %s of %d bytes is larger than the file", signature, n)
	}
	b, err := f.bytes(at, int(n))
	if err != nil {
		return nil, err
	}
	if len(b) < 9 || string(b[:4]) != signature {
		return nil, fmt.Errorf("no block %s at %d", signature, at)
	}
	if b[4] != 0 {
		return nil, fmt.Errorf("version %d of blocks %s is not known", b[4], signature)
	}
	return b, f.sum("block "+signature, b)
}

// sum compares the last 4 bytes of a block with the checksum of the others.
func (f *h5file) sum(what string, b []byte) error {
	n := len(b) - 4
	if n < 0 || !f.unsummed && le32(b[n:]) != lookup3(b[:n]) {
		return fmt.Errorf("%s: the checksum is wrong", what)
	}
	return nil
}

// A message is a part of an object's header.
type message struct {
	kind   uint16
	shared bool // data say where the message is
	data   []byte
}

// Kinds of messages.
const (
	msgSpace        = 0x01
	msgLinks        = 0x02
	msgType         = 0x03
	msgOldFill      = 0x04
	msgFill         = 0x05
	msgLink         = 0x06
	msgExternal     = 0x07
	msgLayout       = 0x08
	msgGroup        = 0x0a
	msgFilters      = 0x0b
	msgContinuation = 0x10
	msgTable        = 0x11
)

// h5Messages are the kinds of messages that are known, and why those are refused that cannot be left out. Others are left
// out unless they say that they must be understood.
var h5Messages = map[uint16]string{
	0x00: "", msgSpace: "", msgLinks: "", msgType: "", msgOldFill: "", msgFill: "", msgLink: "", msgLayout: "", msgGroup: "", msgFilters: "",
	msgExternal: "the elements are in other files (external storage): h5repack puts them into this one",
	0x09:        "",           // of the library's tests
	0x0c:        "", 0x15: "", // attributes
	0x0d: "", 0x0e: "", 0x12: "", // a comment, times
	0x0f: "", 0x13: "", 0x16: "", 0x17: "", // sizes of tables and trees, references, free space
	msgContinuation: "", msgTable: "",
	0x14: "a file of one of HDF5's other drivers, whose parts are other files: h5repack makes one file of them",
	0x18: "a file with an image of its metadata cache: h5repack makes one without",
}

// messages reads the header of an object. Headers of version 1 have no signature; those of
// version 2 begin with OHDR.
func (f *h5file) messages(at uint64) ([]message, error) {
	head, err := f.bytes(at, 16)
	if err != nil {
		return nil, err
	}
	h := h5header{file: f}
	if bytes.HasPrefix(head, []byte("OHDR")) {
		return h.second(at, head)
	}
	if head[0] != 1 {
		return nil, fmt.Errorf("version %d of object headers is not known", head[0])
	}
	return h.first(at, head)
}

// An h5header is the header of an object that is read: blocks of messages. blocks grows while it
// is read, by continuations.
type h5header struct {
	file   *h5file
	total  uint64
	blocks []h5block
	out    []message
}

type h5block struct{ at, size uint64 }

// read reads a block.
func (h *h5header) read(b h5block) ([]byte, error) {
	if h.total += b.size; b.size > maxHDF5Header || h.total > maxHDF5Header {
		return nil, fmt.Errorf("an object header of more than %d bytes", maxHDF5Header)
	}
	if h.file.headers += b.size; h.file.headers > maxHDF5Headers {
		return nil, fmt.Errorf("object headers of more than %d bytes", maxHDF5Headers)
	}
	return h.file.bytes(b.at, int(b.size))
}

// add adds a message, or a block where the header goes on.
func (h *h5header) add(kind uint16, flags byte, data []byte) error {
	why, known := h5Messages[kind]
	if why != "" {
		return errors.New(why)
	}
	if !known && flags&0x80 != 0 {
		return fmt.Errorf("a message of the unknown kind %#x, which has to be understood", kind)
	}
	if kind == msgContinuation {
		if len(data) < 16 {
			return errors.New("a continuation is cut off")
		}
		h.blocks = append(h.blocks, h5block{le64(data), le64(data[8:])})
		return nil
	}
	h.out = append(h.out, message{kind, flags&2 != 0, data})
	return nil
}

// first reads a header of version 1. The number of messages is in the header, and counts those in
// all blocks.
func (h *h5header) first(at uint64, head []byte) ([]message, error) {
	h.blocks = []h5block{{at + 16, uint64(le32(head[8:]))}}
	left := int(le16(head[2:]))
	for i := 0; i < len(h.blocks) && left > 0; i++ {
		b, err := h.read(h.blocks[i])
		if err != nil {
			return nil, err
		}
		for ; left > 0 && len(b) >= 8; left-- {
			n := int(le16(b[2:]))
			if n > len(b)-8 {
				return nil, errors.New("a header message is longer than its block")
			}
			if err := h.add(le16(b), b[4], b[8:8+n]); err != nil {
				return nil, err
			}
			b = b[8+n:]
		}
	}
	return h.out, nil
}

// second reads a header of version 2. Each block has a checksum; a gap of less than a message's
// head may be left at its end.
func (h *h5header) second(at uint64, head []byte) ([]message, error) {
	if head[4] != 2 {
		return nil, fmt.Errorf("version %d of object headers is not known", head[4])
	}
	flags := head[5]
	n := 6
	if flags&0x20 != 0 { // times
		n += 16
	}
	if flags&0x10 != 0 { // how attributes are stored
		n += 4
	}
	width := 1 << (flags & 3)
	size, err := h.file.bytes(at+uint64(n), width)
	if err != nil {
		return nil, err
	}
	start := n + width
	if leN(size) > maxHDF5Header {
		return nil, fmt.Errorf("an object header of more than %d bytes", maxHDF5Header)
	}
	h.blocks = []h5block{{at, uint64(start) + leN(size) + 4}}
	for i := 0; i < len(h.blocks); i++ {
		b, err := h.read(h.blocks[i])
		if err != nil {
			return nil, err
		}
		if err := h.file.sum("object header", b); err != nil {
			return nil, err
		}
		if i > 0 {
			if start = 4; !bytes.HasPrefix(b, []byte("OCHK")) {
				return nil, errors.New("an object header goes on where there is none")
			}
		}
		if len(b) < start+4 {
			return nil, errors.New("an object header is cut off")
		}
		b = b[start : len(b)-4]
		own := 4
		if flags&4 != 0 { // the order of creation
			own = 6
		}
		for len(b) >= own { // what is less is a gap
			n := int(le16(b[1:]))
			if n > len(b)-own {
				return nil, errors.New("a header message is longer than its block")
			}
			if err := h.add(uint16(b[0]), b[3], b[own:own+n]); err != nil {
				return nil, err
			}
			b = b[own+n:]
		}
	}
	return h.out, nil
}

// data are those of a message, which may lie in the header of another object: a type with a name.
// Types that datasets share are objects of their own (committed types). The error says that a
// shared message is cut off, of an unknown version, or not there.
func (f *h5file) data(m message) ([]byte, error) {
	if !m.shared {
		return m.data, nil
	}
	if len(m.data) < 10 {
		return nil, errors.New("a shared message is cut off")
	}
	at := m.data[2:]
	switch version, where := m.data[0], m.data[1]; {
	case version == 1:
		at = m.data[min(8, len(m.data)):]
	case version == 3 && where == 1:
		return nil, errors.New("messages that objects share in a table are not read: h5repack writes them into each object")
	case version != 2 && version != 3:
		return nil, fmt.Errorf("version %d of shared messages is not known", version)
	}
	if len(at) < 8 {
		return nil, errors.New("a shared message is cut off")
	}
	list, err := f.messages(le64(at))
	if err != nil {
		return nil, err
	}
	for _, x := range list {
		if x.kind == m.kind && !x.shared {
			return x.data, nil
		}
	}
	return nil, errors.New("a shared message is not where it is said to be")
}

// object reads a group or a dataset. Errors have the object's name. An object with links is a
// group; one with a type and a space is a dataset.
func (f *h5file) object(name string, at uint64, depth int) error {
	if f.objects++; f.objects > maxHDF5Objects {
		return fmt.Errorf("more than %d objects", maxHDF5Objects)
	}
	if depth > maxHDF5Depth {
		return fmt.Errorf("groups within groups, more than %d deep: one may be inside itself", maxHDF5Depth)
	}
	list, err := f.messages(at)
	if err != nil {
		return named(name, err)
	}
	for _, m := range list {
		switch m.kind {
		case msgTable:
			if len(m.data) < 16 {
				return named(name, errors.New("a symbol table is cut off"))
			}
			return f.table(name, le64(m.data), le64(m.data[8:]), depth)
		case msgLinks, msgLink, msgGroup:
			return f.links(name, list, depth)
		}
	}
	t, err := f.dataset(name, list)
	if err != nil {
		return named(name, err)
	}
	if t != nil {
		f.out = append(f.out, t)
	}
	return nil
}

func named(name string, err error) error {
	if name == "" {
		return err
	}
	return fmt.Errorf("%q: %w", name, err)
}
