// Package closest finds the name that was meant by a misspelt one.
package closest

import "strings"

// Longest is the length in bytes above which names are not compared.
const Longest = 200

// Name returns the name with the least distance to s below limit, the first of
// several; empty when there is none.
func Name(s string, names []string, limit int) string {
	best := ""
	for _, n := range names {
		if d := Distance(s, n, limit); d < limit {
			best, limit = n, d
		}
	}
	return best
}

// Identifier finds the name of Python that is closest to a misspelt one, but for those that Python calls itself. One letter was not meant
// to be another one, but in the other case.
func Identifier(name string, names []string) string {
	best, bestDist := "", 3
	if len(name) < 4 {
		bestDist = 2
	}
	for _, n := range names {
		if n == name || strings.HasPrefix(n, "__") || len(name) == 1 && len(n) == 1 && !strings.EqualFold(name, n) {
			continue
		}
		if d := Distance(name, n, bestDist); d < bestDist {
			best, bestDist = n, d
		}
	}
	return best
}

// Distance is the number of letters to insert, drop, change or exchange with their
// neighbour to make b of a (the restricted Damerau-Levenshtein distance), or limit
// when it is at least that.
func Distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit || len(a) > Longest || len(b) > Longest {
		return limit
	}
	var rows [3][Longest + 1]int
	prev2, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return min(prev[len(b)], limit)
}
