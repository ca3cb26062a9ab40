//go:build !amd64

package tile

// MachineOf gives the machine of a tier; nil: it has none.
func MachineOf(Tier) *Machine { return nil }
