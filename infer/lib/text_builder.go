package lib

import (
	"strings"

	"shapecheck/infer/value"
)

// A textBuilder joins parts to a text whose length is known only at the end: the run
// is charged as it grows.
type textBuilder struct {
	th      value.Thread
	text    strings.Builder
	tooLong bool // it passed MaxText; what came then is not in it
}

// write appends a part.
func (b *textBuilder) write(part string) error {
	size := b.text.Len() + len(part)
	if b.tooLong || size > MaxText {
		b.tooLong = true
		return nil
	}
	if size > b.text.Cap() {
		if err := b.th.Alloc(2 * size); err != nil {
			return err
		}
		b.text.Grow(2*size - b.text.Len())
	}
	b.text.WriteString(part)
	return nil
}
