// Uses typed clients that speak protobuf: creates, reads, lists, watches, updates, patches and deletes objects of built-in kinds, and a
// CustomResourceDefinition. Prints a line for each step, and ends with code 1 at the first difference.
//
//	protobuf-client --kubeconfig FILE
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/retry"
)

// large is an integer that a double cannot represent.
const large int64 = 1<<53 + 1

const namespace = "protobuf"

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the kubeconfig of the cluster")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	must("kubeconfig", err)
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return onlyProtobuf{next} })
	clients := kubernetes.NewForConfigOrDie(config)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Second)
	defer cancel()
	_, err = clients.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	must("create namespace", err)
	checkConfigMaps(ctx, clients)
	checkDeployments(ctx, clients)
	checkPods(ctx, clients)
	checkLeases(ctx, clients)
	checkDefinitions(ctx, config)
	must("delete namespace", clients.CoreV1().Namespaces().Delete(ctx, namespace, metav1.DeleteOptions{}))
	fmt.Println("all steps passed")
}

// onlyProtobuf fails if an answer is not protobuf.
type onlyProtobuf struct{ next http.RoundTripper }

func (o onlyProtobuf) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := o.next.RoundTrip(request)
	if err == nil && !strings.HasPrefix(response.Header.Get("Content-Type"), runtime.ContentTypeProtobuf) {
		err = fmt.Errorf("%s %s: the answer is %s", request.Method, request.URL.Path, response.Header.Get("Content-Type"))
	}
	return response, err
}

func must(step string, err error) {
	if err != nil {
		fmt.Printf("FAILED %s: %v\n", step, err)
		os.Exit(1)
	}
	fmt.Println(step)
}

func equal(step string, actual, expected any) {
	var err error
	if !reflect.DeepEqual(actual, expected) {
		err = fmt.Errorf("is %v, expected %v", actual, expected)
	}
	must(step, err)
}

func expectEvents(step string, watcher watch.Interface, expected ...watch.EventType) {
	defer watcher.Stop()
	var actual []watch.EventType
	for len(actual) < len(expected) {
		event, open := <-watcher.ResultChan()
		if !open {
			break
		}
		actual = append(actual, event.Type)
	}
	equal(step, actual, expected)
}

func checkConfigMaps(ctx context.Context, clients *kubernetes.Clientset) {
	maps := clients.CoreV1().ConfigMaps(namespace)
	created, err := maps.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"app": "a"}},
		Data:       map[string]string{"text": "é"},
		BinaryData: map[string][]byte{"bytes": {0, 255}},
	}, metav1.CreateOptions{})
	must("create a ConfigMap", err)
	equal("its bytes", created.BinaryData["bytes"], []byte{0, 255})
	created.Data["text"] = "changed"
	updated, err := maps.Update(ctx, created, metav1.UpdateOptions{})
	must("update a ConfigMap", err)
	equal("its text", updated.Data["text"], "changed")
	patched, err := maps.Patch(ctx, "a", types.MergePatchType, []byte(`{"data":{"more":"x"}}`), metav1.PatchOptions{})
	must("patch a ConfigMap", err)
	equal("its texts", patched.Data, map[string]string{"text": "changed", "more": "x"})
	list, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "app=a"})
	must("list ConfigMaps", err)
	equal("their number", len(list.Items), 1)
	watcher, err := maps.Watch(ctx, metav1.ListOptions{LabelSelector: "app=a", ResourceVersion: list.ResourceVersion})
	must("watch ConfigMaps", err)
	must("delete the ConfigMaps", maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "app=a"}))
	expectEvents("events of ConfigMaps", watcher, watch.Deleted)
}

func template() corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{
			Containers:  []corev1.Container{{Name: "main", Image: "registry.example/web"}},
			Tolerations: []corev1.Toleration{{Key: "a", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: ptr(large)}},
		},
	}
}

func ptr[T any](value T) *T { return &value }

func checkDeployments(ctx context.Context, clients *kubernetes.Clientset) {
	deployments := clients.AppsV1().Deployments(namespace)
	watcher, err := deployments.Watch(ctx, metav1.ListOptions{LabelSelector: "watched"})
	must("watch Deployments", err)
	created, err := deployments.Create(ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Labels: map[string]string{"watched": "yes"}},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr(int32(0)),
			Paused:   true,
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			Template: template(),
		},
	}, metav1.CreateOptions{})
	must("create a Deployment", err)
	equal("its int64", *created.Spec.Template.Spec.Tolerations[0].TolerationSeconds, large)
	patch := []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"A","value":"b"}]}],"terminationGracePeriodSeconds":9007199254740995}}}}`)
	patched, err := deployments.Patch(ctx, "web", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	must("patch a Deployment", err)
	equal("its patched int64", *patched.Spec.Template.Spec.TerminationGracePeriodSeconds, large+2)
	equal("its kept int64", *patched.Spec.Template.Spec.Tolerations[0].TolerationSeconds, large)
	read, err := deployments.Get(ctx, "web", metav1.GetOptions{})
	must("read a Deployment", err)
	equal("its read int64", *read.Spec.Template.Spec.TerminationGracePeriodSeconds, large+2)
	must("delete a Deployment", deployments.Delete(ctx, "web", metav1.DeleteOptions{}))
	var last watch.Event
	for event := range watcher.ResultChan() {
		if last = event; event.Type == watch.Deleted {
			break
		}
	}
	watcher.Stop()
	equal("the last event of Deployments", last.Type, watch.Deleted)
	equal("the int64 of the event", *last.Object.(*appsv1.Deployment).Spec.Template.Spec.TerminationGracePeriodSeconds, large+2)
}

func checkPods(ctx context.Context, clients *kubernetes.Clientset) {
	pods := clients.CoreV1().Pods(namespace)
	spec := template().Spec
	spec.NodeName = "absent"
	_, err := pods.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: spec}, metav1.CreateOptions{})
	must("create a Pod", err)
	status := []byte(`{"status":{"phase":"Running","observedGeneration":9007199254740993,"podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"}]}}`)
	patched, err := pods.Patch(ctx, "p", types.MergePatchType, status, metav1.PatchOptions{}, "status")
	must("patch the status of a Pod", err)
	equal("its int64", patched.Status.ObservedGeneration, large)
	must("delete a Pod", pods.Delete(ctx, "p", metav1.DeleteOptions{GracePeriodSeconds: ptr(int64(0))}))
}

func checkLeases(ctx context.Context, clients *kubernetes.Clientset) {
	leases := clients.CoordinationV1().Leases(namespace)
	now := metav1.NewMicroTime(time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC))
	created, err := leases.Create(ctx, &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: "l"},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: ptr("me"), LeaseDurationSeconds: ptr(int32(9)), RenewTime: &now},
	}, metav1.CreateOptions{})
	must("create a Lease", err)
	equal("its time", created.Spec.RenewTime.UnixMicro(), now.UnixMicro())
	created.Spec.HolderIdentity = ptr("other")
	_, err = leases.Update(ctx, created, metav1.UpdateOptions{})
	must("update a Lease", err)
	must("delete a Lease", leases.Delete(ctx, "l", metav1.DeleteOptions{}))
}

func checkDefinitions(ctx context.Context, config *rest.Config) {
	definitions := apiextensions.NewForConfigOrDie(config).ApiextensionsV1().CustomResourceDefinitions()
	name := "typed.protobuf.example.com"
	watcher, err := definitions.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	must("watch definitions", err)
	defer watcher.Stop()
	size := apiextensionsv1.JSONSchemaProps{
		Type: "integer", Format: "int64", Minimum: ptr(1.0), Default: &apiextensionsv1.JSON{Raw: []byte("9007199254740993")},
	}
	created, err := definitions.Create(ctx, &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "protobuf.example.com",
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "typed", Kind: "Typed"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
					Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"size": size},
				}},
			}},
		},
	}, metav1.CreateOptions{})
	must("create a definition", err)
	property := created.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["size"]
	equal("its default", string(property.Default.Raw), "9007199254740993")
	equal("its minimum", *property.Minimum, 1.0)
	for event := range watcher.ResultChan() {
		if isEstablished(event.Object.(*apiextensionsv1.CustomResourceDefinition)) {
			break
		}
	}
	patch := []byte(`{"spec":{"names":{"shortNames":["ty"]}}}`)
	_, err = definitions.Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
	must("patch a definition", err)
	read, err := definitions.Get(ctx, name, metav1.GetOptions{})
	must("read a definition", err)
	equal("its short names", read.Spec.Names.ShortNames, []string{"ty"})
	must("update a definition", retry.RetryOnConflict(retry.DefaultRetry, func() error {
		current, err := definitions.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		current.Labels = map[string]string{"a": "b"}
		_, err = definitions.Update(ctx, current, metav1.UpdateOptions{})
		return err
	}))
	list, err := definitions.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	must("list definitions", err)
	equal("their number", len(list.Items), 1)
	must("delete a definition", definitions.Delete(ctx, name, metav1.DeleteOptions{}))
}

func isEstablished(definition *apiextensionsv1.CustomResourceDefinition) bool {
	for _, condition := range definition.Status.Conditions {
		if condition.Type == apiextensionsv1.Established {
			return condition.Status == apiextensionsv1.ConditionTrue
		}
	}
	return false
}
