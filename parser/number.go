package parser

// This file computes the values of numbers.

import (
	"math/big"
	"strconv"
	"strings"

	"shapecheck/parser/ast"
)

// maxIntDigits is CPython's limit on decimal integers.
const maxIntDigits = 4300

// parseNumber sets c to the value of a number that the token pass accepted. It
// returns a message when CPython refuses the number.
func parseNumber(c *ast.Constant, text string) string {
	if len(text) < 18 {
		v := int64(0)
		for i := 0; i < len(text); i++ {
			d := text[i] - '0'
			if d > 9 {
				goto general
			}
			v = v*10 + int64(d)
		}
		c.Int = v
		return ""
	}
general:
	if strings.Contains(text, "_") {
		text = strings.ReplaceAll(text, "_", "")
	}
	if len(text) > 1 && text[0] == '0' {
		switch text[1] | 0x20 {
		case 'x':
			return parseInt(c, text[2:], 16)
		case 'o':
			return parseInt(c, text[2:], 8)
		case 'b':
			return parseInt(c, text[2:], 2)
		}
	}
	last := text[len(text)-1]
	if last|0x20 == 'j' {
		c.Kind = ast.ComplexConst
		c.Float = parseFloat(text[:len(text)-1])
		return ""
	}
	if strings.ContainsAny(text, ".eE") {
		c.Kind = ast.FloatConst
		c.Float = parseFloat(text)
		c.Str = text
		return ""
	}
	if len(text) > maxIntDigits {
		return "integer literal has more than " + strconv.Itoa(maxIntDigits) + " digits; write large constants in hexadecimal"
	}
	return parseInt(c, text, 10)
}

func parseInt(c *ast.Constant, digits string, base int) string {
	v, err := strconv.ParseInt(digits, base, 64)
	if err == nil {
		c.Int = v
		return ""
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return "invalid integer literal"
	}
	c.Big = n
	return ""
}

// parseFloat rounds correctly; values out of range become infinite, as in Python.
func parseFloat(text string) float64 {
	v, _ := strconv.ParseFloat(text, 64)
	return v
}
