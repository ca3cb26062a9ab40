package lib

// This file holds the letters whose other case is several characters, as Unicode's
// SpecialCasing.txt lists them without conditions and CPython 3.12 has them, and the one
// condition that CPython knows: a sigma that ends a word.

import (
	"strings"
	"unicode"
)

var manyUpper = map[rune]string{
	0x00df: "SS", 0x0149: "\u02bcN", 0x01f0: "J\u030c", 0x0390: "\u0399\u0308\u0301", 0x03b0: "\u03a5\u0308\u0301", 0x0587: "\u0535\u0552",
	0x1e96: "H\u0331", 0x1e97: "T\u0308", 0x1e98: "W\u030a", 0x1e99: "Y\u030a", 0x1e9a: "A\u02be", 0x1f50: "\u03a5\u0313",
	0x1f52: "\u03a5\u0313\u0300",
	0x1f54: "\u03a5\u0313\u0301", 0x1f56: "\u03a5\u0313\u0342", 0x1f80: "\u1f08\u0399", 0x1f81: "\u1f09\u0399", 0x1f82: "\u1f0a\u0399",
	0x1f83: "\u1f0b\u0399", 0x1f84: "\u1f0c\u0399", 0x1f85: "\u1f0d\u0399", 0x1f86: "\u1f0e\u0399", 0x1f87: "\u1f0f\u0399",
	0x1f88: "\u1f08\u0399",
	0x1f89: "\u1f09\u0399", 0x1f8a: "\u1f0a\u0399", 0x1f8b: "\u1f0b\u0399", 0x1f8c: "\u1f0c\u0399", 0x1f8d: "\u1f0d\u0399",
	0x1f8e: "\u1f0e\u0399",
	0x1f8f: "\u1f0f\u0399", 0x1f90: "\u1f28\u0399", 0x1f91: "\u1f29\u0399", 0x1f92: "\u1f2a\u0399", 0x1f93: "\u1f2b\u0399",
	0x1f94: "\u1f2c\u0399",
	0x1f95: "\u1f2d\u0399", 0x1f96: "\u1f2e\u0399", 0x1f97: "\u1f2f\u0399", 0x1f98: "\u1f28\u0399", 0x1f99: "\u1f29\u0399",
	0x1f9a: "\u1f2a\u0399",
	0x1f9b: "\u1f2b\u0399", 0x1f9c: "\u1f2c\u0399", 0x1f9d: "\u1f2d\u0399", 0x1f9e: "\u1f2e\u0399", 0x1f9f: "\u1f2f\u0399",
	0x1fa0: "\u1f68\u0399",
	0x1fa1: "\u1f69\u0399", 0x1fa2: "\u1f6a\u0399", 0x1fa3: "\u1f6b\u0399", 0x1fa4: "\u1f6c\u0399", 0x1fa5: "\u1f6d\u0399",
	0x1fa6: "\u1f6e\u0399",
	0x1fa7: "\u1f6f\u0399", 0x1fa8: "\u1f68\u0399", 0x1fa9: "\u1f69\u0399", 0x1faa: "\u1f6a\u0399", 0x1fab: "\u1f6b\u0399",
	0x1fac: "\u1f6c\u0399",
	0x1fad: "\u1f6d\u0399", 0x1fae: "\u1f6e\u0399", 0x1faf: "\u1f6f\u0399", 0x1fb2: "\u1fba\u0399", 0x1fb3: "\u0391\u0399",
	0x1fb4: "\u0386\u0399",
	0x1fb6: "\u0391\u0342", 0x1fb7: "\u0391\u0342\u0399", 0x1fbc: "\u0391\u0399", 0x1fc2: "\u1fca\u0399", 0x1fc3: "\u0397\u0399",
	0x1fc4: "\u0389\u0399",
	0x1fc6: "\u0397\u0342", 0x1fc7: "\u0397\u0342\u0399", 0x1fcc: "\u0397\u0399", 0x1fd2: "\u0399\u0308\u0300", 0x1fd3: "\u0399\u0308\u0301",
	0x1fd6: "\u0399\u0342", 0x1fd7: "\u0399\u0308\u0342", 0x1fe2: "\u03a5\u0308\u0300", 0x1fe3: "\u03a5\u0308\u0301", 0x1fe4: "\u03a1\u0313",
	0x1fe6: "\u03a5\u0342", 0x1fe7: "\u03a5\u0308\u0342", 0x1ff2: "\u1ffa\u0399", 0x1ff3: "\u03a9\u0399", 0x1ff4: "\u038f\u0399",
	0x1ff6: "\u03a9\u0342",
	0x1ff7: "\u03a9\u0342\u0399", 0x1ffc: "\u03a9\u0399", 0xfb00: "FF", 0xfb01: "FI", 0xfb02: "FL", 0xfb03: "FFI", 0xfb04: "FFL", 0xfb05: "ST",
	0xfb06: "ST", 0xfb13: "\u0544\u0546", 0xfb14: "\u0544\u0535", 0xfb15: "\u0544\u053b", 0xfb16: "\u054e\u0546", 0xfb17: "\u0544\u053d",
}

var manyTitle = map[rune]string{
	0x00df: "Ss", 0x0149: "\u02bcN", 0x01f0: "J\u030c", 0x0390: "\u0399\u0308\u0301", 0x03b0: "\u03a5\u0308\u0301", 0x0587: "\u0535\u0582",
	0x1e96: "H\u0331", 0x1e97: "T\u0308", 0x1e98: "W\u030a", 0x1e99: "Y\u030a", 0x1e9a: "A\u02be", 0x1f50: "\u03a5\u0313",
	0x1f52: "\u03a5\u0313\u0300",
	0x1f54: "\u03a5\u0313\u0301", 0x1f56: "\u03a5\u0313\u0342", 0x1fb2: "\u1fba\u0345", 0x1fb4: "\u0386\u0345", 0x1fb6: "\u0391\u0342",
	0x1fb7: "\u0391\u0342\u0345", 0x1fc2: "\u1fca\u0345", 0x1fc4: "\u0389\u0345", 0x1fc6: "\u0397\u0342", 0x1fc7: "\u0397\u0342\u0345",
	0x1fd2: "\u0399\u0308\u0300", 0x1fd3: "\u0399\u0308\u0301", 0x1fd6: "\u0399\u0342", 0x1fd7: "\u0399\u0308\u0342",
	0x1fe2: "\u03a5\u0308\u0300",
	0x1fe3: "\u03a5\u0308\u0301", 0x1fe4: "\u03a1\u0313", 0x1fe6: "\u03a5\u0342", 0x1fe7: "\u03a5\u0308\u0342", 0x1ff2: "\u1ffa\u0345",
	0x1ff4: "\u038f\u0345", 0x1ff6: "\u03a9\u0342", 0x1ff7: "\u03a9\u0342\u0345", 0xfb00: "Ff", 0xfb01: "Fi", 0xfb02: "Fl", 0xfb03: "Ffi",
	0xfb04: "Ffl",
	0xfb05: "St", 0xfb06: "St", 0xfb13: "\u0544\u0576", 0xfb14: "\u0544\u0565", 0xfb15: "\u0544\u056b", 0xfb16: "\u054e\u0576",
	0xfb17: "\u0544\u056d",
}

var manyLower = map[rune]string{
	0x0130: "i\u0307",
}

// mapMany maps the characters of a text, some of them to several.
func mapMany(many map[rune]string, one func(rune) rune, s string) string {
	found := false
	for _, r := range textRunes(s) {
		_, ok := many[r]
		found = found || ok
	}
	if !found {
		return mapText(one, s)
	}
	var b []byte
	for _, r := range textRunes(s) {
		if to, ok := many[r]; ok {
			b = append(b, to...)
		} else {
			b = appendRune(b, one(r))
		}
	}
	return string(b)
}

const (
	capitalSigma = 'Σ'
	finalSigma   = "ς"
)

// foldText is casefold: the small letters of the capitals of the small letters, but for
// the dotless i, which stays, and Cherokee, which folds to its capitals.
func foldText(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b []byte
	for _, r := range textRunes(s) {
		switch one := runesText([]rune{r}); {
		case r == 'ı':
			b = append(b, one...)
		case 0x13a0 <= r && r <= 0x13fd || 0xab70 <= r && r <= 0xabbf:
			b = appendRune(b, unicode.ToUpper(r))
		default:
			small := mapMany(manyLower, unicode.ToLower, one)
			b = append(b, mapMany(manyLower, unicode.ToLower, mapMany(manyUpper, unicode.ToUpper, small))...)
		}
	}
	return string(b)
}

// lowerAt is the lower case of the character at a place of a text.
func lowerAt(text []rune, i int) string {
	if text[i] == capitalSigma && endsWord(text, i) {
		return finalSigma
	}
	return mapMany(manyLower, unicode.ToLower, runesText(text[i:i+1]))
}

// endsWord reports whether a cased letter is before a place and none behind it, apart
// from characters that words may contain.
func endsWord(text []rune, i int) bool {
	j := i - 1
	for j >= 0 && caseIgnorable(text[j]) {
		j--
	}
	if j < 0 || !isCasedRune(text[j]) {
		return false
	}
	for j = i + 1; j < len(text) && caseIgnorable(text[j]); {
		j++
	}
	return j == len(text) || !isCasedRune(text[j])
}

// isCasedRune is Unicode's property Cased.
func isCasedRune(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Uppercase, unicode.Other_Lowercase)
}

// caseIgnorable is Unicode's property Case_Ignorable: marks, modifiers, formats, and the
// signs that a word may have in its midst.
func caseIgnorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) ||
		strings.ContainsRune("'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a", r)
}
