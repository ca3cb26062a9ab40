// Package einops holds the records of einops, for tensors and for arrays: the library
// and its functions in einops.go, einsum, pack and unpack in pack.go, the patterns in
// pattern.go. table.go has the table of records.
package einops
