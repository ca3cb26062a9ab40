package lsp

// This file keeps open notebooks. A notebook is one document, whose text is the program that its code
// cells make; the editor speaks of its cells, each with a URI and lines of its own. Positions are
// converted at two borders: inside turns a position in a cell into one of the program, outside
// turns a range of the program into one of a cell. Between them everything works on the program's
// text as for any other document.

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"shapecheck/internal/source"
	"shapecheck/project/notebook"
)

// A book is what a document that is a notebook has besides its text. It does not change. Indices in
// lines are lines of the program from 0.
type book struct {
	cells []cell
	// lines say where the lines of the program come from. It is written as JSON in the form of a
	// notebook, since the check reads notebooks from files.
	lines []source.CellLine
	// file is the notebook's text as it would stand on the disk, without what the program does not need.
	file string
}

// A cell is one of any kind. One that is no Python has no text. The text is Python as the editor
// has it.
type cell struct {
	uri    string
	python bool
	text   string
	head   int // the line of the program before its first
}

// newNotebook is the document of a notebook with these cells. Cells of other languages count, but
// have no text. It returns an error where the notebook cannot be made a program.
func newNotebook(uri, path string, version int, cells []cell) (*document, error) {
	type stored struct {
		Type     string   `json:"cell_type"`
		Metadata struct{} `json:"metadata"`
		Source   string   `json:"source"`
		Outputs  []string `json:"outputs"`
	}
	var file struct {
		Cells    []stored `json:"cells"`
		Metadata struct{} `json:"metadata"`
		Format   int      `json:"nbformat"`
		Minor    int      `json:"nbformat_minor"`
	}
	file.Format, file.Minor, file.Cells = 4, 4, []stored{}
	for _, c := range cells {
		kind := "raw"
		if c.python {
			kind = "code"
		}
		file.Cells = append(file.Cells, stored{Type: kind, Source: c.text, Outputs: []string{}})
	}
	data, err := json.Marshal(file)
	if err != nil {
		return nil, err
	}
	b := &book{cells: slices.Clone(cells), file: string(data)}
	f, err := notebook.File(path, b.file)
	if err != nil {
		return nil, err
	}
	b.lines = f.Notebook.Lines
	// The lowest line of a cell is its head.
	for i := len(b.lines) - 1; i >= 0; i-- {
		b.cells[b.lines[i].Cell-1].head = i
	}
	d := newDocument(uri, path, version, f.Text())
	d.book = b
	return d, nil
}

// stored is the text of a document as a file has it.
func (d *document) stored() string {
	if d.book != nil {
		return d.book.file
	}
	return d.text
}

// inside is a position of a document as a line of its text; false where the URI is no part of it that is Python.
func (d *document) inside(uri string, p position) (position, bool) {
	if d.book == nil {
		return p, true
	}
	for _, c := range d.book.cells {
		if c.uri == uri && c.python {
			return position{c.head + 1 + p.Line, p.Character}, true
		}
	}
	return position{}, false
}

// outside is a range of a document's text as the editor knows it. One that ends in another cell ends where it
// begins. False: it is in no cell. The head line counts as the cell's first line.
func (d *document) outside(r textRange) (uri string, at textRange, ok bool) {
	if d.book == nil {
		return d.uri, r, true
	}
	lines := d.book.lines
	if r.Start.Line < 0 || r.Start.Line >= len(lines) {
		return "", textRange{}, false
	}
	c := &d.book.cells[lines[r.Start.Line].Cell-1]
	start, end := r.Start, r.End
	if end.Line >= len(lines) || lines[end.Line].Cell != lines[r.Start.Line].Cell {
		end = start
	}
	start.Line, end.Line = max(start.Line-c.head-1, 0), max(end.Line-c.head-1, 0)
	return c.uri, textRange{start, end}, true
}

// uris are the URIs under which the editor knows the parts of a document.
func (d *document) uris() []string {
	if d.book == nil {
		return []string{d.uri}
	}
	var out []string
	for _, c := range d.book.cells {
		if c.python {
			out = append(out, c.uri)
		}
	}
	return out
}

// owner is the document that a URI is a part of. The caller has the lock.
func (s *Server) owner(uri string) string {
	if o, ok := s.cells[uri]; ok {
		return o
	}
	return uri
}

// changes are the edits that make the text of a document another one; in a notebook each within a cell. An error
// says why that cannot be. The program is carried back into cells by the notebook package, which
// keeps magics.
func (s *Server) changes(d *document, text string) (map[string][]textEdit, error) {
	if d.book == nil {
		return map[string][]textEdit{d.uri: s.difference(d, text)}, nil
	}
	f, err := notebook.File(d.path, d.book.file)
	if err != nil {
		return nil, err
	}
	file, err := notebook.Rewrite(f, text)
	if err != nil {
		return nil, err
	}
	return s.cellChanges(d, file)
}

// cellChanges are the edits that make a notebook's file another one. An error is a change that
// would add or remove cells.
func (s *Server) cellChanges(d *document, file string) (map[string][]textEdit, error) {
	var now struct {
		Cells []struct {
			Source string `json:"source"`
		} `json:"cells"`
	}
	if err := json.Unmarshal([]byte(file), &now); err != nil {
		return nil, err
	}
	if len(now.Cells) != len(d.book.cells) {
		return nil, fmt.Errorf("%s: the number of cells changed", d.path)
	}
	out := map[string][]textEdit{}
	for i, c := range d.book.cells {
		if after := now.Cells[i].Source; after != c.text {
			out[c.uri] = s.difference(newDocument(c.uri, d.path, 0, c.text), after)
		}
	}
	return out, nil
}

// Messages about notebooks. As the specification has them.
type (
	cellText struct {
		URI      string `json:"uri"`
		Language string `json:"languageId"`
		Text     string `json:"text"`
	}
	cellEntry struct {
		Kind     int    `json:"kind"` // 1: text, 2: code
		Document string `json:"document"`
	}
	notebookID struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	}
	didOpenNotebook struct {
		Notebook struct {
			notebookID
			Cells []cellEntry `json:"cells"`
		} `json:"notebookDocument"`
		Texts []cellText `json:"cellTextDocuments"`
	}
	didChangeNotebook struct {
		Notebook notebookID `json:"notebookDocument"`
		Change   struct {
			Cells *struct {
				Structure *struct {
					Array struct {
						Start       int         `json:"start"`
						DeleteCount int         `json:"deleteCount"`
						Cells       []cellEntry `json:"cells"`
					} `json:"array"`
					DidOpen []cellText `json:"didOpen"`
				} `json:"structure"`
				Data        []cellEntry `json:"data"`
				TextContent []struct {
					Document textDocument    `json:"document"`
					Changes  []contentChange `json:"changes"`
				} `json:"textContent"`
			} `json:"cells"`
		} `json:"change"`
	}
)

// cellsOf are cells with their texts. A cell without a text among texts, or in another language, is
// empty.
func cellsOf(list []cellEntry, texts []cellText) []cell {
	out := make([]cell, len(list))
	for i, e := range list {
		out[i].uri = e.Document
		for _, t := range texts {
			if t.URI == e.Document && e.Kind == 2 && t.Language == "python" {
				out[i].python, out[i].text = true, t.Text
			}
		}
	}
	return out
}

func (s *Server) didOpenNotebook(_ context.Context, p *didOpenNotebook) (any, error) {
	path, err := pathOf(p.Notebook.URI)
	if err != nil {
		s.log.Print(err)
		return nil, nil // an untitled notebook has no place among files
	}
	s.mu.Lock()
	err = s.setNotebook(p.Notebook.notebookID, path, cellsOf(p.Notebook.Cells, p.Texts))
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	// The check is made at once, since nobody is typing.
	s.queue.add(p.Notebook.URI, 0)
	return nil, nil
}

// setNotebook makes cells those of a notebook. What is known of lines that stay, stays. The caller has the lock.
func (s *Server) setNotebook(id notebookID, path string, cells []cell) error {
	d, err := newNotebook(id.URI, path, id.Version, cells)
	if err != nil {
		return err
	}
	if old := s.docs[id.URI]; old != nil {
		d.follow(old)
		for _, uri := range old.uris() {
			delete(s.cells, uri)
		}
	}
	for _, uri := range d.uris() {
		s.cells[uri] = id.URI
	}
	s.docs[id.URI] = d
	return nil
}

// follow has a notebook know what its former state knew of the lines of each cell before and behind
// what changed. Lines are compared by their text, from the beginning and from the end of each cell.
func (d *document) follow(old *document) {
	if old.checked == nil || old.book == nil {
		return
	}
	d.checked = make([]int, len(d.lines))
	for i := range d.checked {
		d.checked[i] = -1
	}
	for _, c := range d.book.cells {
		i := slices.IndexFunc(old.book.cells, func(o cell) bool { return o.uri == c.uri && o.python })
		if i < 0 || !c.python {
			continue
		}
		o := &old.book.cells[i]
		// The lines behind the head, one after the last of them.
		first, was := c.head+1, o.head+1
		end, wasEnd := d.book.end(&c), old.book.end(o)
		same := func(i, j int) bool { return d.lines.line(d.text, i) == old.lines.line(old.text, j) }
		for first < end && was < wasEnd && same(first, was) {
			d.checked[first] = old.checked[was]
			first, was = first+1, was+1
		}
		for end > first && wasEnd > was && same(end-1, wasEnd-1) {
			end, wasEnd = end-1, wasEnd-1
			d.checked[end] = old.checked[wasEnd]
		}
	}
}

// end is the line of the program behind the last of a cell. c.head is a line of the same cell.
func (b *book) end(c *cell) int {
	end := c.head + 1
	for end < len(b.lines) && b.lines[end].Cell == b.lines[c.head].Cell {
		end++
	}
	return end
}

// didChangeNotebook applies an editor's change of cells: first their order, then their texts, then their kinds. It
// returns an error for a notebook that is not open.
func (s *Server) didChangeNotebook(_ context.Context, p *didChangeNotebook) (any, error) {
	uri, change := p.Notebook.URI, p.Change.Cells
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.docs[uri]
	if d == nil || d.book == nil {
		return nil, fmt.Errorf("%s is not open", uri)
	}
	if change == nil { // of metadata
		d.version = p.Notebook.Version
		return nil, nil
	}
	cells := slices.Clone(d.book.cells)
	if x := change.Structure; x != nil {
		from := min(max(x.Array.Start, 0), len(cells))
		to := min(from+max(x.Array.DeleteCount, 0), len(cells))
		// A cell that moved is sent without its text.
		moved := cellsOf(x.Array.Cells, x.DidOpen)
		for i := range moved { // one that stood elsewhere keeps its text
			if j := slices.IndexFunc(d.book.cells, func(c cell) bool { return c.uri == moved[i].uri }); j >= 0 && !moved[i].python {
				moved[i] = d.book.cells[j]
			}
		}
		cells = slices.Replace(cells, from, to, moved...)
	}
	for _, x := range change.TextContent {
		i := slices.IndexFunc(cells, func(c cell) bool { return c.uri == x.Document.URI })
		if i < 0 || !cells[i].python {
			continue
		}
		t := newDocument(cells[i].uri, d.path, 0, cells[i].text)
		for n := range x.Changes {
			if err := t.change(&x.Changes[n], s.encoding); err != nil {
				s.log.Printf("%s: %v", x.Document.URI, err)
			}
		}
		cells[i].text = t.text
	}
	for _, x := range change.Data {
		if i := slices.IndexFunc(cells, func(c cell) bool { return c.uri == x.Document }); i >= 0 && x.Kind != 2 {
			cells[i].python, cells[i].text = false, ""
		}
	}
	if err := s.setNotebook(p.Notebook, d.path, cells); err != nil {
		return nil, err
	}
	// While the user types the check waits.
	s.queue.add(uri, s.queue.patience())
	return nil, nil
}

func (s *Server) didCloseNotebook(_ context.Context, p *struct {
	Notebook notebookID `json:"notebookDocument"`
}) (any, error) {
	uri := p.Notebook.URI
	s.mu.Lock()
	if d := s.docs[uri]; d != nil {
		for _, c := range d.uris() {
			delete(s.cells, c)
		}
	}
	s.mu.Unlock()
	s.close(uri)
	return nil, nil
}
