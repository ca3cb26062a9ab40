package cli

// This file turns programs into text and back: shapecheck disasm P, shapecheck asm T -o P. The text
// is that of package isa. Constants are not in it: a program's embedded segments are bytes, which
// asm takes from another program's file where there are any.

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"shapecheck/codegen/isa"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/localfile"
)

// disasmCommand prints the program's text. The program is verified first, so that what is printed
// can be read back.
func (a *app) disasmCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "disasm PROGRAM",
		Short: "Print a program as text, which asm reads back",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) (err error) {
			f, closer, err := isa.ReadFile(args[0])
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, closer.Close()) }()
			// What a file holds is not trusted.
			if err := isa.Verify(f.Program); err != nil {
				return err
			}
			text, err := isa.Text(f.Program)
			if err != nil {
				return err
			}
			fmt.Fprint(a.out, text)
			return nil
		},
	}
}

// maxProgramText bounds the text of a program. It is above the text of the largest programs that
// compile makes.
const maxProgramText = 256 << 20

// asmCommand writes a program, whole or not at all. It returns an error for a text that is no
// program, one that does not verify, and where segments are missing.
func (a *app) asmCommand() *cobra.Command {
	var out, segments string
	c := &cobra.Command{
		Use:   "asm TEXT -o PROGRAM",
		Short: "Assemble the text of a program",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("asm writes a program: give -o PROGRAM")
			}
			// Asked before the work, as compile does.
			if err := atomicfile.Check(out); err != nil {
				return err
			}
			text, err := localfile.Read(args[0], maxProgramText)
			if err != nil {
				return err
			}
			p, err := isa.Parse(string(text))
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if err := isa.Verify(p); err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			list, done, err := segmentsOf(p, segments)
			if err != nil {
				return err
			}
			var b bytes.Buffer
			// The segments are read while the program is written, so their file is closed after
			// that.
			err = errors.Join(isa.Write(&b, p, list), done())
			if err != nil {
				return err
			}
			return atomicfile.Write(out, b.Bytes())
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the file to write")
	c.Flags().StringVar(&segments, "segments", "", "a program whose embedded segments, which text does not have, go into this one")
	return c
}

// segmentsOf gives readers of the segments that a program embeds, from another program's
// file. The caller calls done when it has read them. There is a nil reader for each segment that is
// in a file of its own or has a name. It returns an error where from is needed and not given,
// cannot be read, or has another number or length of segments.
func segmentsOf(p *isa.Program, from string) ([]io.Reader, func() error, error) {
	list := make([]io.Reader, len(p.Segments))
	done := func() error { return nil }
	embedded := 0
	for _, s := range p.Segments {
		if s.File == "" && s.Name == "" {
			embedded++
		}
	}
	if embedded == 0 {
		return list, done, nil
	}
	if from == "" {
		return nil, nil, errors.New("the program has segments, which its text does not hold: give --segments PROGRAM")
	}
	f, closer, err := isa.ReadFile(from)
	if err != nil {
		return nil, nil, err
	}
	for i, s := range p.Segments {
		if s.File != "" || s.Name != "" {
			continue
		}
		// Segments are matched by number and length, as they have no names.
		if i >= len(f.Program.Segments) || f.Program.Segments[i].Length != s.Length {
			return nil, nil, errors.Join(fmt.Errorf("%s has no segment %d of %d bytes", from, i, s.Length), closer.Close())
		}
		list[i] = io.NewSectionReader(f.Segments, int64(f.Program.Segments[i].Offset), int64(s.Length))
	}
	return list, closer.Close, nil
}
