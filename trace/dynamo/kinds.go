package dynamo

// This file has the kinds of what torch.compile's graphs read, and of the guards that this gives them.

// A GuardKind says what a guard asks that fails; 0: none fails.
type GuardKind uint8

// The kinds of guards; docs/trace.md says what they ask.
const (
	GuardNone GuardKind = iota
	GuardSize
	GuardStride
	GuardDType
	GuardDispatchKeys
	GuardRank
	GuardGrad
	GuardType
	GuardValue
	GuardLength
	GuardIdentity
	GuardIdentityOrAliasing
	GuardAliasing
	GuardKeys
	GuardAttribute
	GuardSizeCondition
	GuardValueCondition
	GuardGlobalState
	GuardOther
	guardKinds
)

// guardNames are the names of kinds in reports.
var guardNames = [guardKinds]string{
	GuardSize:               "size",
	GuardStride:             "stride",
	GuardDType:              "dtype",
	GuardDispatchKeys:       "dispatch keys",
	GuardRank:               "rank",
	GuardGrad:               "requires_grad",
	GuardType:               "type",
	GuardValue:              "value",
	GuardLength:             "length",
	GuardIdentity:           "identity",
	GuardIdentityOrAliasing: "identity or aliasing",
	GuardAliasing:           "aliasing",
	GuardKeys:               "keys",
	GuardAttribute:          "attribute",
	GuardSizeCondition:      "size condition",
	GuardValueCondition:     "value condition",
	GuardGlobalState:        "global state",
	GuardOther:              "other",
}

func (k GuardKind) String() string { return guardNames[k] }

// GuardKinds are all kinds.
func GuardKinds() []GuardKind {
	out := make([]GuardKind, 0, guardKinds-1)
	for k := GuardNone + 1; k < guardKinds; k++ {
		out = append(out, k)
	}
	return out
}

// A readKind says what a part of a function read.
type readKind uint8

const (
	_ readKind = iota
	readTensor
	readScalar // a number, text or another value that is compared as a whole
	readNone
	readList
	readTuple
	readSlice
	readDict
	readSet
	readObject
	readCode      // a function or class, by what it is
	readKey       // whether a dict or set has a key
	readKeys      // all of a dict
	readAttribute // whether there is one
	readOwn       // whether the object itself has it, and not its class
)
