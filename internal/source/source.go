// Package source holds the text of source files and the positions inside them.
//
// A Pos is a byte offset into a FileSet: files are laid one after the other, so
// that one 32-bit integer names a byte of one file. Open source.go for the
// FileSet, notebook.go for programs made of notebooks, and mapper.go for conversions between bytes, characters and UTF-16.
package source

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
)

// A Pos is a byte position in a FileSet. The zero Pos belongs to no file.
type Pos int32

// NoPos is the zero Pos: no position is known.
const NoPos Pos = 0

// IsValid reports whether p belongs to a file.
func (p Pos) IsValid() bool { return p != NoPos }

// A Span is the half-open byte range [Start, End) in one file.
type Span struct {
	Start, End Pos
}

// IsValid reports whether s belongs to a file.
func (s Span) IsValid() bool { return s.Start != NoPos }

// Contains reports whether t lies in s.
func (s Span) Contains(t Span) bool {
	return s.IsValid() && t.IsValid() && s.Start <= t.Start && t.End <= s.End
}

// To returns the smallest span that covers s and t.
func (s Span) To(t Span) Span {
	if !s.IsValid() {
		return t
	}
	if !t.IsValid() {
		return s
	}
	return Span{min(s.Start, t.Start), max(s.End, t.End)}
}

// A File is the text of one source file. It is immutable.
type File struct {
	// Name is what the file is called in its module's terms, torch/nn/init.py: relative
	// to a root where possible, else as Shown.
	Name string
	// Path is where the file was opened, when that is not Name.
	Path string
	// Shown is what findings call the file, when that is not Path or Name: relative to
	// the project's folder where it lies in it, so that it is the same on all machines.
	Shown string
	// Prelude marks files that ship inside the binary. Diagnostics never point
	// into them; they point at the user's call instead.
	Prelude bool
	// Hidden says that nothing of the text is printed: the file has no name of Python code, and may be another's.
	Hidden bool
	// Notebook says where the lines come from when the text is the code of a notebook; else nil.
	Notebook *Notebook

	base  Pos
	text  string
	lines []int32 // offset of the first byte of each line
}

// NewFile returns a File that belongs to no FileSet yet. Lines end at "\n",
// "\r\n" or a lone "\r", as in Python.
func NewFile(name, text string) *File {
	lines := make([]int32, 1, 2+strings.Count(text, "\n"))
	cr := strings.IndexByte(text, '\r') >= 0
	for i := 0; i < len(text); {
		n := 1 + strings.IndexByte(text[i:], '\n')
		if cr {
			n = 1 + strings.IndexAny(text[i:], "\r\n")
		}
		if n == 0 {
			break
		}
		if i += n; text[i-1] == '\r' && i < len(text) && text[i] == '\n' {
			i++
		}
		lines = append(lines, int32(i))
	}
	return &File{Name: name, text: text, lines: lines}
}

// Place returns where the file can be opened.
func (f *File) Place() string {
	if f.Path != "" {
		return f.Path
	}
	return f.Name
}

// Label returns what findings call the file.
func (f *File) Label() string {
	if f.Shown != "" {
		return f.Shown
	}
	return f.Place()
}

// Base returns the Pos of the file's first byte.
func (f *File) Base() Pos { return f.base }

// Text returns the whole text.
func (f *File) Text() string { return f.text }

// Size returns the length of the text in bytes.
func (f *File) Size() int { return len(f.text) }

// LineCount returns the number of lines; an empty file has one.
func (f *File) LineCount() int { return len(f.lines) }

// Pos returns the position of the byte at offset.
func (f *File) Pos(offset int) Pos { return f.base + Pos(offset) }

// Offset returns the byte offset of p in f, clamped to the file.
func (f *File) Offset(p Pos) int { return min(max(int(p-f.base), 0), len(f.text)) }

// Contains reports whether p lies in f. The position just past the end counts.
func (f *File) Contains(p Pos) bool { return p >= f.base && p <= f.base+Pos(len(f.text)) }

// Slice returns the text of s.
func (f *File) Slice(s Span) string { return f.text[f.Offset(s.Start):f.Offset(s.End)] }

// LineCol returns the line (from 1) and the byte column (from 0) of p.
func (f *File) LineCol(p Pos) (line, col int) {
	off := int32(f.Offset(p))
	i := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > off }) - 1
	return i + 1, int(off - f.lines[i])
}

// Line returns the text of a line (from 1) without its line end.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	start := int(f.lines[n-1])
	end := len(f.text)
	if n < len(f.lines) {
		end = int(f.lines[n])
	}
	for end > start && (f.text[end-1] == '\n' || f.text[end-1] == '\r') {
		end--
	}
	return f.text[start:end]
}

// LineStart returns the position of the first byte of a line (from 1).
func (f *File) LineStart(n int) Pos {
	n = min(max(n, 1), len(f.lines))
	return f.base + Pos(f.lines[n-1])
}

// MaxFileSize is the largest source text that a FileSet accepts, in bytes. A tree takes
// up to two hundred times the bytes of its text; the largest files that people
// import, tables of data, have a few megabytes.
const MaxFileSize = 8 << 20

// maxTotalSize bounds the sum of all files, so that every Pos fits 32 bits.
const maxTotalSize = 1<<31 - 1

// A FileSet is a set of files with disjoint positions. It is safe for
// concurrent use.
type FileSet struct {
	mu    sync.RWMutex
	files []*File
	next  Pos
}

// NewFileSet returns an empty FileSet.
func NewFileSet() *FileSet { return &FileSet{next: 1} }

// Add gives f its positions. It fails when f, or all files together, are too large.
func (fs *FileSet) Add(f *File) error {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if len(f.text) > MaxFileSize {
		return fmt.Errorf("%s: file is too large (%d bytes, the limit is %d)", f.Name, len(f.text), MaxFileSize)
	}
	if int64(fs.next)+int64(len(f.text))+1 > maxTotalSize {
		return fmt.Errorf("%s: too much source text in one run", f.Name)
	}
	f.base = fs.next
	fs.next += Pos(len(f.text)) + 1
	fs.files = append(fs.files, f)
	return nil
}

// Files are the files, in the order in which they were added.
func (fs *FileSet) Files() []*File {
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	return slices.Clone(fs.files)
}

// Size is the sum of the sizes of all files.
func (fs *FileSet) Size() int {
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	return int(fs.next) - 1
}

// File returns the file that contains p, or nil.
func (fs *FileSet) File(p Pos) *File {
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	i := sort.Search(len(fs.files), func(i int) bool { return fs.files[i].base > p }) - 1
	if i < 0 || !fs.files[i].Contains(p) {
		return nil
	}
	return fs.files[i]
}

// Position is a Pos in the reader's terms.
type Position struct {
	File *File
	Line int // from 1
	Col  int // bytes, from 0
}

// Position resolves p; File is nil when p belongs to none.
func (fs *FileSet) Position(p Pos) Position {
	f := fs.File(p)
	if f == nil {
		return Position{}
	}
	line, col := f.LineCol(p)
	return Position{f, line, col}
}

// Place gives "name:line", in the code of a notebook "name:cell n:line".
func (p Position) Place() string {
	if c, ok := p.File.Cell(p.Line); ok {
		return fmt.Sprintf("%s:cell %d:%d", p.File.Name, c.Cell, c.Line)
	}
	return fmt.Sprintf("%s:%d", p.File.Name, p.Line)
}

// String gives "name:line:column", the column in bytes from 1.
func (p Position) String() string {
	if p.File == nil {
		return "-"
	}
	return fmt.Sprintf("%s:%d", p.Place(), p.Col+1)
}
