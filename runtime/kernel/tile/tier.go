// Package tile holds the innermost loops of kernels: assembly for amd64, which
// tools/kernelgen writes, and Go for all platforms. Everything above them is ordinary Go and the
// same on every tier.
//
//	product.go   tiles of matrix products, in Go    row.go   functions of rows, in Go
//	point.go     functions of elements              window.go  taps of windows
//	winograd.go  transforms of tiles of pixels      depth.go   convolutions of single channels
//	halves.go    numbers of bf16                    halves_*.go  products of them
//	block.go     blocks of products of bf16 (AMX)   block_amd64.go, block_other.go: their assembly, and where there is none
//	ending.go    what ends their sums
//	block_linux_amd64.go, block_unasked_amd64.go: may this process use the processor's tiles?
//	turn.go      transposes, in Go                  integer.go  products of integers, in Go
//	chain.go     chains of functions of elements    chain_*.go   their steps
//	widen.go     f16 and bf16 to f32, and back      widen_*.go   the assembly of a tier; features_amd64.s: has it f16?
//	requantize.go  integers of sums and a scale     cell.go  a step of an LSTM from its gates on
//	tier.go      Tier; tier_*.go: the highest of this machine
//	tile_*.go    the tiles of a tier; gen_amd64.go: the assembly
package tile

// A Tier is a set of instructions; see package kernel.
type Tier uint8

// The tiers.
const (
	Portable Tier = iota
	AVX2
	AVX512
)

func (t Tier) String() string { return [...]string{"portable", "avx2", "avx512"}[t] }
