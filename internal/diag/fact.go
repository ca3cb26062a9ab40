package diag

// A Fact is what a finding comes down to, for those who act on it: discovery chooses other arguments by it. Messages are
// for people, and their words may change. The zero Fact says nothing.
type Fact struct {
	Kind FactKind
	// Names are those of the parameters or the key.
	Names []string
	// Of is the function, or the type of the value, that the fault is about: "Net.__init__", "int", "f32[B,T,C]". A shape
	// without a dtype is "[B,T,C]".
	Of string
	// Keys are texts under which a dictionary has values, where it has none under a key.
	Keys []string
	// Has and Wants are the numbers that do not agree.
	Has, Wants int64
	// Type is the type of a value that cannot be where it is, as messages name it: the source of such a value is worth a line.
	Type TypeName
	// Raised is the exception of the program that a finding is about, with its text: what the program says, in its own words.
	Raised string
	// LeftOut are the parameters of the entry from whose default None a fault may come, the likeliest first: another run that
	// is given them tells.
	LeftOut []string
	// OnPath says that the place is reached under conditions on sizes alone.
	OnPath bool
	// Shown says that the program tells of the axis which a finding is about: that it is the batch, by a layer or by what the program
	// calls its size, not only by its name in a type; or that its size is 1, not only because an argument has it so.
	Shown bool
}

// A TypeName is the name of a value's type. Among the arguments of a message it is the type that the message is about, which
// the message's words alone would not tell: names of parameters are texts, too.
type TypeName string

// A FactKind is a kind of facts.
type FactKind uint8

// The kinds, with the fields that each has.
const (
	NoFact         FactKind = iota
	LacksArguments          // a call of the function Of lacks the required Names
	UnfitSize               // an input Has a size, and the layer's weight Wants another
	UnequalSizes            // two sizes, Has and Wants, must be the same
	NotMultiple             // a size Has must be a multiple of Wants
	WrongRank               // a tensor of the type Of needs Wants dimensions
	NeedsIndices            // floats are where indices must be; where Wants is not 0, of that many dimensions, not Has
	NeedsComplex            // floats are where complex numbers must be
	OneForMany              // a value of the type Of is used as a collection
	LacksAttribute          // an object of the class Of has no attribute Names[0]
	NotImplemented          // the program raises NotImplementedError or uses NotImplemented as a value, or a class is abstract
	LacksKey                // a value of the type Of has nothing under the key Names[0]
	OfNone                  // None is where it cannot be
	TiesBatch               // the batch must be a number, or as large as another axis of its argument
	NotCallable             // a value of the type Of is called
	NotList                 // a value of the type Of is added to a list, as the second operand if Has is 1
	TakesLess               // the function Of is given more than the Wants arguments by position that it takes, or other names
	OfTraces                // the traces of the function Of
	OneByBranches           // a size, Names[0], must be 1 as two tensors of other numbers of it are added or joined
	MeetsFeatures           // a size, which a window or a stride makes, must be the number of features beside it
	CrossesSizes            // two sizes must be equal, or one of them 1, as axes are in another order, or joined otherwise
	EmptyList               // a list of tensors that are to be joined has none
	MeetsItself             // a size must be the number of another axis of a tensor that has the size on one of its axes, too
)

// ConfusesAxes reports whether a size is tied as two axes were confused, whatever was guessed of the inputs: nobody fixes a size so on
// purpose.
func (f Fact) ConfusesAxes() bool {
	return f.Kind == MeetsFeatures || f.Kind == MeetsItself || f.Kind == CrossesSizes || f.Kind == TiesBatch && f.Shown
}

// AboutNone reports whether a fault is that something is None.
func (f Fact) AboutNone() bool { return f.Kind == OfNone || f.Of == none[0] }

// none is what types call the type of None.
var none = [...]string{"NoneType", "None"}

// factOf is the fact that the types among a message's arguments tell.
func factOf(args []any) Fact {
	var f Fact
	for _, a := range args {
		if t, ok := a.(TypeName); ok {
			f.Type = t
			a = string(t)
		}
		if a == none[0] || a == none[1] {
			f.Kind = OfNone
		}
	}
	return f
}
