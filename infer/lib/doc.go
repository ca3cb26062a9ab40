// Package lib holds the knowledge of Python's builtins, of the standard library
// and of the frameworks' classes.
//
// A module that ships with shapecheck has native attributes (a file mod_<name> here), an
// embedded Python part (py/<name>.py or py/<name>/__init__.py), or both: then
// the Python part runs in a namespace that already holds the native attributes.
//
// The files, by shelf:
//
//	the world            world.go: the builtin classes of a run, and type(v); keptworld.go: a state to go back to
//	modules              modules.go mod_table.go: finding them; packages.go: what is known of packages;
//	                     split.go: packages in one piece; compiled.go: functions of C;
//	                     stubarchive.go: archives of stubs; mod.go: what they are written with; mod_*.go: one each,
//	                     but itertools also in mod_combinatorics.go, small ones in mod_misc.go, and those
//	                     that must only be importable in mod_stub.go; re_parse.go re_match.go: the engine of re
//	builtin functions    builtins.go builtins_iter.go isinstance.go reveal.go; proc.go: how they bind arguments
//	classes              class.go exception.go; type_*.go: each builtin class with its methods; attr.go: their
//	                     computed attributes; dunder.go: operators as methods
//	operators            binary.go compare.go compare_number.go
//	numbers              num_int.go num_float.go num_sym.go num_data.go: arithmetic on ints, floats, sizes, and
//	                     floats that data decide; libm.go libm_trig.go: log, exp, pow, sin …; parse_number.go: reading and rounding
//	text                 str_search.go text.go casing.go: str; codec_wide.go: UTF-16 and UTF-32; repr.go: repr() and str();
//	                     format.go format_percent.go format_str.go: formatting; text_builder.go: long texts
//	containers           seq.go dict.go item.go: lists and tuples, dicts and sets, v[i]; openslice.go: slices of what is not known one by one; hash.go: keys;
//	                     iter.go: iterators
package lib
