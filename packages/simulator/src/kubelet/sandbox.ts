import type { KubeletPod } from './pod.ts';
import type { RuntimeStatus } from './runtime-status.ts';

export interface SandboxDecision {
  /** Whether the pod needs a new sandbox, and all its containers with it. */
  readonly changed: boolean;
  /** The attempt number of the current or new sandbox. */
  readonly attempt: number;
  /** The ID of the current sandbox; empty if the pod has no sandbox or it uses the wrong network. */
  readonly sandboxID: string;
}

/**
 * Whether a pod needs a new sandbox: it has none, several are ready, the newest is not ready, or has the wrong network or no address. Nothing
 * else in the pod's spec, such as hostUsers, replaces a sandbox. Mirrors `PodSandboxChanged` (1.36, pkg/kubelet/kuberuntime/util/util.go).
 */
export function decideSandbox(pod: KubeletPod, { sandboxes }: RuntimeStatus): SandboxDecision {
  const [newest] = sandboxes;
  if (!newest) return { changed: true, attempt: 0, sandboxID: '' };
  const replaced = { changed: true, attempt: newest.attempt + 1, sandboxID: newest.id };
  if (!newest.ready || sandboxes.filter(({ ready }) => ready).length > 1) return replaced;
  const usesHostNetwork = !!pod.spec?.hostNetwork;
  if (!!newest.hostNetwork !== usesHostNetwork) return { ...replaced, sandboxID: '' };
  if (!usesHostNetwork && newest.ip === '') return replaced;
  return { changed: false, attempt: newest.attempt, sandboxID: newest.id };
}
