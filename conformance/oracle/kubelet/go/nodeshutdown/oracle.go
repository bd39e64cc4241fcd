package nodeshutdown

import (
	"context"
	"encoding/json"
	"sort"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/volumemanager"
)

var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// volumes are unmounted when a group of pods has ended, after a delay.
type volumes struct {
	volumemanager.VolumeManager
	delay time.Duration
}

func (v volumes) WaitForAllPodsUnmount(ctx context.Context, _ []*v1.Pod) error {
	select {
	case <-time.After(v.delay):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ShutDown answers a case of the mode "shutdown": when pods are killed on a node that shuts down, with which grace period and status.
func ShutDown(line []byte) map[string]any {
	var c struct {
		// In milliseconds.
		GracePeriod   int64 `json:"gracePeriod"`
		CriticalPods  int64 `json:"criticalPods"`
		UnmountDelay  int64 `json:"unmountDelay"`
		ByPodPriority []struct {
			Priority int32 `json:"priority"`
			Seconds  int64 `json:"seconds"`
		} `json:"byPodPriority"`
		Pods []struct {
			Pod *v1.Pod `json:"pod"`
			// How long it takes to kill the pod, in milliseconds.
			EndsAfter int64 `json:"endsAfter"`
		} `json:"pods"`
	}
	if err := json.Unmarshal(line, &c); err != nil {
		panic(err)
	}
	pods, ends := []*v1.Pod{}, map[string]time.Duration{}
	for _, each := range c.Pods {
		pods = append(pods, each.Pod)
		ends[each.Pod.Name] = time.Duration(each.EndsAfter) * time.Millisecond
	}
	var lock sync.Mutex
	kills := []map[string]any{}
	conf := &Config{
		Logger:        klog.Background(),
		VolumeManager: volumes{delay: time.Duration(c.UnmountDelay) * time.Millisecond},
		KillPodFunc: func(pod *v1.Pod, evict bool, gracePeriod *int64, statusFn func(*v1.PodStatus)) error {
			status := pod.Status.DeepCopy()
			statusFn(status)
			lock.Lock()
			kills = append(kills, map[string]any{
				"at": time.Since(start).Milliseconds(), "name": pod.Name, "gracePeriod": *gracePeriod, "evict": evict, "status": status,
			})
			lock.Unlock()
			time.Sleep(ends[pod.Name])
			return nil
		},
		ShutdownGracePeriodRequested:    time.Duration(c.GracePeriod) * time.Millisecond,
		ShutdownGracePeriodCriticalPods: time.Duration(c.CriticalPods) * time.Millisecond,
	}
	for _, each := range c.ByPodPriority {
		conf.ShutdownGracePeriodByPodPriority = append(conf.ShutdownGracePeriodByPodPriority,
			kubeletconfig.ShutdownGracePeriodByPodPriority{Priority: each.Priority, ShutdownGracePeriodSeconds: each.Seconds})
	}
	manager := newPodManager(conf)
	// NewManager disables the manager without periods.
	enabled := len(manager.shutdownGracePeriodByPodPriority) > 0
	if enabled {
		if err := manager.killPods(pods); err != nil {
			panic(err)
		}
	}
	endedAt := time.Since(start).Milliseconds()
	time.Sleep(time.Hour)
	sort.Slice(kills, func(i, j int) bool {
		a, b := kills[i], kills[j]
		if a["at"] != b["at"] {
			return a["at"].(int64) < b["at"].(int64)
		}
		return a["name"].(string) < b["name"].(string)
	})
	return map[string]any{
		"enabled": enabled, "period": manager.periodRequested().Milliseconds(), "kills": kills, "endedAt": endedAt,
	}
}
