package op

// This file lists the operators that run bodies, and those of sequences and optionals.

var controlOps = []row{
	{name: "If", traits: pure, unranked: true, via: "jumps"},
	{name: "Loop", traits: pure, unranked: true, via: "jumps"},
	{name: "Scan", traits: pure, via: "Loop"},
	{name: "SequenceMap", traits: pure, via: "Loop"},

	{name: "ConcatFromSequence", traits: bound},
	{name: "Optional", traits: pure},
	{name: "OptionalGetElement", traits: pure, unranked: true},
	{name: "OptionalHasElement", traits: pure},
	{name: "SequenceAt", traits: bound, unranked: true},
	{name: "SequenceConstruct", traits: pure},
	{name: "SequenceEmpty", traits: pure},
	{name: "SequenceErase", traits: pure},
	{name: "SequenceInsert", traits: pure},
	{name: "SequenceLength", traits: pure},
	{name: "SplitToSequence", traits: pure},
}
