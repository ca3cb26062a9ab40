//go:build !amd64

package tile

// Best is the highest tier: there is assembly for amd64 only.
func Best() Tier { return Portable }
