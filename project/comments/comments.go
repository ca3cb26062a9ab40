// Package comments reads the comments of a file that speak to shapecheck:
//
//	x = f(x)  # shapecheck: ignore[SC101]  with a reason, if you like
//	x = f(x)  # shapecheck: ignore
//	# shapecheck: check Net(10) x:f32[B,3,H,W]
//	# shapecheck: accept unsettled until=2027-03-01 "needs the real tokenizer"
//
// comments.go tells them apart, check.go reads entries, accept.go what is accepted for a time. One that is misspelt is a Fault and nothing else.
package comments

// This file tells the comments apart.

import (
	"fmt"
	"strings"

	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/source"
)

// Marker stands in each of the comments.
const Marker = "shapecheck:"

// A List is what the comments of a file say, in their order.
type List struct {
	Ignores []Ignore
	Checks  []Check
	Accepts []Accept
	Faults  []Fault
}

// An Ignore hides findings. It may stand behind another comment.
type Ignore struct {
	// At is the part of the comment from its # to the end of the codes.
	At source.Span
	// Codes are those that it names, nil where it has no brackets: any.
	Codes []Name
}

// A Name is a word with its place.
type Name struct {
	Text string
	At   source.Span
}

// A Fault is a comment that cannot be read.
type Fault struct {
	At  source.Span
	Why string
}

var (
	form = lazyregexp.New(`#+\s*shapecheck:\s*(\w[\w-]*)`)
	// listed is what follows "ignore" with codes, unlisted codes that are not in brackets behind it.
	listed   = lazyregexp.New(`^\[([^\]]*)\]`)
	unlisted = lazyregexp.New(`^[\s:,;=-]*(?:[\[(]|SC\d)`)
)

// Read reads the comments of a file, whose places are given.
func Read(f *source.File, places []source.Span) List {
	var l List
	for _, at := range places {
		text := f.Slice(at)
		if !strings.Contains(text, Marker) {
			continue
		}
		m := form.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		from, rest := at.Start+source.Pos(m[0]), text[m[1]:]
		fault := func(why string) { l.Faults = append(l.Faults, Fault{source.Span{Start: from, End: at.End}, why}) }
		switch word := text[m[2]:m[3]]; word {
		case "ignore":
			end := at.Start + source.Pos(m[1])
			codes := listed.FindStringSubmatchIndex(rest)
			switch {
			case codes != nil:
				l.Ignores = append(l.Ignores, Ignore{source.Span{Start: from, End: end + source.Pos(codes[1])},
					names(rest[codes[2]:codes[3]], end+source.Pos(codes[2]))})
			case unlisted.MatchString(rest):
				fault("codes stand in brackets right behind the word: shapecheck: ignore[SC101, SC105]; this comment hides nothing")
			default:
				l.Ignores = append(l.Ignores, Ignore{At: source.Span{Start: from, End: end}})
			}
		case "check":
			if m[0] > 0 {
				continue // an example behind other text
			}
			c, err := parseCheck(rest)
			if err != nil {
				fault(err.Error())
				continue
			}
			c.Line, _ = f.LineCol(at.Start)
			c.At = at
			l.Checks = append(l.Checks, c)
		case "accept":
			if m[0] > 0 {
				continue // an example behind other text
			}
			c, err := parseAccept(rest)
			if err != nil {
				fault(err.Error() + "; this comment accepts nothing")
				continue
			}
			c.At = at
			l.Accepts = append(l.Accepts, c)
		default:
			fault(fmt.Sprintf("there is no comment '%s': shapecheck: check ENTRY ARG…, shapecheck: ignore[CODE, …] and shapecheck: accept KEY… until=DATE \"REASON\" are known", word))
		}
	}
	return l
}

// names are the words between commas of a text that begins at a place. They are not nil.
func names(text string, at source.Pos) []Name {
	out := []Name{}
	for part := range strings.SplitSeq(text, ",") {
		if name := strings.TrimSpace(part); name != "" {
			start := at + source.Pos(strings.Index(part, name))
			out = append(out, Name{name, source.Span{Start: start, End: start + source.Pos(len(name))}})
		}
		at += source.Pos(len(part) + 1)
	}
	return out
}
