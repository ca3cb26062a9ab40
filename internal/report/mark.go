package report

// This file is about marks beside the lines of a listing or page.

import "shapecheck/internal/source"

// A Mark says of a line what a trace of the program makes of it.
type Mark struct {
	File *source.File
	Line int
	// Text is of a place that decides; empty: the line decides nothing.
	Text string
	// Skipped says that the line is in a way that the trace does not have, Kept that it is in one that it has
	// because of inputs or state.
	Skipped, Kept bool
}
