package lib

// This file lists the modules that have a native part.

var nativeModules = map[string]nativeModule{
	"abc":               abcModule,
	"collections":       collectionsModule,
	"_collections_abc":  collectionsABCModule,
	"collections.abc":   sameAs("_collections_abc"),
	"copy":              copyModule,
	"dataclasses":       dataclassesModule,
	"functools":         functoolsModule,
	"itertools":         itertoolsModule,
	"math":              mathModule,
	"operator":          operatorModule,
	"os":                osModule,
	"os.path":           sameAs("posixpath"),
	"posixpath":         osPathModule,
	"random":            randomModule,
	"re":                reModuleFill,
	"sys":               sysModule,
	"typing":            typingModule,
	"typing_extensions": sameAs("typing"),
}
