package weights

// This file finds the chunks of HDF5 datasets: by a tree, by an array of addresses, or by their sizes alone.
//
// An HDF5 dataset may be cut into chunks of one size, each stored anywhere in the file,
// compressed by itself. Which index finds them is chosen by the library from what may grow (HDF5
// File Format Specification, section III and the layouts of version 4). All indices map the
// position of a chunk, counted in chunks along each axis, to its address and size. A chunk
// without an address was never written and has the fill value.
//
// Every number comes from a file that anybody may have made, so each size is compared with the
// file's before memory is taken for it, and each block must say that it belongs to this index.

import (
	"errors"
	"fmt"
	"math/bits"
)

// Indexes of chunks.
const (
	indexTree       = 0 // of layouts of version 3
	indexSingle     = 1
	indexImplicit   = 2
	indexFixed      = 3
	indexExtensible = 4
	indexTree2      = 5
)

// h5Indexes are the indexes that layouts have from version 4 on: the bytes of their parameters, which the index itself has as well.
var h5Indexes = map[byte]int{indexSingle: 0, indexImplicit: 0, indexFixed: 1, indexExtensible: 5, indexTree2: 6}

// indexed reads the index of a layout from version 4 on. It reads the kind of the index, its
// parameters (which are checked when the index is opened, as it repeats them), and its address.
// The single chunk of a filtered dataset has its size and filter mask here. Errors: an unknown
// kind, or a layout that is too short.
func (d *h5dataset) indexed(flags byte, b []byte) error {
	cut := errors.New("the layout is cut off")
	if len(b) < 1 {
		return cut
	}
	n, known := h5Indexes[b[0]]
	if !known {
		return fmt.Errorf("the index %d of chunks is not known", b[0])
	}
	c := &d.chunks
	c.index, b = b[0], b[1:]
	c.one = h5chunk{size: uint64(c.size)}
	if c.index == indexSingle && flags&2 != 0 {
		if n = 12; len(b) < n {
			return cut
		}
		c.one = h5chunk{size: le64(b), unfilter: le32(b[8:])}
	}
	if len(b) < n+8 {
		return cut
	}
	c.at = le64(b[n:])
	c.one.at = c.at
	return nil
}

// A finder gives the chunk at an index along each axis; false: it was never written. Its error
// says that the index is broken or the chunk outside of it.
type finder func(scaled []int64) (h5chunk, bool, error)

// openIndex makes the finder of an array. Implicit chunks follow each other without an index, so
// they cannot be filtered, which changes their sizes. Errors are those of reading the index's
// header.
func (d *h5dataset) openIndex() (finder, error) {
	if d.chunks.at == noAddress {
		return func([]int64) (h5chunk, bool, error) { return h5chunk{}, false, nil }, nil
	}
	switch d.chunks.index {
	case indexTree, indexTree2:
		return d.openTree()
	case indexSingle:
		for _, n := range d.counts() {
			if n != 1 {
				return nil, errors.New("more than the one chunk of the index")
			}
		}
		return func([]int64) (h5chunk, bool, error) { return d.chunks.one, true, nil }, nil
	case indexImplicit:
		if len(d.filters) > 0 {
			return nil, errors.New("filters of chunks that follow each other")
		}
		number := d.numbering(-1)
		return func(scaled []int64) (h5chunk, bool, error) {
			c := d.chunks.one
			n, ok := number(scaled)
			if !ok || n > uint64(d.file.size)/c.size {
				return c, false, errors.New("a chunk is beyond the end of the file")
			}
			c.at += n * c.size
			return c, true, nil
		}, nil
	case indexFixed:
		return d.openFixed()
	}
	return d.openExtensible()
}

// numbering numbers chunks in row-major order of what the sizes may become; the axis first, if it is not -1, counts as the
// first. The number of an index is row-major over the chunks of the greatest sizes that the
// dataset may have, not of its present ones, so that numbers stay when it grows. It reports false
// when the number overflows 64 bits.
func (d *h5dataset) numbering(first int) func(scaled []int64) (uint64, bool) {
	var axes []int
	if first >= 0 {
		axes = append(axes, first)
	}
	for i := range d.dims {
		if i != first {
			axes = append(axes, i)
		}
	}
	steps := make([]uint64, len(axes))
	step := uint64(1)
	for i := len(axes) - 1; i >= 0; i-- {
		steps[i] = step
		n := d.most[axes[i]] // at least 1 where there are elements
		step = product(step, (n-1)/uint64(d.chunks.dims[axes[i]])+1)
	}
	return func(scaled []int64) (uint64, bool) {
		n := uint64(0)
		for i, axis := range axes {
			hi, lo := bits.Mul64(steps[i], uint64(scaled[axis]))
			sum, carry := bits.Add64(n, lo, 0)
			if hi != 0 || carry != 0 {
				return 0, false
			}
			n = sum
		}
		return n, true
	}
}

// openTree reads a tree of chunks. All chunks of the tree are listed at once in a map, by their
// row-major number among the present ones; a tree is read in one go since its order is of no use
// for other orders of reading. Chunks outside of the array, or there twice, are errors. The
// number of nodes is bounded by the number of chunks, so that a tree with cycles ends.
func (d *h5dataset) openTree() (finder, error) {
	rank := len(d.dims)
	counts := d.counts()
	total := uint64(1)
	for _, n := range counts {
		total = product(total, uint64(n))
	}
	// A tree has a few nodes for each chunk, and each takes some bytes of the file, however often the file says.
	file := &h5file{r: d.file.r, size: d.file.size, unsummed: d.file.unsummed}
	file.most = int64(min(product(4, total), uint64(d.file.size)/8)) + 1024
	found := map[uint64]h5chunk{}
	add := func(c h5chunk, at func(i int) (uint64, bool)) error {
		n := uint64(0)
		for i, count := range counts {
			k, ok := at(i)
			if !ok || k >= uint64(count) {
				return errors.New("a chunk is outside of the array")
			}
			n = n*uint64(count) + k
		}
		if _, twice := found[n]; twice {
			return errors.New("a chunk is there twice")
		}
		found[n] = c
		return nil
	}
	var err error
	if d.chunks.index == indexTree {
		err = file.tree(d.chunks.at, 1, 8+8*(rank+1), func(key []byte, child uint64) error {
			return add(h5chunk{at: child, size: uint64(le32(key)), unfilter: le32(key[4:])}, func(i int) (uint64, bool) {
				n, chunk := le64(key[8+8*i:]), uint64(d.chunks.dims[i])
				return n / chunk, n%chunk == 0
			})
		})
	} else {
		kind := byte(treeChunks)
		if len(d.filters) > 0 {
			kind = treeFiltered
		}
		err = file.tree2(d.chunks.at, kind, func(record []byte) error {
			if len(record) < 8+8*rank {
				return errors.New("a record of a tree of chunks is cut off")
			}
			entry, scaled := record[:len(record)-8*rank], record[len(record)-8*rank:]
			c, ok, err := d.entry(entry)
			if err != nil || !ok {
				return err
			}
			return add(c, func(i int) (uint64, bool) { return le64(scaled[8*i:]), true })
		})
	}
	if err != nil {
		return nil, err
	}
	return func(scaled []int64) (h5chunk, bool, error) {
		n := uint64(0)
		for i, count := range counts {
			n = n*uint64(count) + uint64(scaled[i])
		}
		c, ok := found[n]
		return c, ok, nil
	}, nil
}

// entry reads an address of a chunk, with its size and the filters that were left out where there
// are filters. Filtered entries are 8 bytes of address, 1 to 8 bytes of size, and a mask of 4
// bytes.
func (d *h5dataset) entry(b []byte) (c h5chunk, ok bool, err error) {
	c = h5chunk{size: uint64(d.chunks.size)}
	if len(d.filters) > 0 {
		n := len(b) - 12 // of the size
		if n < 1 || n > 8 {
			return c, false, errors.New("the entries of an index of chunks do not fit")
		}
		c.size, c.unfilter = leN(b[8:8+n]), le32(b[8+n:])
	} else if len(b) != 8 {
		return c, false, errors.New("the entries of an index of chunks do not fit")
	}
	c.at = le64(b)
	return c, c.at != noAddress, nil
}

// client is the byte that says whether an array's entries are of filtered chunks.
func (d *h5dataset) client() byte {
	if len(d.filters) > 0 {
		return 1
	}
	return 0
}

// An h5array reads the entries of an array of addresses. header is the address of the index's
// header, which each block repeats. kept is a cache of blocks by address.
type h5array struct {
	d      *h5dataset
	header uint64
	elem   uint64            // the size of an entry
	page   uint64            // entries of a page
	kept   map[uint64][]byte // blocks that were read last
	bytes  int               // of them
}

// maxKept is how many bytes of blocks are kept.
const maxKept = 16 << 20

// block reads a block of the array that says whose it is. signature is four letters; the error
// says that the block is another one's, or is that of reading it.
func (a *h5array) block(at, n uint64, signature string) ([]byte, error) {
	if b := a.kept[at]; b != nil && uint64(len(b)) == n {
		return b, nil
	}
	b, err := a.d.file.block(at, n, signature)
	if err != nil {
		return nil, err
	}
	if len(b) < 18 || b[5] != a.d.client() || le64(b[6:]) != a.header {
		return nil, fmt.Errorf("a block %s is of another array", signature)
	}
	a.remember(at, b)
	return b, nil
}

// remember keeps a block that was read, up to maxKept bytes of all: neighbouring chunks are in the same block.
func (a *h5array) remember(at uint64, b []byte) {
	if a.bytes += len(b); a.bytes > maxKept {
		clear(a.kept)
		a.bytes = len(b)
	}
	a.kept[at] = b
}

// pageEntry reads entry i of a page of length entries. A page has a checksum behind its entries.
// A page of the last row may be shorter, hence length.
func (a *h5array) pageEntry(at, length, i uint64) (h5chunk, bool, error) {
	n := length*a.elem + 4
	b := a.kept[at]
	if uint64(len(b)) != n {
		if n > uint64(a.d.file.size) {
			return h5chunk{}, false, errors.New("a page of an index is larger than the file")
		}
		var err error
		if b, err = a.d.file.bytes(at, int(n)); err != nil {
			return h5chunk{}, false, err
		}
		if err := a.d.file.sum("page of an index", b); err != nil {
			return h5chunk{}, false, err
		}
		a.remember(at, b)
	}
	return a.d.entry(b[i*a.elem : (i+1)*a.elem])
}

// set reports whether bit i is set, the highest bit of a byte first.
func set(b []byte, i uint64) bool { return b[i/8]&(0x80>>(i%8)) != 0 }

// openFixed opens an array of as many addresses as there can be chunks. The header ("FAHD") has
// the size of an entry, the bits of a page's length, the number of entries and the address of the
// data block ("FADB"). Up to one page of entries are in the data block itself; more are in pages
// behind it, of which a bitmap says which were written.
func (d *h5dataset) openFixed() (finder, error) {
	b, err := d.file.block(d.chunks.at, 28, "FAHD")
	if err != nil {
		return nil, err
	}
	if b[5] != d.client() || b[7] > 62 {
		return nil, errors.New("an index of chunks is broken")
	}
	a := &h5array{d: d, header: d.chunks.at, elem: uint64(b[6]), page: 1 << b[7], kept: map[uint64][]byte{}}
	count, at := le64(b[8:]), le64(b[16:])
	number := d.numbering(-1)
	if at == noAddress {
		return func([]int64) (h5chunk, bool, error) { return h5chunk{}, false, nil }, nil
	}
	if a.elem == 0 || count > uint64(d.file.size)*8 { // of a paged one only bits must be there
		return nil, errors.New("an index of chunks is broken")
	}
	paged := count > a.page
	size, pages := 18+count*a.elem, uint64(0)
	if paged {
		pages = (count + a.page - 1) / a.page
		size = 18 + (pages+7)/8
	}
	block, err := a.block(at, size, "FADB")
	if err != nil {
		return nil, err
	}
	last := a.page
	if paged {
		last = count - (pages-1)*a.page
	}
	return func(scaled []int64) (h5chunk, bool, error) {
		n, ok := number(scaled)
		if !ok || n >= count {
			return h5chunk{}, false, errors.New("a chunk is outside of its index")
		}
		if !paged {
			return d.entry(block[14+n*a.elem : 14+(n+1)*a.elem])
		}
		page := n / a.page
		if !set(block[14:], page) {
			return h5chunk{}, false, nil
		}
		whole := a.page*a.elem + 4
		length := a.page
		if page == pages-1 {
			length = last
		}
		return a.pageEntry(at+size+page*whole, length, n%a.page)
	}, nil
}

// An h5extensible is an array of addresses that grows along one axis: the first are in the index block, others in data
// blocks of growing sizes, whose addresses are in the index block or in further blocks. Level i
// has 2^⌊i/2⌋ data blocks of data·2^⌈i/2⌉ entries each.
type h5extensible struct {
	h5array
	index, data, pointers uint64 // entries of the index block, of the first data block; data blocks of a further block, at least
	width                 int    // of the offset of a block
	block                 []byte
	levels                []h5level
	near                  int // levels whose data blocks are in the index block
}

// An h5level is a row of data blocks of one size. first and firstBlock count the entries and data
// blocks of all levels before.
type h5level struct{ blocks, entries, first, firstBlock uint64 }

// openExtensible reads the header of an extensible array (version 1, "EAHD" in the HDF5 file format
// specification), the index of chunks of a data set that grows along one axis. Its first elements are in the
// index block itself, the next in data blocks whose size doubles every second level, and those further on
// behind secondary blocks. The error says which of the numbers the format does not allow; all of them are
// checked here, since they bound what is read later.
func (d *h5dataset) openExtensible() (finder, error) {
	b, err := d.file.block(d.chunks.at, 72, "EAHD")
	if err != nil {
		return nil, err
	}
	first := -1
	for i, n := range d.most {
		if n == noAddress {
			if first >= 0 {
				return nil, errors.New("an index along one axis of an array that grows along two")
			}
			first = i
		}
	}
	x := &h5extensible{
		h5array: h5array{d: d, header: d.chunks.at, elem: uint64(b[6]), page: 1 << (b[11] & 63), kept: map[uint64][]byte{}},
		index:   uint64(b[8]), data: uint64(b[9]), pointers: uint64(b[10]), width: (int(b[7]) + 7) / 8,
	}
	pow := func(n uint64) bool { return n != 0 && n&(n-1) == 0 }
	if b[5] != d.client() || x.elem == 0 || b[7] == 0 || b[7] > 63 || b[11] > 62 || !pow(x.data) || !pow(x.pointers) ||
		bits.Len64(x.data) > int(b[7]) {
		return nil, errors.New("an index of chunks is broken")
	}
	at := le64(b[60:])
	if at == noAddress {
		return func([]int64) (h5chunk, bool, error) { return h5chunk{}, false, nil }, nil
	}
	levels := 1 + int(b[7]) - (bits.Len64(x.data) - 1)
	l := h5level{}
	for i := range levels {
		l.blocks, l.entries = 1<<(i/2), x.data<<((i+1)/2)
		x.levels = append(x.levels, l)
		l.first += l.blocks * l.entries
		l.firstBlock += l.blocks
	}
	x.near = 2 * (bits.Len64(x.pointers) - 1)
	blocks := 2 * (x.pointers - 1)
	further := uint64(max(levels-x.near, 0))
	if x.block, err = x.h5array.block(at, 14+x.index*x.elem+8*(blocks+further)+4, "EAIB"); err != nil {
		return nil, err
	}
	number := d.numbering(first)
	return func(scaled []int64) (h5chunk, bool, error) {
		n, ok := number(scaled)
		if !ok {
			return h5chunk{}, false, errors.New("a chunk is outside of its index")
		}
		return x.find(n)
	}, nil
}

// find reads entry n. The level of an entry follows from its number: the levels before level k
// have data·(2^k - 1) entries together.
func (x *h5extensible) find(n uint64) (h5chunk, bool, error) {
	body := x.block[14:]
	if n < x.index {
		return x.d.entry(body[n*x.elem : (n+1)*x.elem])
	}
	body = body[x.index*x.elem:]
	n -= x.index
	level := bits.Len64(n/x.data+1) - 1
	if level >= len(x.levels) {
		return h5chunk{}, false, errors.New("a chunk is outside of its index")
	}
	l := x.levels[level]
	n -= l.first
	block, n := n/l.entries, n%l.entries
	if level < x.near {
		if l.firstBlock+block >= 2*(x.pointers-1) {
			return h5chunk{}, false, errors.New("a chunk is outside of its index")
		}
		return x.entryOf(le64(body[8*(l.firstBlock+block):]), l.entries, n)
	}
	at := le64(body[8*(2*(x.pointers-1)+uint64(level-x.near)):])
	if at == noAddress {
		return h5chunk{}, false, nil
	}
	head := 14 + uint64(x.width)
	pages, bitmap := uint64(0), uint64(0)
	if l.entries > x.page {
		pages = l.entries / x.page
		bitmap = l.blocks * ((pages + 7) / 8)
	}
	if l.blocks > uint64(x.d.file.size) || bitmap > uint64(x.d.file.size) {
		return h5chunk{}, false, errors.New("an index of chunks is broken")
	}
	b, err := x.h5array.block(at, head+bitmap+8*l.blocks+4, "EASB")
	if err != nil {
		return h5chunk{}, false, err
	}
	data := le64(b[head+bitmap+8*block:])
	if pages == 0 {
		return x.entryOf(data, l.entries, n)
	}
	page := n / x.page
	if data == noAddress || !set(b[head:], block*pages+page) {
		return h5chunk{}, false, nil
	}
	return x.pageEntry(data+head+4+page*(x.page*x.elem+4), x.page, n%x.page)
}

// entryOf reads entry n of a data block.
func (x *h5extensible) entryOf(at, entries, n uint64) (h5chunk, bool, error) {
	if at == noAddress {
		return h5chunk{}, false, nil
	}
	head := 14 + uint64(x.width)
	if entries > uint64(x.d.file.size) {
		return h5chunk{}, false, errors.New("an index of chunks is broken")
	}
	b, err := x.h5array.block(at, head+entries*x.elem+4, "EADB")
	if err != nil {
		return h5chunk{}, false, err
	}
	return x.d.entry(b[head+n*x.elem : head+(n+1)*x.elem])
}
