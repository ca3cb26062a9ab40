package eval

// This file computes with strings.
//
// Strings are Go strings of UTF-8; none of the operators counts code points but by case.

import (
	"regexp"
	"slices"
	"strings"

	"shapecheck/onnx"
)

// strs checks that an input holds strings. It fails otherwise.
func (c *call) strs(i int) *Tensor {
	x := c.arg(i)
	if x.S == nil {
		c.failf("input %d is of %s instead of strings", i, x.DType)
	}
	return x
}

// stringConcat joins the strings of two tensors that broadcast.
func stringConcat(c *call) []Value {
	x, y := c.strs(0), c.strs(1)
	out := c.make(onnx.String, c.broadcast(x, y))
	c.eachOf(out.Dims, []*Tensor{x, y}, func(i int, at []int) { out.S[i] = x.S[at[0]] + y.S[at[1]] })
	return []Value{out}
}

// stringSplit splits each string; short rows are filled up with empty strings. The second
// output is the numbers of parts. An empty delimiter splits at white space, as Python's split
// without arguments does; maxsplit is the number of cuts. The result has one more dimension, as
// long as the longest row.
func stringSplit(c *call) []Value {
	x, by, most := c.strs(0), c.text("delimiter"), -1
	if c.has("maxsplit") && c.int("maxsplit") >= 0 {
		most = int(min(c.int("maxsplit"), 1<<31)) + 1
	}
	rows := make([][]string, x.Len())
	width := 0
	counts := c.make(onnx.Int64, x.Dims)
	for i, s := range x.S {
		c.tick(1)
		switch {
		case by != "":
			rows[i] = strings.SplitN(s, by, most)
			if s == "" {
				rows[i] = nil
			}
		default:
			rows[i] = fieldsN(s, most)
		}
		counts.I[i] = int64(len(rows[i]))
		width = max(width, len(rows[i]))
	}
	out := c.make(onnx.String, append(slices.Clone(x.Dims), int64(width)))
	for i, r := range rows {
		copy(out.S[i*width:], r)
	}
	return []Value{out, counts}
}

// fieldsN splits at white space into at most n parts; -1: all. The last part keeps the white
// space within it but not at its end.
func fieldsN(s string, n int) []string {
	const space = " \t\n\r\v\f"
	var out []string
	for s = strings.TrimLeft(s, space); s != ""; s = strings.TrimLeft(s, space) {
		at := strings.IndexAny(s, space)
		if n > 0 && len(out) == n-1 || at < 0 {
			out = append(out, strings.TrimRight(s, space))
			break
		}
		out = append(out, s[:at])
		s = s[at:]
	}
	return out
}

// stringNormalizer takes words out and changes case. The operand is [n] or [1, n]. If every word
// is taken out one empty string is left, as the operator's text says. Case is changed without
// regard to a locale.
func stringNormalizer(c *call) []Value {
	x := c.strs(0)
	if len(x.Dims) != 1 && !(len(x.Dims) == 2 && x.Dims[0] == 1) {
		c.failf("strings of the sizes %v", x.Dims)
	}
	stop := c.texts("stopwords")
	exact := c.int("is_case_sensitive") != 0
	var kept []string
	for _, s := range x.S {
		c.tick(1)
		if !slices.ContainsFunc(stop, func(w string) bool { return w == s || !exact && strings.EqualFold(w, s) }) {
			kept = append(kept, s)
		}
	}
	for i, s := range kept {
		switch c.text("case_change_action") {
		case "LOWER":
			kept[i] = strings.ToLower(s)
		case "UPPER":
			kept[i] = strings.ToUpper(s)
		}
	}
	if len(kept) == 0 {
		kept = []string{""}
	}
	dims := slices.Clone(x.Dims)
	dims[len(dims)-1] = int64(len(kept))
	return []Value{&Tensor{DType: onnx.String, Dims: dims, S: kept}}
}

// regexFullMatch asks whether a pattern of RE2 matches all of a string. Go's regexp is RE2 in
// syntax and in its linear time. It fails for a pattern that does not compile.
func regexFullMatch(c *call) []Value {
	x := c.strs(0)
	re, err := regexp.Compile(`\A(?:` + c.text("pattern") + `)\z`)
	if err != nil {
		c.failf("the pattern %s: %v", c.text("pattern"), err)
	}
	out := c.make(onnx.Bool, x.Dims)
	for i, s := range x.S {
		c.tick(len(s) + 1)
		out.I[i] = boolOf(re.MatchString(s))
	}
	return []Value{out}
}

// tfIdfVectorizer counts runs of words or numbers that are in its pool. ngram_counts are the
// places in the pool where the runs of length 1, 2, … begin; ngram_indexes give for each run its
// place in the result. A run may skip words: with skip s its words are s + 1 apart. TF counts,
// IDF says whether there is one, TFIDF multiplies the count; weights apply to the last two.
func tfIdfVectorizer(c *call) []Value {
	x := c.arg(0)
	if len(x.Dims) < 1 || len(x.Dims) > 2 {
		c.failf("words of the sizes %v", x.Dims)
	}
	starts, indexes := c.ints("ngram_counts"), c.ints("ngram_indexes")
	pool, grams := c.pool(x), map[string]int64{}
	k := 0
	for i, from := range starts {
		to := int64(len(pool))
		if i+1 < len(starts) {
			to = starts[i+1]
		}
		if from < 0 || from > to || to > int64(len(pool)) || (to-from)%int64(i+1) != 0 {
			c.failf("ngram_counts is %v for a pool of %d", starts, len(pool))
		}
		for ; from < to; from += int64(i + 1) {
			if k >= len(indexes) || indexes[k] < 0 || indexes[k] > c.Elems {
				c.failf("ngram_indexes is %v", indexes)
			}
			grams[gram(pool[from:from+int64(i+1)])] = int64(k)
			k++
		}
	}
	width := int64(0)
	for _, i := range indexes {
		width = max(width, i+1)
	}
	weights := c.floats("weights")
	if len(weights) > 0 {
		length(c, "weights", weights, len(indexes))
	}
	words := int(x.Dims[len(x.Dims)-1])
	out := c.make(onnx.Float, append(slices.Clone(x.Dims[:len(x.Dims)-1]), width))
	mode := c.text("mode")
	for r := range out.Len() / int(max(width, 1)) {
		row := wordsOf(x, r*words, words)
		found := make([]int64, len(indexes))
		for n := max(c.int("min_gram_length"), 1); n <= c.int("max_gram_length") && n <= int64(words); n++ {
			for skip := int64(0); skip <= c.int("max_skip_count") && (n > 1 || skip == 0) && skip <= int64(words); skip++ {
				for from := int64(0); from+(n-1)*(skip+1) < int64(words); from++ {
					c.tick(int(n))
					var part []string
					for j := range n {
						part = append(part, row[from+j*(skip+1)])
					}
					if i, ok := grams[gram(part)]; ok {
						found[i]++
					}
				}
			}
		}
		for i, n := range found {
			w := 1.0
			if len(weights) > 0 && mode != "TF" {
				w = weights[i]
			}
			if mode == "IDF" {
				n = min(n, 1)
			}
			out.F[r*int(width)+int(indexes[i])] += float64(n) * w
		}
	}
	return []Value{out}
}

// pool is the list of words of TfIdfVectorizer, or numbers as words. It fails for elements of any
// other type.
func (c *call) pool(x *Tensor) []string {
	if x.S != nil {
		return c.texts("pool_strings")
	}
	list := c.ints("pool_int64s")
	if x.I == nil {
		c.failf("words of type %s", x.DType)
	}
	return wordsOf(Ints(nil, list...), 0, len(list))
}

// wordsOf gives n elements of a tensor as text, from one on.
func wordsOf(x *Tensor, from, n int) []string {
	out := make([]string, n)
	for i := range out {
		if x.S != nil {
			out[i] = x.S[from+i]
		} else {
			out[i] = printed(x, from+i)
		}
	}
	return out
}

// gram is the key of a run of words; no word has a zero byte.
func gram(words []string) string { return strings.Join(words, "\x00") }
