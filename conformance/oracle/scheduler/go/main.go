// The filters and scores of kube-scheduler's default profile: reads one case per line from stdin and writes one answer per line to stdout,
// in order. The fields of a case and of its answer are documented in case.ts.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"unsafe"

	"github.com/go-logr/logr"
	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

type testCase struct {
	ID                     string                      `json:"id"`
	Nodes                  []*v1.Node                  `json:"nodes"`
	Pods                   []*v1.Pod                   `json:"pods"`
	Incoming               []*v1.Pod                   `json:"incoming"`
	Namespaces             []*v1.Namespace             `json:"namespaces"`
	Services               []*v1.Service               `json:"services"`
	ReplicaSets            []*apps.ReplicaSet          `json:"replicaSets"`
	StatefulSets           []*apps.StatefulSet         `json:"statefulSets"`
	ReplicationControllers []*v1.ReplicationController `json:"replicationControllers"`
}

type answer struct {
	ID   string      `json:"id"`
	Pods []podAnswer `json:"pods"`
}

type podAnswer struct {
	// The message of the condition PodScheduled, if no node fits.
	Message string `json:"message,omitempty"`
	// The verdicts of nodes that do not fit, by name.
	Rejected map[string]verdict `json:"rejected"`
	// The weighted scores of nodes that fit, by name of the node and of the plugin, if at least two do.
	Scores map[string]map[string]int64 `json:"scores,omitempty"`
	Host   string                      `json:"host,omitempty"`
}

type verdict struct {
	Plugin       string   `json:"plugin"`
	Reasons      []string `json:"reasons"`
	Unresolvable bool     `json:"unresolvable"`
}

func main() {
	klog.SetLogger(logr.Discard())
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var asked testCase
		must(json.Unmarshal(lines.Bytes(), &asked))
		must(out.Encode(answerCase(&asked)))
	}
	must(lines.Err())
}

func answerCase(asked *testCase) answer {
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	defer cancel()
	client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://127.0.0.1:1"})
	factory := informers.NewSharedInformerFactory(client, 0)
	sched, err := scheduler.New(ctx, client, factory, nil, func(string) events.EventRecorderLogger { return nil })
	must(err)
	core, workloads := factory.Core().V1(), factory.Apps().V1()
	addAll(core.Pods().Informer(), asked.Incoming)
	addAll(core.Namespaces().Informer(), asked.Namespaces)
	addAll(core.Services().Informer(), asked.Services)
	addAll(core.ReplicationControllers().Informer(), asked.ReplicationControllers)
	addAll(workloads.ReplicaSets().Informer(), asked.ReplicaSets)
	addAll(workloads.StatefulSets().Informer(), asked.StatefulSets)
	logger := klog.FromContext(ctx)
	for _, node := range asked.Nodes {
		sched.Cache.AddNode(logger, node)
	}
	for _, pod := range asked.Pods {
		must(sched.Cache.AddPod(logger, pod))
	}
	given := answer{ID: asked.ID, Pods: []podAnswer{}}
	for _, pod := range asked.Incoming {
		one := answerPod(ctx, sched, pod)
		given.Pods = append(given.Pods, one)
		if one.Host != "" {
			placed := pod.DeepCopy()
			placed.Spec.NodeName = one.Host
			must(sched.Cache.AddPod(logger, placed))
		}
	}
	return given
}

func addAll[T runtime.Object](informer cache.SharedIndexInformer, objects []T) {
	for _, each := range objects {
		must(informer.GetIndexer().Add(each))
	}
}

func answerPod(ctx context.Context, sched *scheduler.Scheduler, pod *v1.Pod) podAnswer {
	snapshot := field[*internalcache.Snapshot](sched, "nodeInfoSnapshot")
	must(sched.Cache.UpdateSnapshot(klog.FromContext(ctx), snapshot))
	info, err := framework.NewPodInfo(pod)
	must(err)
	profile := sched.Profiles[v1.DefaultSchedulerName]
	given := podAnswer{Rejected: map[string]verdict{}}
	state := framework.NewCycleState()
	_, err = sched.SchedulePod(ctx, profile, state, &framework.QueuedPodInfo{PodInfo: info})
	var fitError *framework.FitError
	if errors.As(err, &fitError) {
		_, status := profile.RunPostFilterPlugins(ctx, state, pod, fitError.Diagnosis.NodeToStatus)
		fitError.Diagnosis.PostFilterMsg = status.Message()
		given.Message = fitError.Error()
	} else if err == scheduler.ErrNoNodesAvailable {
		given.Message = err.Error()
		return given
	} else {
		must(err)
	}
	state = framework.NewCycleState()
	if feasible := filterNodes(ctx, profile, state, snapshot, pod, &given); len(feasible) > 0 {
		given.Scores, given.Host = scoreNodes(ctx, profile, state, pod, feasible)
	}
	return given
}

// filterNodes returns the nodes that fit, in any order, as findNodesThatFitPod does, but for all nodes.
func filterNodes(ctx context.Context, profile framework.Framework, state fwk.CycleState, snapshot *internalcache.Snapshot, pod *v1.Pod, given *podAnswer) []fwk.NodeInfo {
	allowed, status, _ := profile.RunPreFilterPlugins(ctx, state, pod)
	nodes, err := snapshot.NodeInfos().List()
	must(err)
	feasible := []fwk.NodeInfo{}
	for _, node := range nodes {
		name := node.Node().Name
		if !status.IsSuccess() {
			if !status.IsRejected() {
				must(status.AsError())
			}
			given.Rejected[name] = toVerdict(status)
		} else if !allowed.AllNodes() && !allowed.NodeNames.Has(name) {
			given.Rejected[name] = verdict{"", []string{"node(s) didn't satisfy plugin(s) [NodeAffinity]"}, true}
		} else if one := profile.RunFilterPluginsWithNominatedPods(ctx, state, pod, node); one.IsRejected() {
			given.Rejected[name] = toVerdict(one)
		} else {
			must(one.AsError())
			feasible = append(feasible, node)
		}
	}
	return feasible
}

func toVerdict(status *fwk.Status) verdict {
	return verdict{status.Plugin(), status.Reasons(), status.Code() == fwk.UnschedulableAndUnresolvable}
}

// scoreNodes returns the scores of all nodes, and of the best ones the first by name.
func scoreNodes(ctx context.Context, profile framework.Framework, state fwk.CycleState, pod *v1.Pod, nodes []fwk.NodeInfo) (map[string]map[string]int64, string) {
	must(profile.RunPreScorePlugins(ctx, state, pod, nodes).AsError())
	scores, status := profile.RunScorePlugins(ctx, state, pod, nodes)
	must(status.AsError())
	byNode, best := map[string]map[string]int64{}, scores[0]
	for _, each := range scores {
		byPlugin := map[string]int64{"total": each.TotalScore}
		for _, one := range each.Scores {
			if one.Name == "DynamicResources" && one.Score == 0 {
				continue // the score of every pod without claims
			}
			byPlugin[one.Name] = one.Score
		}
		byNode[each.Name] = byPlugin
		if each.TotalScore > best.TotalScore || each.TotalScore == best.TotalScore && each.Name < best.Name {
			best = each
		}
	}
	return byNode, best.Name
}

// field returns an unexported field.
func field[T any](object any, name string) T {
	value := reflect.ValueOf(object).Elem().FieldByName(name)
	return *(*T)(unsafe.Pointer(value.UnsafeAddr()))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
