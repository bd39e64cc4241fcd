import type { ApplicationHost } from '../../engine/application.ts';
import { createPodStatusCache, createPodWorker, type KubeletPod } from '../../kubelet/index.ts';
import type { NodeContext, PodHost } from './context.ts';
import { requestRead, updatePod } from './pod-loop.ts';
import { readProbedStatus } from './pod-status.ts';
import { createProber, type ProbeOutcome } from './probes.ts';
import { createPodRuntime } from './runtime.ts';

/** Creates the parts of a pod. Nothing runs until its first update. */
export function createPodHost(node: NodeContext, pod: KubeletPod): PodHost {
  const { clock, actor, images, startedAt } = node;
  const { namespace = '', name = '', uid = '' } = pod.metadata as { namespace?: string; name?: string; uid?: string };
  const ref = { pod: `${namespace}/${name}`, podUid: uid, node: node.name };
  const hostNetwork = !!pod.spec?.hostNetwork;
  const onChange = (): void => requestRead(host);
  const runtime = createPodRuntime({ ...node, ref, hostNetwork, roleOf: (container) => roleOf(pod, container), onChange });
  if (pod.status) runtime.adopt(pod);
  for (const { image } of runtime.snapshot().containers) images.add(image);
  const prober = createProber({
    clock,
    actor,
    kubeletStart: startedAt,
    answers: runtime.answers,
    readStatus: () => readProbedStatus(host),
    isDeleted: () => !!host.pod.metadata?.deletionTimestamp,
    onResult: (result) => handleProbeResult(host, result),
  });
  const host: PodHost = {
    ...{ node, namespace, name, uid, ref, pod, runtime, prober, isDeleted: false, read: runtime.snapshot() },
    worker: createPodWorker({ now: clock.now }),
    cache: createPodStatusCache({ now: clock.now }),
    failures: new Map(),
    actuated: { containers: {} },
    loop: {
      ...{ waiting: undefined, reading: undefined, readingCause: undefined, requeue: undefined, running: undefined },
      isStale: false,
      signature: '',
    },
  };
  return host;
}

/** The role of a container. A sidecar is an init container that is restarted. */
function roleOf({ spec }: KubeletPod, name: string): ApplicationHost['role'] {
  const { initContainers, restartPolicy = 'Always' } = spec ?? {};
  const init = initContainers?.find((container) => container.name === name);
  if (init) return init.restartPolicy === 'Always' ? undefined : 'init';
  return restartPolicy === 'Always' ? undefined : 'task';
}

/** Records the answer of a probe, and handles its result. */
function handleProbeResult(host: PodHost, outcome: ProbeOutcome): void {
  const { kind, container, result, isAnswer } = outcome;
  if (result === undefined) return;
  const react = (): void => applyProbeResult(host, outcome);
  const succeeded = result === 'success';
  if (isAnswer) host.node.clock.record({ type: 'probe', probe: kind, succeeded, ...host.ref, container }, react);
  else react();
}

/** Stores the result of a probe and syncs the pod. Mirrors the cases of probes in `syncLoopIteration` (1.36, pkg/kubelet/kubelet.go). */
function applyProbeResult(host: PodHost, { kind, containerID, result }: ProbeOutcome): void {
  const { cache, node, pod } = host;
  const succeeded = result === 'success';
  if (kind === 'readiness' && cache.setContainerReadiness(pod, containerID, succeeded)) node.writer.notify();
  if (kind === 'startup' && cache.setContainerStartup(pod, containerID, succeeded)) node.writer.notify();
  if (kind !== 'liveness' || !succeeded) updatePod(host, { type: 'sync' });
}
