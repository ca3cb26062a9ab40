//go:build !amd64

package tile

// This file says that only amd64 has assembly for conversions.

func (Half) widener(Tier, bool) func(*Widening) { return nil }
