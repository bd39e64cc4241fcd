// Reads the sources of Gateway API's conformance tests and prints, as JSON, the requests that they make with the expected responses.
// It interprets the test functions far enough for that: literals, variables, loops over literals, subtests and helper functions.
// Usage: main FOLDER API, the folders of the modules sigs.k8s.io/gateway-api/conformance and sigs.k8s.io/gateway-api.
package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type test struct {
	Name      string   `json:"name"`
	File      string   `json:"file"`
	Manifests []string `json:"manifests"`
	Calls     []call   `json:"calls"`
}

// call is a recorded call of a function, with all of its arguments that are data.
type call struct {
	Function string  `json:"function"`
	Line     int     `json:"line"`
	Gateway  string  `json:"gateway"`
	Listener string  `json:"listener,omitempty"`
	Port     string  `json:"port,omitempty"`
	Args     []value `json:"args"`
}

func main() {
	folder := os.Args[1]
	files := token.NewFileSet()
	constants := readConstants(files, filepath.Join(folder, "utils/*/*.go"), filepath.Join(os.Args[2], "apis/v1/*.go"))
	paths, err := filepath.Glob(filepath.Join(folder, "tests", "*.go"))
	check(err)
	sort.Strings(paths)
	parsed := map[string]*ast.File{}
	functions := map[string]*ast.FuncDecl{}
	for _, path := range paths {
		file, err := parser.ParseFile(files, path, nil, 0)
		check(err)
		parsed[path] = file
		for _, declaration := range file.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok && function.Recv == nil {
				functions[function.Name.Name] = function
			}
		}
	}
	tests := []test{}
	for _, path := range paths {
		machine := &machine{files: files, constants: constants, functions: functions, imports: readImports(parsed[path])}
		for _, literal := range findTests(parsed[path]) {
			tests = append(tests, machine.runTest(filepath.Base(path), literal))
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(tests))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// readConstants returns the string and number constants of packages, by "package.Name".
func readConstants(files *token.FileSet, patterns ...string) map[string]value {
	constants := map[string]value{}
	paths := []string{}
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		check(err)
		paths = append(paths, found...)
	}
	for _, path := range paths {
		file, err := parser.ParseFile(files, path, nil, 0)
		check(err)
		for _, declaration := range file.Decls {
			general, ok := declaration.(*ast.GenDecl)
			if !ok || general.Tok != token.CONST {
				continue
			}
			for _, spec := range general.Specs {
				names, values := spec.(*ast.ValueSpec).Names, spec.(*ast.ValueSpec).Values
				for i, name := range names {
					if i < len(values) {
						if literal, ok := values[i].(*ast.BasicLit); ok {
							constants[file.Name.Name+"."+name.Name] = literalValue(literal)
						}
					}
				}
			}
		}
	}
	return constants
}

// readImports returns the last elements of the paths of imports, by the names that a file uses.
func readImports(file *ast.File) map[string]string {
	imports := map[string]string{}
	for _, each := range file.Imports {
		path := strings.Trim(each.Path.Value, `"`)
		name := path[strings.LastIndex(path, "/")+1:]
		imports[name] = name
		if each.Name != nil {
			imports[each.Name.Name] = name
		}
	}
	return imports
}

// findTests returns the literals of the type ConformanceTest.
func findTests(file *ast.File) []*ast.CompositeLit {
	found := []*ast.CompositeLit{}
	ast.Inspect(file, func(node ast.Node) bool {
		literal, ok := node.(*ast.CompositeLit)
		if ok && strings.HasSuffix(typeName(literal.Type), ".ConformanceTest") {
			found = append(found, literal)
			return false
		}
		return true
	})
	return found
}

func (m *machine) runTest(file string, literal *ast.CompositeLit) test {
	result := test{File: file, Manifests: []string{}, Calls: []call{}}
	m.calls = nil
	for _, element := range literal.Elts {
		field := element.(*ast.KeyValueExpr)
		switch field.Key.(*ast.Ident).Name {
		case "ShortName":
			result.Name, _ = m.evaluate(field.Value, newScope(nil)).(string)
		case "Manifests":
			for _, manifest := range m.evaluate(field.Value, newScope(nil)).([]value) {
				result.Manifests = append(result.Manifests, manifest.(string))
			}
		case "Test":
			if function, ok := field.Value.(*ast.FuncLit); ok {
				m.block(function.Body.List, newScope(nil))
			}
		}
	}
	result.Calls = append(result.Calls, m.calls...)
	return result
}
