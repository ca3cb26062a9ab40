package source

// This file converts byte columns into the units that readers of positions use.

import "unicode/utf8"

// Runes returns the number of characters in the first col bytes of line.
// An invalid byte counts as one character.
func Runes(line string, col int) int {
	return utf8.RuneCountInString(line[:min(col, len(line))])
}

// UTF16 returns the number of UTF-16 code units in the first col bytes of line.
func UTF16(line string, col int) int {
	n := 0
	for _, r := range line[:min(col, len(line))] {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
