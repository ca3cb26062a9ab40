package parser

// This file tells what a reader's eye wants apart: keywords, texts, numbers and comments.

import (
	"shapecheck/internal/inorder"
	"shapecheck/internal/source"
)

// A PieceKind says what a piece of source text is.
type PieceKind uint8

// The kinds of pieces.
const (
	KeywordPiece PieceKind = iota
	StringPiece
	NumberPiece
	CommentPiece
)

// A Piece is a part of a text, from the byte Start to before End.
type Piece struct {
	Kind       PieceKind
	Start, End int
}

// Pieces are the keywords, texts, numbers and comments of a file, in order. Of a text with
// expressions in it (an f-string) the expressions are apart. A file with errors has those
// that are left.
func Pieces(f *source.File) []Piece {
	s := scan(f, false)
	var out []Piece
	for _, t := range s.toks {
		kind := KeywordPiece
		switch {
		case t.start >= t.end:
			continue
		case t.kind == tString, t.kind == tFStringStart, t.kind == tFStringMiddle, t.kind == tFStringEnd:
			kind = StringPiece
		case t.kind == tNumber:
			kind = NumberPiece
		case t.kind == tName, !identTail[s.src[t.start]]:
			continue
		}
		out = append(out, Piece{kind, int(t.start), int(t.end)})
	}
	for _, c := range s.comments {
		out = append(out, Piece{CommentPiece, f.Offset(c.Start), f.Offset(c.End)})
	}
	inorder.By(out, func(a, b Piece) int { return a.Start - b.Start })
	return out
}
