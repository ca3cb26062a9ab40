package weights

// This file reads the zip archives that torch.save writes since PyTorch 1.6.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"shapecheck/onnx"
)

// maxTorchVersion is the newest version of archives that PyTorch 2.15 reads.
const maxTorchVersion = 10

// A torchArchive is an archive whose entries start with prefix.
type torchArchive struct {
	*archive
	prefix string
	big    bool // elements are big endian
	seen   map[string]*storage
}

// readPickle gives what was saved in an archive whose entries start with prefix.
func readPickle(a *archive, prefix string) (any, error) {
	if a.byName[prefix+"constants.pkl"] != nil {
		return nil, errors.New("a TorchScript archive (torch.jit.save), which holds a program: save model.state_dict() with torch.save")
	}
	t := &torchArchive{archive: a, prefix: prefix, seen: map[string]*storage{}}
	version, err := t.word("version", "3")
	if err != nil {
		return nil, err
	}
	if n, err := strconv.Atoi(version); err != nil || n < 1 || n > maxTorchVersion {
		return nil, fmt.Errorf("version %q of PyTorch's archives is not known", version)
	}
	order, err := t.word("byteorder", "little")
	if err != nil {
		return nil, err
	}
	if t.big = order == "big"; !t.big && order != "little" {
		return nil, fmt.Errorf("the byte order %q is not known", order)
	}
	data, err := a.readEntry(a.byName[prefix+"data.pkl"], maxPickle)
	if err != nil {
		return nil, err
	}
	u := &unpickler{data: data, globals: torchGlobals(), persistent: t.storage}
	return u.run()
}

// word is the text of a small entry; absent where there is none.
func (t *torchArchive) word(name, absent string) (string, error) {
	e := t.byName[t.prefix+name]
	if e == nil {
		return absent, nil
	}
	b, err := t.readEntry(e, 16)
	return strings.TrimSpace(string(b)), err
}

// storage finds the entry of a storage.
func (t *torchArchive) storage(id any) (any, error) {
	x, err := parseStorageID(id, 5)
	if err != nil {
		return nil, err
	}
	if s := t.seen[x.key]; s != nil {
		if s.dtype != x.dtype {
			return nil, fmt.Errorf("the storage %q has two types", x.key)
		}
		return s, nil
	}
	e := t.byName[t.prefix+"data/"+x.key]
	if e == nil {
		return nil, fmt.Errorf("the storage %q is not in the archive", x.key)
	}
	off, size, err := t.stored(e)
	if err != nil {
		return nil, err
	}
	if x.size != size {
		return nil, fmt.Errorf("the storage %q has %d bytes where the pickle says %d", x.key, size, x.size)
	}
	if t.big && x.dtype == onnx.Undefined {
		return nil, errors.New("a big-endian file with elements whose storage has no type: save it again on a little-endian machine")
	}
	s := &storage{dtype: x.dtype, off: off, size: size, big: t.big}
	t.seen[x.key] = s
	return s, nil
}
