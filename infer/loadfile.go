package infer

// This file reads the headers of files of tensors that a program loads: files of the project,
// and no others. The elements are not read.

import (
	"errors"
	"path/filepath"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/reads"
	"shapecheck/onnx/weights"
	"shapecheck/symshape/dtype"
)

// projectArrays implements project_arrays(path, make): the format of a file of tensors and what
// it holds, where make(dtype, shape, path) makes the arrays; None where the project has no file
// of that name, and (None, text) where it cannot be read.
func (na *natives) projectArrays(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 2 {
		return nil, na.in.Raise("TypeError", "project_arrays takes a path and a function")
	}
	name := na.pathText(args[0])
	path, outside := na.in.finder.projectFile(name)
	switch {
	case name == "" || na.in.savedFiles[""] || na.in.savedFiles[filepath.Clean(name)]:
		return value.None, nil
	case outside:
		return na.in.losses.unknown(na.in.losses.outsideFile(name)), nil
	case path == "":
		return value.None, nil
	}
	format, v, err := loadFile(na.fs, path)
	if err != nil {
		return value.NewTuple(value.None, value.Str(err.Error())), nil
	}
	x, err := loadedValue(na.in, v, value.Str(name), args[1])
	if err != nil {
		return nil, err
	}
	return value.NewTuple(value.Str(format), x), nil
}

// writesFile implements writes_file(path): what is there is no longer what the program finds.
func (na *natives) writesFile(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) == 1 {
		if na.in.savedFiles == nil {
			na.in.savedFiles = map[string]bool{}
		}
		name := na.pathText(args[0])
		if name != "" {
			name = filepath.Clean(name)
		}
		na.in.savedFiles[name] = true // an unknown name: any file
	}
	return value.None, nil
}

// fileKey implements file_key(name, suffix): what names a file that the program writes, for a name that is not known the
// function of texts that made it; savez and save append a suffix that is missing.
func (na *natives) fileKey(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 2 {
		return nil, na.in.Raise("TypeError", "file_key takes a name and a suffix")
	}
	suffix, _ := value.AsStr(args[1])
	if name, ok := value.AsStr(args[0]); ok {
		if !strings.HasSuffix(name, suffix) {
			name += suffix
		}
		return value.Str(name), nil
	}
	name := args[0]
	if a, ok := name.(*value.Abstract); ok && a.Of != nil && len(a.Of.Args) > 0 {
		last := len(a.Of.Args) - 1
		end, known := value.AsStr(a.Of.Args[last])
		joins := a.Of.Func == "+" || a.Of.Func == "os.path.join"
		if n := min(len(end), len(suffix)); known && joins && n > 0 && end[len(end)-n:] != suffix[len(suffix)-n:] {
			parts := append([]value.Value(nil), a.Of.Args...)
			parts[last] = value.Str(end + suffix)
			name = value.Computed(&value.Abstract{Class: a.Class, Cause: a.Cause}, a.Of.Func, parts...)
		}
	}
	key, ok, err := na.world.HashKey(na.in, name)
	if err != nil || !ok {
		return name, err
	}
	if na.in.fileKeys == nil {
		na.in.fileKeys = map[any]value.Value{}
	}
	if na.in.fileKeys[key] == nil {
		na.in.fileKeys[key] = value.NewTuple(value.Int(len(na.in.fileKeys)))
	}
	return na.in.fileKeys[key], nil
}

// pathText is the text of a path, a str or a Path; empty where it is not known.
func (na *natives) pathText(v value.Value) string {
	na.in.quiet++
	defer func() { na.in.quiet-- }()
	name, _ := na.in.Str(v)
	return name
}

// loadFile reads a file of weights. Its error is that of the file system, or says what is wrong with the
// format.
func loadFile(fsys reads.FS, path string) (format string, v any, err error) {
	f, size, err := reads.Open(fsys, path)
	if err != nil {
		return "", nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return weights.Load(f, size)
}

// loadedValue makes a value of Python of what a file holds.
func loadedValue(th value.Thread, v any, path, newArray value.Value) (value.Value, error) {
	all := func(items []any) ([]value.Value, error) {
		out := make([]value.Value, len(items))
		for i, x := range items {
			var err error
			if out[i], err = loadedValue(th, x, path, newArray); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	switch v := v.(type) {
	case nil:
		return value.None, nil
	case bool:
		return value.Bool(v), nil
	case int64:
		return value.Int(v), nil
	case float64:
		return value.Float(v), nil
	case string:
		return value.Str(v), nil
	case *weights.List:
		items, err := all(v.Items)
		return th.Heap().NewList(items), err
	case *weights.Tuple:
		items, err := all(v.Items)
		return value.NewTuple(items...), err
	case *weights.Dict:
		keys, err := all(v.Keys)
		if err != nil {
			return nil, err
		}
		values, err := all(v.Values)
		if err != nil {
			return nil, err
		}
		d := th.Heap().NewDict()
		for i, k := range keys {
			if err := th.SetItem(d, k, values[i]); err != nil {
				return nil, err
			}
		}
		return d, nil
	case weights.Array:
		d, ok := dtype.Parse(v.DType.String())
		if !ok {
			return th.Unknown("an array of a type that is not known"), nil
		}
		shape := make([]value.Value, len(v.Dims))
		for i, n := range v.Dims {
			shape[i] = value.Int(n)
		}
		return th.Call(newArray, []value.Value{value.DType{D: d}, value.NewTuple(shape...), path}, nil)
	case weights.Class:
		return th.Unknown("the class " + v.Name + " in a file"), nil
	}
	return th.Unknown("a value in a file"), nil
}
