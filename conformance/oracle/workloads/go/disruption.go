package main

import (
	"context"

	autoscaling "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	discovery "k8s.io/client-go/discovery/fake"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/scale"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/controller/disruption"
)

func init() {
	controllers["disruptions"] = func(ctx context.Context, client kubernetes.Interface, factory informers.SharedInformerFactory) started {
		mapper := meta.NewDefaultRESTMapper(nil)
		for _, kind := range []string{"ReplicationController", "Node", "ReplicaSet", "StatefulSet", "Deployment", "DaemonSet", "Job"} {
			mapper.Add(kindGVK[kind], meta.RESTScopeNamespace)
		}
		apps, policy := factory.Apps().V1(), factory.Policy().V1()
		c := disruption.NewDisruptionController(ctx, factory.Core().V1().Pods(), policy.PodDisruptionBudgets(),
			factory.Core().V1().ReplicationControllers(), apps.ReplicaSets(), apps.Deployments(), apps.StatefulSets(), client, mapper,
			scaleClient{client}, &discovery.FakeDiscovery{Fake: &clienttesting.Fake{Resources: scalable}})
		return started{c.Run, field[record.EventBroadcaster](c, "broadcaster"), nil}
	}
}

// scalable has the resources with a subresource scale, as discovery lists them.
var scalable = func() []*metav1.APIResourceList {
	resource := func(name string) metav1.APIResource {
		return metav1.APIResource{Name: name + "/scale", Group: "autoscaling", Version: "v1", Kind: "Scale"}
	}
	return []*metav1.APIResourceList{
		{GroupVersion: "v1", APIResources: []metav1.APIResource{resource("replicationcontrollers")}},
		{GroupVersion: "apps/v1", APIResources: []metav1.APIResource{resource("replicasets"), resource("statefulsets"), resource("deployments")}},
		{GroupVersion: "batch/v1"},
	}
}()

// scaleClient reads the scale of a controller from the controller itself.
type scaleClient struct{ client kubernetes.Interface }

func (c scaleClient) Scales(namespace string) scale.ScaleInterface {
	return scales{c.client, namespace}
}

type scales struct {
	client    kubernetes.Interface
	namespace string
}

func (s scales) Get(ctx context.Context, resource schema.GroupResource, name string, options metav1.GetOptions) (*autoscaling.Scale, error) {
	var uid types.UID
	var replicas *int32
	var err error
	switch resource.Resource {
	case "replicationcontrollers":
		o, failure := s.client.CoreV1().ReplicationControllers(s.namespace).Get(ctx, name, options)
		uid, replicas, err = o.UID, o.Spec.Replicas, failure
	case "replicasets":
		o, failure := s.client.AppsV1().ReplicaSets(s.namespace).Get(ctx, name, options)
		uid, replicas, err = o.UID, o.Spec.Replicas, failure
	case "statefulsets":
		o, failure := s.client.AppsV1().StatefulSets(s.namespace).Get(ctx, name, options)
		uid, replicas, err = o.UID, o.Spec.Replicas, failure
	case "deployments":
		o, failure := s.client.AppsV1().Deployments(s.namespace).Get(ctx, name, options)
		uid, replicas, err = o.UID, o.Spec.Replicas, failure
	default:
		return nil, errors.NewNotFound(resource, name)
	}
	if err != nil {
		return nil, err
	}
	return &autoscaling.Scale{ObjectMeta: metav1.ObjectMeta{UID: uid}, Spec: autoscaling.ScaleSpec{Replicas: *replicas}}, nil
}

func (s scales) Update(context.Context, schema.GroupResource, *autoscaling.Scale, metav1.UpdateOptions) (*autoscaling.Scale, error) {
	panic("the controller does not change scales")
}

func (s scales) Patch(context.Context, schema.GroupVersionResource, string, types.PatchType, []byte, metav1.PatchOptions) (*autoscaling.Scale, error) {
	panic("the controller does not change scales")
}
