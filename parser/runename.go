package parser

// This file finds characters by their Unicode names, for \N{…} escapes.

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/runenames"
)

// runeByName returns the character with a name. Nearly no program uses \N, so
// the name table is searched from the start instead of indexed.
func runeByName(name string) (rune, bool) {
	name = strings.ToUpper(name)
	if r, ok := algorithmicName(name); ok {
		return r, true
	}
	if r, ok := nameAliases[name]; ok {
		return r, true
	}
	for _, table := range []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cf} {
		if r, ok := searchNames(table, name); ok {
			return r, true
		}
	}
	return 0, false
}

func searchNames(t *unicode.RangeTable, name string) (rune, bool) {
	for _, x := range t.R16 {
		for r := rune(x.Lo); r <= rune(x.Hi); r += rune(x.Stride) {
			if unicode.In(r, unicode.Han, unicode.Hangul) && r >= 0x3400 && r < 0xF900 {
				continue
			}
			if runenames.Name(r) == name {
				return r, true
			}
		}
	}
	for _, x := range t.R32 {
		if x.Hi-x.Lo > 4000 && x.Stride == 1 && x.Lo >= 0x20000 {
			continue // unified ideographs
		}
		for r := rune(x.Lo); r <= rune(x.Hi); r += rune(x.Stride) {
			if runenames.Name(r) == name {
				return r, true
			}
		}
	}
	return 0, false
}

// algorithmicName handles the names that are computed from code points.
func algorithmicName(name string) (rune, bool) {
	if hex, ok := strings.CutPrefix(name, "CJK UNIFIED IDEOGRAPH-"); ok {
		v, err := strconv.ParseUint(hex, 16, 32)
		if err == nil && (len(hex) == 4 || len(hex) == 5) && unicode.Is(unicode.Unified_Ideograph, rune(v)) {
			return rune(v), true
		}
		return 0, false
	}
	rest, ok := strings.CutPrefix(name, "HANGUL SYLLABLE ")
	if !ok {
		return 0, false
	}
	leads := strings.Split("G GG N D DD R M B BB S SS  J JJ C K T P H", " ")
	vowels := strings.Split("A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I", " ")
	tails := strings.Split(" G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H", " ")
	for l, lead := range leads {
		for v, vowel := range vowels {
			if tail, ok := strings.CutPrefix(rest, lead+vowel); ok {
				for t, x := range tails {
					if x == tail {
						return rune(0xAC00 + (l*len(vowels)+v)*len(tails) + t), true
					}
				}
			}
		}
	}
	return 0, false
}

// nameAliases are the formal aliases of characters without a name of their own
// that programs use.
var nameAliases = map[string]rune{
	"NULL": 0, "NUL": 0, "BELL": 0x1F514, "ALERT": 7, "BEL": 7, "BACKSPACE": 8, "BS": 8,
	"CHARACTER TABULATION": 9, "HORIZONTAL TABULATION": 9, "HT": 9, "TAB": 9,
	"LINE FEED": 10, "NEW LINE": 10, "END OF LINE": 10, "LF": 10, "NL": 10, "EOL": 10,
	"LINE TABULATION": 11, "VERTICAL TABULATION": 11, "VT": 11, "FORM FEED": 12, "FF": 12,
	"CARRIAGE RETURN": 13, "CR": 13, "ESCAPE": 27, "ESC": 27, "DELETE": 127, "DEL": 127,
	"NEXT LINE": 0x85, "NEL": 0x85, "NBSP": 0xA0, "SHY": 0xAD, "ZWSP": 0x200B, "ZWNJ": 0x200C, "ZWJ": 0x200D,
	"LRM": 0x200E, "RLM": 0x200F, "BYTE ORDER MARK": 0xFEFF, "BOM": 0xFEFF, "ZWNBSP": 0xFEFF,
}
