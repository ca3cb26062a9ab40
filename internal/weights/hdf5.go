package weights

// This file reads HDF5 files as h5py writes them by default, and so Chainer's save_hdf5 and Keras: superblocks of version
// 0 and 1, groups as symbol tables, object headers of version 1. The format is described in "HDF5 File Format
// Specification Version 3.0" of The HDF Group; hdf5data.go reads the datasets.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Limits of what a file may make us do.
const (
	maxHDF5Objects = 1 << 17
	maxHDF5Depth   = 64
	maxHDF5Header  = 1 << 20   // of the messages of one object
	maxHDF5Headers = 256 << 20 // of those of all
	maxHDF5Name    = 1 << 12
	maxHDF5Nodes   = 1 << 20 // of all groups' trees
	noAddress      = ^uint64(0)
)

// An h5file is an open file.
type h5file struct {
	r       io.ReaderAt
	size    int64
	objects int
	nodes   int // of trees, so far
	most    int // of them
	headers uint64
	out     []*Tensor
}

func readHDF5(r io.ReaderAt, size int64) ([]*Tensor, error) {
	f := &h5file{r: r, size: size, most: maxHDF5Nodes}
	head, err := f.bytes(0, 96)
	if err != nil {
		return nil, err
	}
	if v := head[8]; v > 1 {
		return nil, fmt.Errorf("a superblock of version %d, as of libver='latest': save the file with h5py's default", v)
	}
	if head[13] != 8 || head[14] != 8 {
		return nil, errors.New("addresses of other than 8 bytes are not read")
	}
	at := 24
	if head[8] == 1 {
		at = 28
	}
	if le64(head[at:]) != 0 {
		return nil, errors.New("a base address other than 0 is not read")
	}
	root := le64(head[at+40:])
	if err := f.object("", root, 0); err != nil {
		return nil, err
	}
	return f.out, nil
}

func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
func le16(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }

// bytes reads n bytes at an address.
func (f *h5file) bytes(at uint64, n int) ([]byte, error) {
	if at > uint64(f.size) || uint64(n) > uint64(f.size)-at {
		return nil, fmt.Errorf("%d bytes at %d are beyond the end of the file", n, at)
	}
	b := make([]byte, n)
	_, err := readAt(f.r, b, int64(at))
	return b, err
}

// A message is a part of an object's header.
type message struct {
	kind uint16
	data []byte
}

// messages reads the header of an object, of version 1.
func (f *h5file) messages(at uint64) ([]message, error) {
	head, err := f.bytes(at, 16)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte("OHDR")) {
		return nil, errors.New("an object header of version 2, as of libver='latest': save the file with h5py's default")
	}
	if head[0] != 1 {
		return nil, fmt.Errorf("version %d of object headers is not known", head[0])
	}
	type block struct{ at, size uint64 }
	blocks := []block{{at + 16, uint64(le32(head[8:]))}}
	left := int(le16(head[2:]))
	total := uint64(0)
	var out []message
	for i := 0; i < len(blocks) && left > 0; i++ {
		if total += blocks[i].size; blocks[i].size > maxHDF5Header || total > maxHDF5Header {
			return nil, fmt.Errorf("an object header of more than %d bytes", maxHDF5Header)
		}
		if f.headers += blocks[i].size; f.headers > maxHDF5Headers {
			return nil, fmt.Errorf("object headers of more than %d bytes", maxHDF5Headers)
		}
		b, err := f.bytes(blocks[i].at, int(blocks[i].size))
		if err != nil {
			return nil, err
		}
		for ; left > 0 && len(b) >= 8; left-- {
			n := int(le16(b[2:]))
			if n > len(b)-8 {
				return nil, errors.New("a header message is longer than its block")
			}
			m := message{le16(b), b[8 : 8+n]}
			if b[4]&2 != 0 {
				return nil, errors.New("shared header messages are not read")
			}
			b = b[8+n:]
			if m.kind == 0x10 { // the header goes on elsewhere
				if len(m.data) < 16 {
					return nil, errors.New("a continuation is cut off")
				}
				blocks = append(blocks, block{le64(m.data), le64(m.data[8:])})
			}
			out = append(out, m)
		}
	}
	return out, nil
}

// object reads a group or a dataset.
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
		case 0x11:
			if len(m.data) < 16 {
				return named(name, errors.New("a symbol table is cut off"))
			}
			return f.group(name, le64(m.data), le64(m.data[8:]), depth)
		case 0x02, 0x06, 0x0a:
			return named(name, errors.New("groups of the new kind, as of libver='latest', are not read: save the file with h5py's default"))
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

// group reads the members of a group: a tree whose leaves are lists of names and addresses.
func (f *h5file) group(name string, tree, heap uint64, depth int) error {
	h, err := f.bytes(heap, 32)
	if err != nil {
		return named(name, err)
	}
	if string(h[:4]) != "HEAP" {
		return named(name, errors.New("a group has no names"))
	}
	length, names := le64(h[8:]), le64(h[24:])
	return f.tree(tree, 0, 8, func(_ []byte, child uint64) error {
		head, err := f.bytes(child, 8)
		if err != nil {
			return err
		}
		if string(head[:4]) != "SNOD" {
			return errors.New("a group's tree has no list of members")
		}
		n := int(le16(head[6:]))
		entries, err := f.bytes(child+8, 40*n)
		if err != nil {
			return err
		}
		for i := range n {
			e := entries[40*i:]
			link, err := f.name(names, length, le64(e))
			if err != nil {
				return named(name, err)
			}
			if le32(e[16:]) == 2 {
				return named(name, fmt.Errorf("the link %q is not followed", link))
			}
			path := link
			if name != "" {
				path = name + "/" + link
			}
			if err := f.object(path, le64(e[8:]), depth+1); err != nil {
				return err
			}
		}
		return nil
	})
}

// name reads a text of a heap of length bytes.
func (f *h5file) name(heap, length, at uint64) (string, error) {
	if at >= length {
		return "", errors.New("a name is outside of its heap")
	}
	b, err := f.bytes(heap+at, int(min(length-at, maxHDF5Name)))
	if err != nil {
		return "", err
	}
	n := bytes.IndexByte(b, 0)
	if n <= 0 {
		return "", errors.New("a name is empty or too long")
	}
	return string(b[:n]), nil
}

// tree calls leaf for the children of a tree of version 1, with their keys of size bytes, in order.
func (f *h5file) tree(at uint64, kind byte, size int, leaf func(key []byte, child uint64) error) error {
	return f.node(at, kind, size, -1, leaf)
}

// node is tree for a node of a level; -1 is any.
func (f *h5file) node(at uint64, kind byte, size, level int, leaf func(key []byte, child uint64) error) error {
	if at == noAddress {
		return nil
	}
	head, err := f.bytes(at, 24)
	if err != nil {
		return err
	}
	if string(head[:4]) != "TREE" || head[4] != kind || level >= 0 && int(head[5]) != level {
		return errors.New("a tree is broken")
	}
	n := int(le16(head[6:]))
	if f.nodes += n + 1; f.nodes > f.most {
		return fmt.Errorf("a tree of more than %d nodes", f.most)
	}
	b, err := f.bytes(at+24, n*(size+8))
	if err != nil {
		return err
	}
	for i := range n {
		key, child := b[i*(size+8):i*(size+8)+size], le64(b[i*(size+8)+size:])
		if head[5] > 0 {
			err = f.node(child, kind, size, int(head[5])-1, leaf)
		} else {
			err = leaf(key, child)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
