import { generateStatus } from 'kube-endpoints/readiness';
import type { PodStatus } from 'kube-endpoints/types';
import { type KubeletPod, shutdownStatus } from '../../kubelet/index.ts';
import { formatTime } from '../../workloads/time.ts';
import { createContainerStatuses } from './container-statuses.ts';
import type { PodHost } from './context.ts';

/**
 * Generates the status of a pod from what the kubelet last read, and has it written if it changed. The pod keeps its address after its sandbox has
 * stopped. Mirrors `generateAPIPodStatus` (1.36, pkg/kubelet/kubelet_pods.go).
 */
export function setStatus(host: PodHost, pod: KubeletPod, finished: boolean): PodStatus {
  const { node, cache, read, prober, failures } = host;
  const [sandbox] = read.sandboxes;
  if (sandbox?.ready && sandbox.ip) host.ip = sandbox.ip;
  const previousStatus = cache.status ?? pod.status ?? {};
  const generated = generateStatus({
    pod,
    previousStatus,
    observed: createContainerStatuses(pod, read, failures, previousStatus),
    probes: {
      result: (kind, { containerID }) => prober.result(kind, containerID ?? ''),
      isWorkedOn: prober.isWorkedOn,
      runAtOnce: prober.runAtOnce,
      kubeletStart: new Date(node.startedAt).toISOString(),
    },
    finished,
    initialized: read.containers.some(({ name }) => pod.spec?.containers?.some((container) => container.name === name)),
    podIPs: host.ip === undefined ? [] : [host.ip],
    hostIPs: node.hostIPs,
    sandbox: { ready: !!sandbox?.ready },
  });
  const status = host.isShutDown ? shutdownStatus(pod, generated, formatTime(node.clock.now())) : generated;
  if (cache.set(pod, status)) node.writer.notify();
  return status;
}

/** The kubelet's status with start times in milliseconds: a written status has whole seconds. */
export function readProbedStatus({ cache: { status }, runtime }: PodHost): PodStatus | undefined {
  if (!status) return undefined;
  const { containers } = runtime.snapshot();
  const convert = (list: PodStatus['containerStatuses']): PodStatus['containerStatuses'] =>
    list?.map((each) => {
      const container = each.state?.running && containers.find(({ id }) => id === each.containerID);
      return container ? { ...each, state: { running: { startedAt: new Date(container.startedAt).toISOString() } } } : each;
    });
  const { containerStatuses, initContainerStatuses } = status;
  return {
    ...status,
    containerStatuses: convert(containerStatuses),
    ...(initContainerStatuses && { initContainerStatuses: convert(initContainerStatuses) }),
  };
}
