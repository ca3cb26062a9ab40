// Package inorder puts lists of structs in order by code that all lists share. slices.SortFunc is compiled for each type of
// elements, 12 kB a time: it is for lists of numbers, texts and pointers, and where the time to sort counts.
//
//   - inorder.go: the two functions
package inorder

import "sort"

// By is slices.SortFunc.
func By[T any](list []T, compare func(a, b T) int) {
	sort.Slice(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}

// StableBy is slices.SortStableFunc.
func StableBy[T any](list []T, compare func(a, b T) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
