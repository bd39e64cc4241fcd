// Answers cases of authorization with the code of kube-apiserver: decisions about requests, the rules of users, checks of privilege
// escalation, and impersonation. Reads a case per line, writes an answer per line.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/authorization/union"
	"k8s.io/apiserver/pkg/endpoints/filters/impersonation"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kubernetes/pkg/registry/rbac/validation"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"
)

type userInfo struct {
	Username string              `json:"username"`
	UID      string              `json:"uid,omitempty"`
	Groups   []string            `json:"groups"`
	Extra    map[string][]string `json:"extra,omitempty"`
}

func (u userInfo) info() *user.DefaultInfo {
	return &user.DefaultInfo{Name: u.Username, UID: u.UID, Groups: u.Groups, Extra: u.Extra}
}

type attributes struct {
	User        userInfo `json:"user"`
	Verb        string   `json:"verb"`
	Resource    *string  `json:"resource"`
	Group       string   `json:"group"`
	Version     string   `json:"version"`
	Subresource string   `json:"subresource"`
	Namespace   string   `json:"namespace"`
	Name        string   `json:"name"`
	Path        string   `json:"path"`
}

func (a attributes) record() authorizer.AttributesRecord {
	record := authorizer.AttributesRecord{User: a.User.info(), Verb: a.Verb, Path: a.Path}
	if a.Resource != nil {
		record.ResourceRequest = true
		record.Resource, record.APIGroup, record.APIVersion = *a.Resource, a.Group, a.Version
		record.Subresource, record.Namespace, record.Name = a.Subresource, a.Namespace, a.Name
	}
	return record
}

type grant struct {
	User      userInfo            `json:"user"`
	Namespace string              `json:"namespace"`
	Rules     []rbacv1.PolicyRule `json:"rules"`
}

type impersonated struct {
	Request attributes          `json:"request"`
	Headers map[string][]string `json:"headers"`
}

type testCase struct {
	ID                  string                      `json:"id"`
	Roles               []rbacv1.Role               `json:"roles"`
	ClusterRoles        []rbacv1.ClusterRole        `json:"clusterRoles"`
	RoleBindings        []rbacv1.RoleBinding        `json:"roleBindings"`
	ClusterRoleBindings []rbacv1.ClusterRoleBinding `json:"clusterRoleBindings"`
	Requests            []attributes                `json:"requests"`
	Grants              []grant                     `json:"grants"`
	Impersonations      []impersonated              `json:"impersonations"`
}

type decision struct {
	Allowed bool   `json:"allowed"`
	Reason  string `json:"reason"`
	Message string `json:"message,omitempty"`
}

type ruleList struct {
	Rules   []rbacv1.PolicyRule `json:"rules"`
	Problem string              `json:"problem"`
}

type impersonationResult struct {
	User    *userInfo `json:"user,omitempty"`
	Code    int       `json:"code,omitempty"`
	Message string    `json:"message,omitempty"`
}

type answer struct {
	ID             string                `json:"id"`
	Decisions      []decision            `json:"decisions"`
	Rules          []ruleList            `json:"rules"`
	Grants         []string              `json:"grants"`
	Impersonations []impersonationResult `json:"impersonations"`
}

// world finds roles and bindings in a case. resource is the name of the resource in errors, which differs between the authorizer's lister
// and the registry of the API.
type world struct {
	*testCase
	role, clusterRole string
}

func (w world) GetRole(_ context.Context, namespace, name string) (*rbacv1.Role, error) {
	for i := range w.Roles {
		if w.Roles[i].Namespace == namespace && w.Roles[i].Name == name {
			return &w.Roles[i], nil
		}
	}
	return nil, errors.NewNotFound(rbacv1.Resource(w.role), name)
}

func (w world) GetClusterRole(_ context.Context, name string) (*rbacv1.ClusterRole, error) {
	for i := range w.ClusterRoles {
		if w.ClusterRoles[i].Name == name {
			return &w.ClusterRoles[i], nil
		}
	}
	return nil, errors.NewNotFound(rbacv1.Resource(w.clusterRole), name)
}

func (w world) ListRoleBindings(_ context.Context, namespace string) ([]*rbacv1.RoleBinding, error) {
	result := []*rbacv1.RoleBinding{}
	for i := range w.RoleBindings {
		if w.RoleBindings[i].Namespace == namespace {
			result = append(result, &w.RoleBindings[i])
		}
	}
	return result, nil
}

func (w world) ListClusterRoleBindings(context.Context) ([]*rbacv1.ClusterRoleBinding, error) {
	result := []*rbacv1.ClusterRoleBinding{}
	for i := range w.ClusterRoleBindings {
		result = append(result, &w.ClusterRoleBindings[i])
	}
	return result, nil
}

func run(c *testCase) answer {
	ctx := context.Background()
	listed := world{c, "role", "clusterrole"}
	stored := world{c, "roles", "clusterroles"}
	rules := rbac.New(listed, listed, listed, listed)
	all := union.New(authorizerfactory.NewPrivilegedGroups(user.SystemPrivilegedGroup), rules)
	result := answer{ID: c.ID, Decisions: []decision{}, Rules: []ruleList{}, Grants: []string{}, Impersonations: []impersonationResult{}}
	for _, each := range c.Requests {
		record := each.record()
		allowed, reason, _ := all.Authorize(ctx, record)
		d := decision{Allowed: allowed == authorizer.DecisionAllow, Reason: reason}
		if !d.Allowed {
			d.Message = responsewriters.ForbiddenStatusError(record, reason).Error()
		}
		result.Decisions = append(result.Decisions, d)
	}
	resolver := validation.NewDefaultRuleResolver(listed, listed, listed, listed)
	storedResolver := validation.NewDefaultRuleResolver(stored, stored, stored, stored)
	for _, each := range c.Grants {
		found, err := resolver.RulesFor(ctx, each.User.info(), each.Namespace)
		list := ruleList{Rules: found}
		if err != nil {
			list.Problem = err.Error()
		}
		result.Rules = append(result.Rules, list)
		message := ""
		grantCtx := request.WithNamespace(request.WithUser(ctx, each.User.info()), each.Namespace)
		if err := validation.ConfirmNoEscalation(grantCtx, storedResolver, each.Rules); err != nil {
			message = err.Error()
		}
		result.Grants = append(result.Grants, message)
	}
	// One handler for all requests of a case, because it remembers the last mode of each user.
	var seen *userInfo
	scheme := runtime.NewScheme()
	handler := impersonation.WithConstrainedImpersonation(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		info, _ := request.UserFrom(req.Context())
		seen = &userInfo{Username: info.GetName(), UID: info.GetUID(), Groups: info.GetGroups(), Extra: info.GetExtra()}
	}), all, serializer.NewCodecFactory(scheme).WithoutConversion())
	for _, each := range c.Impersonations {
		seen = nil
		result.Impersonations = append(result.Impersonations, impersonate(ctx, handler, each))
		last := &result.Impersonations[len(result.Impersonations)-1]
		last.User = seen
		if seen != nil {
			last.Code, last.Message = 0, ""
		}
	}
	return result
}

func impersonate(ctx context.Context, handler http.Handler, each impersonated) impersonationResult {
	record := each.Request.record()
	info := request.RequestInfo{
		IsResourceRequest: record.ResourceRequest, Path: record.Path, Verb: record.Verb, APIGroup: record.APIGroup, APIVersion: record.APIVersion,
		Namespace: record.Namespace, Resource: record.Resource, Subresource: record.Subresource, Name: record.Name,
	}
	req := httptest.NewRequest("GET", "/", nil)
	for name, values := range each.Headers {
		for _, value := range values {
			req.Header.Add(name, value)
		}
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, req.WithContext(request.WithRequestInfo(request.WithUser(ctx, record.User), &info)))
	var status struct {
		Message string `json:"message"`
	}
	body, _ := io.ReadAll(recorder.Body)
	if recorder.Code >= 400 {
		if err := json.Unmarshal(body, &status); err != nil {
			status.Message = string(body)
		}
	}
	return impersonationResult{Code: recorder.Code, Message: status.Message}
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var c testCase
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := encoder.Encode(run(&c)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
