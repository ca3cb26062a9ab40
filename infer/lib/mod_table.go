package lib

// This file lists the modules that have a native part.

var nativeModules = map[string]nativeModule{
	"abc":               abcModule,
	"collections":       collectionsModule,
	"collections.abc":   collectionsABCModule,
	"copy":              copyModule,
	"dataclasses":       dataclassesModule,
	"functools":         functoolsModule,
	"itertools":         itertoolsModule,
	"math":              mathModule,
	"operator":          operatorModule,
	"typing":            typingModule,
	"typing_extensions": typingExtensionsModule,
}
