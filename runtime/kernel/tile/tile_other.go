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

// RunScattered is Run for a panel that is packed, with rows of whole vectors: rows of A are where Rows says, and whole vectors of C are
// read and written. Of Bias only the columns are read.
func (p *Product) RunScattered(_ Tier, rows, cols int) { p.scatteredGo(rows, cols) }

const hasVNNI = false

// RunIntegers is RunScattered for integers of 32 bits, which are sums of products of the integers of elements,
// without a bias and bounds. The tier is one of IntegerTier.
func (p *Product) RunIntegers(_ Tier, rows, cols int) { p.integersGo(rows, cols) }

// RowsOf gives the functions of rows of a tier.
func RowsOf(Tier) Rows { return Rows{} }

// Before writes Bᵀ·x·B of the 6×6 pixels from X on to the places from Y on.
func (p *Winograd) Before(t Tier) { p.beforeGo(p.Vectors * Lanes(t)) }

// After writes Aᵀ·x·A of the 6×6 places from X on, with the bias, to the 4×4 pixels from Y on.
func (p *Winograd) After(t Tier) { p.afterGo(p.Vectors * Lanes(t)) }

// Weights writes G·x·Gᵀ of the 3×3 weights from X on to the places from Y on.
func (p *Winograd) Weights(t Tier) { p.weightsGo(p.Vectors * Lanes(t)) }

// Run computes the rows.
func (p *Requantizing) Run(Tier) { p.inGo() }

// Run computes a step.
func (p *Cell) Run(Tier) { p.inGo() }

// Run computes the columns of a call.
func (p *Depth) Run(_ Tier, d *DepthColumns) { p.depthGo(d) }

// Run copies rows of 1 to Panel(t) columns.
func (p *Columns) Run(_ Tier, cols int) { columnsGo(p, cols) }

// Run transposes.
func (p *Turn) Run(Tier) { p.turnGo() }
