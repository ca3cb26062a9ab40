package isa

// This file holds the limits of a program: what is beyond them is refused before
// anything is made for it.

// The limits.
const (
	MaxMessage      = 256 << 20 // bytes of the message
	MaxInstructions = 1 << 20
	MaxValues       = 1 << 21
	MaxSizes        = 1 << 20
	MaxSymbols      = 1 << 16
	MaxConstants    = 1 << 20
	MaxConditions   = 1 << 12
	MaxPorts        = 1 << 16
	MaxRegions      = 1 << 18
	MaxGroups       = 1 << 18
	MaxRank         = 64
	MaxOperands     = 1 << 16
	MaxNesting      = 64      // of regions, and of types
	MaxText         = 4096    // bytes of a name
	MaxCondition    = 1000    // bytes of a condition
	MaxParts        = 1 << 23 // messages and list elements of a program together
)

// The version of the format that is read; a program says the least one that has what it uses.
// 1.1 has sizes made of binary64 numbers, 1.2 packed constants.
const (
	Major       = 1
	Minor       = 2
	MinorPacked = 2
)
