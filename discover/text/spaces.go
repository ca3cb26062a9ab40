package text

// This file gives spaces of gymnasium, and the observations that are taken from them.

import (
	"strings"

	"shapecheck/internal/lazyregexp"
)

// Spaces are the spaces of gymnasium, or gym, that a parameter of that kind may be, the likeliest first: of vectors, of images, of
// numbered actions.
func Spaces(library string) []string {
	return []string{library + ".spaces.Box(-1.0, 1.0, (8,))", library + ".spaces.Box(0, 255, (3, 64, 64), 'uint8')", library +
		".spaces.Discrete(4)"}
}

// DictSpace is a space of a vector and an image, by names.
func DictSpace(library string) string {
	spaces := Spaces(library)
	return library + ".spaces.Dict(a=" + spaces[0] + ", b=" + spaces[1] + ")"
}

// space is a space for a parameter that is one by its annotation or its name; empty for others.
func (f *File) space(p Param) string {
	of := spaceClass.FindStringSubmatch(strings.Trim(p.Annotation, `"'`))
	if of == nil && (p.Annotation != "" || !spaceNames.MatchString(p.Name)) {
		return ""
	}
	library := "gymnasium"
	if !strings.Contains(f.Source.Text(), library) && f.imports("gym") {
		library = "gym"
	}
	spaces := Spaces(library)
	switch {
	case of != nil && of[1] == "Discrete", (of == nil || of[1] == "Space") && strings.HasPrefix(strings.TrimLeft(p.Name, "_"), "action"):
		return spaces[2]
	case of != nil && of[1] == "Dict":
		return DictSpace(library)
	case of != nil && of[1] == "MultiDiscrete":
		return library + ".spaces.MultiDiscrete([2, 3])"
	case of != nil && of[1] == "MultiBinary":
		return library + ".spaces.MultiBinary(4)"
	}
	return spaces[0]
}

var (
	spaceClass = lazyregexp.New(
		`^(?:(?:(?:gym|gymnasium)\.)?spaces\.|(?:gym|gymnasium)\.)(Space|Box|Discrete|Dict|MultiDiscrete|MultiBinary)\b`)
	spaceNames = lazyregexp.New(`^_?(observation|obs|state|action|act)_space$`)
)

var (
	observationNames = lazyregexp.New(`^_?(obs|observations?|state|states)$`)
	boxMade          = lazyregexp.New(`(\w+)=(?:gymnasium|gym)\.spaces\.Box\([^()]*, \(([\d, ]*)\)(?:, '(\w+)')?\)`)
	spaceMade        = lazyregexp.New(`^_?(?:observation|obs|state)_space=(?:gymnasium|gym)\.spaces\.(?:Box|Dict)\(`)
)

// Observation is an input that is a batch of observations by its name, as the space has them that was made for the constructor: a Box
// gives a tensor, a Dict a dictionary of them. It is empty for other inputs, and where no such space was made.
func Observation(name string, made []string) string {
	if !observationNames.MatchString(name) {
		return ""
	}
	for _, arg := range made {
		if !spaceMade.MatchString(arg) {
			continue
		}
		var keys, forms []string
		for _, box := range boxMade.FindAllStringSubmatch(arg, -1) {
			dtype := "f32"
			if box[3] == "uint8" {
				dtype = "u8"
			}
			form := dtype + "[B"
			for _, size := range strings.FieldsFunc(box[2], func(r rune) bool { return r == ',' || r == ' ' }) {
				form += "," + size
			}
			keys, forms = append(keys, box[1]), append(forms, form+"]")
		}
		if !strings.Contains(arg, ".spaces.Dict(") {
			return name + ":" + forms[0]
		}
		for i, key := range keys {
			forms[i] = `"` + key + `": ` + forms[i]
		}
		return name + "={" + strings.Join(forms, ", ") + "}"
	}
	return ""
}
