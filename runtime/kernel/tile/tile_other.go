//go:build !amd64

package tile

// This file is the one tier of platforms without assembly.

import "unsafe"

func rowMasks() unsafe.Pointer { return nil }

// Panel is the number of columns of a full panel of packed weights.
func Panel(Tier) int { return 16 }

// Lanes is the number of columns of a vector.
func Lanes(Tier) int { return 8 }

// Run computes a tile of 1 to MaxRows rows and 1 to Panel(t) columns.
func (p *Product) Run(_ Tier, rows, cols int) { productGo(p, rows, cols) }

// RowsOf gives the functions of rows of a tier.
func RowsOf(Tier) Rows { return Rows{} }

// Run copies rows of 1 to Panel(t) columns.
func (p *Columns) Run(_ Tier, cols int) { columnsGo(p, cols) }
