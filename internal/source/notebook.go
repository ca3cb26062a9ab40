package source

// This file holds what a File knows of the notebook that it is the code of.

import "fmt"

// A Notebook is the text of a notebook and where in it the lines of its program stand.
type Notebook struct {
	// Text is the notebook as it lies on the disk.
	Text string
	// Lines has an entry for each line of the program.
	Lines []CellLine
}

// A CellLine is a line of a cell.
type CellLine struct {
	// Cell counts cells of all kinds from 1, Line lines of the cell from 1.
	Cell, Line int
	// At is the line of the notebook's text, from 1.
	At int
	// Was is what the cell has there, where it is no Python: "files = !ls"; else empty.
	Was string
}

// Cell is the line of a cell that a line (from 1) of the program is; false: f is of no notebook.
// What lies behind the last line counts as the last.
func (f *File) Cell(line int) (CellLine, bool) {
	if f.Notebook == nil || len(f.Notebook.Lines) == 0 {
		return CellLine{}, false
	}
	return f.Notebook.Lines[min(max(line, 1), len(f.Notebook.Lines))-1], true
}

// First is the line of the program with the first line of a cell; 0: there is none.
func (n *Notebook) First(cell int) int {
	if n == nil || cell == 0 {
		return 0
	}
	for i := len(n.Lines) - 1; i >= 0; i-- { // the head of a cell has the number of its first line, too
		if l := n.Lines[i]; l.Cell == cell && l.Line == 1 {
			return i + 1
		}
	}
	return 0
}

// Where is what findings call the file of a line (from 1), and the line's number: that in its
// cell where f is the code of a notebook, "net.ipynb:cell 7" and 2.
func (f *File) Where(line int) (label string, n int) {
	if c, ok := f.Cell(line); ok {
		return fmt.Sprintf("%s:cell %d", f.Label(), c.Cell), c.Line
	}
	return f.Label(), line
}

// Written is a line (from 1) as whoever wrote it knows it: in a notebook that of the cell.
func (f *File) Written(line int) string {
	if c, ok := f.Cell(line); ok && c.Was != "" {
		return c.Was
	}
	return f.Line(line)
}

// OnDisk is the text that the file has on the disk.
func (f *File) OnDisk() string {
	if f.Notebook != nil {
		return f.Notebook.Text
	}
	return f.text
}
