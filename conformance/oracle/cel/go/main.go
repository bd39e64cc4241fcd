// Evaluates cases, one JSON object per line: "expressions" evaluates single expressions, "definitions" validates a schema with rules as a
// CustomResourceDefinition, and objects against it, "costs" estimates the cost of the rules at the root of a schema, and "policies" validates
// the objects of admission policies and their bindings.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	policyinstall "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	policyvalidation "k8s.io/kubernetes/pkg/apis/admissionregistration/validation"
)

type caseIn struct {
	ID         string          `json:"id"`
	Expression string          `json:"expression"`
	Schema     json.RawMessage `json:"schema"`
	Policy     json.RawMessage `json:"policy"`
	Objects    []struct {
		Object json.RawMessage `json:"object"`
		Old    json.RawMessage `json:"old"`
	} `json:"objects"`
}

type problem struct {
	Type    string `json:"type"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

type checked struct {
	Problems []problem `json:"problems"`
	Warnings []string  `json:"warnings,omitempty"`
}

type caseOut struct {
	ID      string      `json:"id"`
	Problem string      `json:"problem,omitempty"`
	Value   interface{} `json:"value,omitempty"`
	// Errors of the definition; objects are validated only if there are none.
	Definition []problem `json:"definition,omitempty"`
	Objects    []checked `json:"objects,omitempty"`
	// The greatest estimated cost of each rule, as text because it may exceed the integers of JavaScript; 0 if the rule does not compile.
	Costs []string `json:"costs,omitempty"`
	// Errors of a policy or binding.
	Policy []problem `json:"policy,omitempty"`
}

var scheme = runtime.NewScheme()

func main() {
	install.Install(scheme)
	policyinstall.Install(scheme)
	answers := map[string]func(caseIn) caseOut{"expressions": evaluate, "definitions": define, "costs": estimate, "policies": validatePolicy}
	answer := answers[os.Args[1]]
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	out := bufio.NewWriter(os.Stdout)
	for in.Scan() {
		var each caseIn
		must(json.Unmarshal(in.Bytes(), &each))
		text, err := json.Marshal(answer(each))
		must(err)
		fmt.Fprintf(out, "%s\n", text)
	}
	must(in.Err())
	must(out.Flush())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func evaluate(each caseIn) caseOut {
	out := caseOut{ID: each.ID}
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).NewExpressionsEnv()
	ast, issues := env.Compile(each.Expression)
	if issues != nil {
		out.Problem = "compile: " + issues.Errors()[0].Message
		return out
	}
	program, err := env.Program(ast)
	if err != nil {
		out.Problem = "program: " + err.Error()
		return out
	}
	value, _, err := program.Eval(map[string]interface{}{})
	if err != nil {
		out.Problem = "evaluate: " + err.Error()
		return out
	}
	out.Value = plain(value)
	return out
}

// plain marks types that JSON does not distinguish.
func plain(value ref.Val) interface{} {
	switch typed := value.(type) {
	case types.Int:
		return map[string]interface{}{"int": fmt.Sprint(int64(typed))}
	case types.Uint:
		return map[string]interface{}{"uint": fmt.Sprint(uint64(typed))}
	case types.Double:
		return map[string]interface{}{"double": fmt.Sprint(float64(typed))}
	case types.Bool, types.String:
		return typed.Value()
	case types.Null:
		return map[string]interface{}{"null": true}
	case types.Bytes:
		return map[string]interface{}{"bytes": []byte(typed)}
	case types.Timestamp:
		return map[string]interface{}{"timestamp": fmt.Sprint(typed.UTC().UnixMilli())}
	case types.Duration:
		return map[string]interface{}{"duration": fmt.Sprint(typed.Nanoseconds())}
	case *types.Optional:
		if !typed.HasValue() {
			return map[string]interface{}{"optional": nil}
		}
		return map[string]interface{}{"optional": plain(typed.GetValue())}
	case traits.Lister:
		list := []interface{}{}
		for i := typed.Iterator(); i.HasNext() == types.True; {
			list = append(list, plain(i.Next()))
		}
		return list
	case traits.Mapper:
		entries := [][]interface{}{}
		for i := typed.Iterator(); i.HasNext() == types.True; {
			key := i.Next()
			entries = append(entries, []interface{}{plain(key), plain(typed.Get(key))})
		}
		sort.Slice(entries, func(a, b int) bool { return fmt.Sprint(entries[a][0]) < fmt.Sprint(entries[b][0]) })
		return map[string]interface{}{"map": entries}
	}
	return map[string]interface{}{"type": value.Type().TypeName()}
}

func define(each caseIn) caseOut {
	out := caseOut{ID: each.ID}
	crd := &apiextensions.CustomResourceDefinition{}
	must(scheme.Convert(definition(each.Schema), crd, nil))
	if errs := validation.ValidateCustomResourceDefinition(context.Background(), crd); len(errs) > 0 {
		out.Definition = problems(errs)
		return out
	}
	structural, err := schema.NewStructural(crd.Spec.Validation.OpenAPIV3Schema)
	must(err)
	validator := schemacel.NewValidator(structural, true, celconfig.PerCallLimit)
	for _, given := range each.Objects {
		out.Objects = append(out.Objects, check(validator, structural, decoded(given.Object), decoded(given.Old)))
	}
	return out
}

func estimate(each caseIn) caseOut {
	out := caseOut{ID: each.ID}
	crd := &apiextensions.CustomResourceDefinition{}
	must(scheme.Convert(definition(each.Schema), crd, nil))
	structural, err := schema.NewStructural(crd.Spec.Validation.OpenAPIV3Schema)
	if err != nil {
		out.Problem = err.Error()
		return out
	}
	declType := model.SchemaDeclType(structural, false)
	if declType == nil {
		out.Problem = "no type"
		return out
	}
	envSet := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	results, err := schemacel.Compile(structural, declType, celconfig.PerCallLimit, envSet, schemacel.NewExpressionsEnvLoader())
	must(err)
	for _, result := range results {
		if result.Error != nil {
			out.Problem = (*apiservercel.Error)(result.Error).Detail
		}
		out.Costs = append(out.Costs, fmt.Sprint(result.MaxCost))
	}
	return out
}

func validatePolicy(each caseIn) caseOut {
	out := caseOut{ID: each.ID}
	versioned, _, err := serializer.NewCodecFactory(scheme).UniversalDeserializer().Decode(each.Policy, nil, nil)
	if err != nil {
		out.Problem = err.Error()
		return out
	}
	scheme.Default(versioned)
	internal, err := scheme.ConvertToVersion(versioned, admissionregistration.SchemeGroupVersion)
	must(err)
	switch typed := internal.(type) {
	case *admissionregistration.ValidatingAdmissionPolicy:
		out.Policy = problems(policyvalidation.ValidateValidatingAdmissionPolicy(typed))
	case *admissionregistration.ValidatingAdmissionPolicyBinding:
		out.Policy = problems(policyvalidation.ValidateValidatingAdmissionPolicyBinding(typed))
	case *admissionregistration.MutatingAdmissionPolicy:
		out.Policy = problems(policyvalidation.ValidateMutatingAdmissionPolicy(typed))
	case *admissionregistration.MutatingAdmissionPolicyBinding:
		out.Policy = problems(policyvalidation.ValidateMutatingAdmissionPolicyBinding(typed))
	}
	return out
}

func definition(openAPI json.RawMessage) *v1.CustomResourceDefinition {
	text := `{"metadata":{"name":"things.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"things",
	"singular":"thing","kind":"Thing","listKind":"ThingList"},"versions":[{"name":"v1","served":true,"storage":true,
	"schema":{"openAPIV3Schema":` + string(openAPI) + `}}]},"status":{"storedVersions":["v1"]}}`
	crd := &v1.CustomResourceDefinition{}
	must(json.Unmarshal([]byte(text), crd))
	v1.SetDefaults_CustomResourceDefinitionSpec(&crd.Spec)
	return crd
}

func decoded(text json.RawMessage) interface{} {
	if len(text) == 0 {
		return nil
	}
	var value interface{}
	must(utiljson.Unmarshal(text, &value))
	return value
}

type recorder struct{ texts []string }

func (r *recorder) AddWarning(_, text string) { r.texts = append(r.texts, text) }

func check(validator *schemacel.Validator, structural *schema.Structural, object, old interface{}) checked {
	warned := &recorder{}
	ctx := warning.WithWarningRecorder(context.Background(), warned)
	var options []schemacel.Option
	if old != nil {
		options = append(options, schemacel.WithRatcheting(common.NewCorrelatedObject(object, old, &model.Structural{Structural: structural})))
	}
	errs, _ := validator.Validate(ctx, nil, structural, object, old, celconfig.RuntimeCELCostBudget, options...)
	return checked{Problems: problems(errs), Warnings: warned.texts}
}

func problems(errs field.ErrorList) []problem {
	found := []problem{}
	for _, err := range errs {
		found = append(found, problem{string(err.Type), err.Field, err.ErrorBody()})
	}
	sort.SliceStable(found, func(a, b int) bool { return found[a].Field < found[b].Field })
	return found
}
