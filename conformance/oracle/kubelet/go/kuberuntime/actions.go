package kuberuntime

import (
	"context"
	"strconv"

	v1 "k8s.io/api/core/v1"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
)

// ComputeActions answers a case of the mode "actions": the result of computePodActions, the hash of each container, and whether all
// containers are restarted.
func ComputeActions(line []byte) map[string]any {
	var c struct {
		runtimeCase
		RestartAllContainers bool `json:"restartAllContainers"`
	}
	decode(line, &c)
	ctx := context.Background()
	actions := newManager(ctx, &c.runtimeCase, nil).computePodActions(ctx, c.Pod, c.Runtime.podStatus(c.Pod), c.RestartAllContainers)
	hashes := map[string]uint64{}
	for i := range c.Pod.Spec.Containers {
		each := &c.Pod.Spec.Containers[i]
		hashes[each.Name] = kubecontainer.HashContainer(each)
	}
	return map[string]any{
		"actions":                    describeActions(actions),
		"hashes":                     hashes,
		"shouldAllContainersRestart": kubecontainer.ShouldAllContainersRestart(c.Pod, c.Runtime.podStatus(c.Pod), &c.Pod.Status),
		"cleanedUp":                  kubecontainer.AllContainersRestartCleanedUp(c.Pod, c.Runtime.podStatus(c.Pod)),
	}
}

func describeActions(a podActions) map[string]any {
	kills, updates, resets := map[string]any{}, map[v1.ResourceName]any{}, []any{}
	for id, info := range a.ContainersToKill {
		kills[id.String()] = map[string]any{"name": info.name, "message": info.message, "reason": info.reason}
	}
	for resource, infos := range a.ContainersToUpdate {
		list := []any{}
		for _, info := range infos {
			list = append(list, map[string]any{
				"name":    info.container.Name,
				"id":      info.kubeContainerID.String(),
				"desired": describeResources(info.desiredContainerResources),
				"current": describeResources(*info.currentContainerResources),
			})
		}
		updates[resource] = list
	}
	for _, info := range a.ContainersToReset {
		resets = append(resets, map[string]any{"id": info.containerID.String(), "name": info.container.Name, "kill": info.kill})
	}
	return map[string]any{
		"killPod":                    a.KillPod,
		"createSandbox":              a.CreateSandbox,
		"sandboxID":                  a.SandboxID,
		"attempt":                    a.Attempt,
		"initContainersToStart":      indexes(a.InitContainersToStart),
		"containersToStart":          indexes(a.ContainersToStart),
		"ephemeralContainersToStart": indexes(a.EphemeralContainersToStart),
		"containersToKill":           kills,
		"containersToUpdate":         updates,
		"containersToReset":          resets,
		"updatePodResources":         a.UpdatePodResources,
		"updatePodLevelResources":    a.UpdatePodLevelResources,
	}
}

func indexes(list []int) []int { return append([]int{}, list...) }

func describeResources(r resourceRequirements) map[string]string {
	format := func(value int64) string { return strconv.FormatInt(value, 10) }
	return map[string]string{
		"memoryLimit":   format(r.memoryLimit),
		"memoryRequest": format(r.memoryRequest),
		"cpuLimit":      format(r.cpuLimit),
		"cpuRequest":    format(r.cpuRequest),
	}
}
