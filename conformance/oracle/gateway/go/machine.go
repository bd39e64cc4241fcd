package main

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// value is nil if unknown, or a string, float64, bool, []value, map[string]value, closure or address.
type value any

// closure is a function literal with its scope.
type closure struct {
	literal *ast.FuncLit
	scope   *scope
}

// address stands for a Gateway, and for everything that is computed from it.
type address struct {
	gateway, listener, port string
}

type scope struct {
	values map[string]value
	parent *scope
}

func newScope(parent *scope) *scope { return &scope{map[string]value{}, parent} }

func (s *scope) find(name string) (*scope, bool) {
	for ; s != nil; s = s.parent {
		if _, ok := s.values[name]; ok {
			return s, true
		}
	}
	return nil, false
}

type machine struct {
	files     *token.FileSet
	constants map[string]value
	functions map[string]*ast.FuncDecl
	imports   map[string]string
	calls     []call
	depth     int
}

func (m *machine) block(statements []ast.Stmt, s *scope) {
	for _, statement := range statements {
		m.execute(statement, s)
	}
}

// execute runs a statement. Both branches of an unknown condition are run.
func (m *machine) execute(statement ast.Stmt, s *scope) {
	switch node := statement.(type) {
	case *ast.BlockStmt:
		m.block(node.List, newScope(s))
	case *ast.ExprStmt:
		m.evaluate(node.X, s)
	case *ast.AssignStmt:
		m.assign(node.Lhs, node.Rhs, node.Tok == token.DEFINE, s)
	case *ast.DeclStmt:
		for _, spec := range node.Decl.(*ast.GenDecl).Specs {
			if variable, ok := spec.(*ast.ValueSpec); ok {
				names := []ast.Expr{}
				for _, name := range variable.Names {
					names = append(names, name)
				}
				m.assign(names, variable.Values, true, s)
			}
		}
	case *ast.IfStmt:
		inner := newScope(s)
		if node.Init != nil {
			m.execute(node.Init, inner)
		}
		condition, known := m.evaluate(node.Cond, inner).(bool)
		if !known || condition {
			m.block(node.Body.List, newScope(inner))
		}
		if node.Else != nil && (!known || !condition) {
			m.execute(node.Else, inner)
		}
	case *ast.RangeStmt:
		m.iterate(node, s)
	case *ast.ReturnStmt:
		for _, result := range node.Results {
			m.evaluate(result, s)
		}
	case *ast.DeferStmt, *ast.SwitchStmt, *ast.IncDecStmt, *ast.BranchStmt, *ast.ForStmt, *ast.GoStmt:
	}
}

func (m *machine) assign(names []ast.Expr, values []ast.Expr, define bool, s *scope) {
	for i, name := range names {
		var assigned value
		if i < len(values) {
			assigned = m.evaluate(values[i], s)
		}
		switch target := name.(type) {
		case *ast.Ident:
			where, ok := s.find(target.Name)
			if define || !ok {
				where = s
			}
			where.values[target.Name] = assigned
		case *ast.SelectorExpr:
			if object, ok := m.evaluate(target.X, s).(map[string]value); ok {
				object[target.Sel.Name] = assigned
			}
		}
	}
}

func (m *machine) iterate(node *ast.RangeStmt, s *scope) {
	run := func(key, item value) {
		inner := newScope(s)
		for name, assigned := range map[ast.Expr]value{node.Key: key, node.Value: item} {
			if identifier, ok := name.(*ast.Ident); ok {
				inner.values[identifier.Name] = assigned
			}
		}
		m.block(node.Body.List, inner)
	}
	switch items := m.evaluate(node.X, s).(type) {
	case []value:
		for i, item := range items {
			run(float64(i), item)
		}
	case nil, float64:
		run(nil, nil)
	}
}

// qualify replaces the name of an import by the last element of its path.
func (m *machine) qualify(name string) string {
	prefix, rest, ok := strings.Cut(name, ".")
	if actual := m.imports[prefix]; ok && actual != "" {
		return actual + "." + rest
	}
	return name
}

func (m *machine) evaluate(expression ast.Expr, s *scope) value {
	switch node := expression.(type) {
	case *ast.BasicLit:
		return literalValue(node)
	case *ast.Ident:
		if node.Name == "true" || node.Name == "false" {
			return node.Name == "true"
		}
		if where, ok := s.find(node.Name); ok {
			return where.values[node.Name]
		}
		return nil
	case *ast.SelectorExpr:
		return m.selectField(node, s)
	case *ast.CompositeLit:
		return m.literal(node, s)
	case *ast.FuncLit:
		return closure{node, s}
	case *ast.UnaryExpr:
		if node.Op == token.AND {
			return m.evaluate(node.X, s)
		}
		return nil
	case *ast.StarExpr:
		return m.evaluate(node.X, s)
	case *ast.ParenExpr:
		return m.evaluate(node.X, s)
	case *ast.BinaryExpr:
		left, right := m.evaluate(node.X, s), m.evaluate(node.Y, s)
		if a, ok := left.(string); ok && node.Op == token.ADD {
			if b, ok := right.(string); ok {
				return a + b
			}
		}
		return taint([]value{left, right})
	case *ast.IndexExpr:
		collection, index := m.evaluate(node.X, s), m.evaluate(node.Index, s)
		if items, ok := collection.([]value); ok {
			if i, ok := index.(float64); ok && int(i) < len(items) {
				return items[int(i)]
			}
		}
		if object, ok := collection.(map[string]value); ok {
			if key, ok := index.(string); ok {
				return object[key]
			}
		}
		return taint([]value{collection})
	case *ast.CallExpr:
		return m.call(node, s)
	}
	return nil
}

func (m *machine) selectField(node *ast.SelectorExpr, s *scope) value {
	if identifier, ok := node.X.(*ast.Ident); ok {
		if _, local := s.find(identifier.Name); !local {
			name := m.qualify(identifier.Name + "." + node.Sel.Name)
			if constant, ok := m.constants[name]; ok {
				return constant
			}
			return name
		}
	}
	if object, ok := m.evaluate(node.X, s).(map[string]value); ok {
		return object[node.Sel.Name]
	}
	return nil
}

// literal returns a list, or a map with the fields of a struct or the entries of a map.
func (m *machine) literal(node *ast.CompositeLit, s *scope) value {
	if list, ok := node.Type.(*ast.ArrayType); ok {
		items := []value{}
		for _, element := range node.Elts {
			if literal, ok := element.(*ast.CompositeLit); ok && literal.Type == nil {
				literal.Type = list.Elt
			}
			items = append(items, m.evaluate(element, s))
		}
		return items
	}
	object := map[string]value{}
	if name := typeName(node.Type); strings.HasSuffix(name, "Route") || strings.HasSuffix(name, "Grant") {
		object["kind"] = name[strings.LastIndex(name, ".")+1:]
	}
	for _, element := range node.Elts {
		field, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, isField := field.Key.(*ast.Ident)
		if _, isMap := node.Type.(*ast.MapType); isField && !isMap {
			object[key.Name] = m.evaluate(field.Value, s)
		} else if text, ok := m.evaluate(field.Key, s).(string); ok {
			object[text] = m.evaluate(field.Value, s)
		}
	}
	return object
}

func (m *machine) call(node *ast.CallExpr, s *scope) value {
	name := m.qualify(typeName(node.Fun))
	arguments := []value{}
	for _, argument := range node.Args {
		arguments = append(arguments, m.evaluate(argument, s))
	}
	if items, ok := last(arguments).([]value); ok && node.Ellipsis.IsValid() {
		arguments = append(arguments[:len(arguments)-1], items...)
	}
	if target, ok := taint(arguments).(address); ok && strings.HasSuffix(name, "JoinHostPort") {
		target.port, _ = last(arguments).(string)
		return target
	}
	if strings.HasSuffix(name, "NewGatewayRef") {
		gateway, _ := arguments[0].(map[string]value)
		namespace, _ := gateway["Namespace"].(string)
		object, _ := gateway["Name"].(string)
		reference := address{gateway: namespace + "/" + object}
		if len(arguments) > 1 {
			reference.listener, _ = arguments[1].(string)
		}
		return reference
	}
	if name == "append" {
		items, _ := arguments[0].([]value)
		return append(append([]value{}, items...), arguments[1:]...)
	}
	m.record(name, node, arguments)
	m.enter(node, arguments, s)
	if len(arguments) == 1 && name != "len" {
		return arguments[0] // A conversion, or a pointer to a value.
	}
	return taint(arguments)
}

func last(values []value) value {
	if len(values) == 0 {
		return nil
	}
	return values[len(values)-1]
}

// record stores a call that makes a request to a Gateway, that changes an object, or that checks a condition of a route.
func (m *machine) record(name string, node *ast.CallExpr, arguments []value) {
	function := name[strings.LastIndex(name, ".")+1:]
	target, ok := taint(arguments).(address)
	isRequest := ok && (strings.HasPrefix(function, "Make") || strings.HasPrefix(function, "Expect"))
	isOther := function == "TestWeightedDistribution" || function == "MustApplyObjectsWithCleanup" || function == "Delete" ||
		strings.HasSuffix(function, "RouteMustHaveCondition")
	if !isRequest && !isOther {
		return
	}
	data := []value{}
	for _, argument := range arguments {
		switch argument.(type) {
		case string, map[string]value, []value, bool:
			data = append(data, copyOf(argument))
		}
	}
	m.calls = append(m.calls, call{name, m.files.Position(node.Pos()).Line, target.gateway, target.listener, target.port, data})
}

// enter runs functions that are called or passed, except for those of senders: requests that only repeat an earlier one.
func (m *machine) enter(node *ast.CallExpr, arguments []value, s *scope) {
	if m.depth > 20 {
		return
	}
	m.depth++
	defer func() { m.depth-- }()
	identifier, _ := node.Fun.(*ast.Ident)
	if identifier != nil {
		if where, ok := s.find(identifier.Name); ok {
			if function, ok := where.values[identifier.Name].(closure); ok {
				m.apply(function.literal.Type, function.literal.Body, arguments, function.scope)
			}
		} else if function := m.functions[identifier.Name]; function != nil {
			m.apply(function.Type, function.Body, arguments, nil)
		}
	}
	if strings.HasSuffix(typeName(node.Fun), ".Run") && len(arguments) > 1 {
		if function, ok := arguments[1].(closure); ok {
			m.block(function.literal.Body.List, newScope(function.scope))
		}
	}
}

func (m *machine) apply(signature *ast.FuncType, body *ast.BlockStmt, arguments []value, parent *scope) {
	inner := newScope(parent)
	i := 0
	for _, field := range signature.Params.List {
		for _, name := range field.Names {
			if i < len(arguments) {
				inner.values[name.Name] = arguments[i]
			}
			i++
		}
	}
	m.block(body.List, inner)
}

// taint returns the address among some values: the result of a call that depends on it stands for the same Gateway.
func taint(values []value) value {
	for _, each := range values {
		if target, ok := each.(address); ok {
			return target
		}
	}
	return nil
}

func copyOf(source value) value {
	switch node := source.(type) {
	case map[string]value:
		result := map[string]value{}
		for key, item := range node {
			if copied := copyOf(item); copied != nil {
				result[key] = copied
			}
		}
		return result
	case []value:
		result := []value{}
		for _, item := range node {
			result = append(result, copyOf(item))
		}
		return result
	case closure, address:
		return nil
	}
	return source
}

func literalValue(literal *ast.BasicLit) value {
	switch literal.Kind {
	case token.STRING:
		text, err := strconv.Unquote(literal.Value)
		check(err)
		return text
	case token.INT, token.FLOAT:
		number, err := strconv.ParseFloat(literal.Value, 64)
		check(err)
		return number
	}
	return nil
}

// typeName returns a qualified name as in the source, for example "http.ExpectedResponse".
func typeName(expression ast.Expr) string {
	switch node := expression.(type) {
	case *ast.Ident:
		return node.Name
	case *ast.SelectorExpr:
		return typeName(node.X) + "." + node.Sel.Name
	}
	return ""
}
