import type { Probe } from 'kube-endpoints/internal';
import type { Container, ObjectMeta, Optional, Pod } from 'kube-endpoints/types';

/** `corev1.Pod`, as far as the kubelet's decisions depend on it. */
export interface KubeletPod extends Pod {
  readonly metadata?: Optional<ObjectMeta & { readonly deletionGracePeriodSeconds?: Optional<number> }>;
  readonly spec?: Optional<PodSpec>;
}

/** `corev1.PodSpec`. */
export interface PodSpec extends NonNullable<Pod['spec']> {
  readonly containers?: Optional<readonly KubeletContainer[]>;
  readonly initContainers?: Optional<readonly KubeletContainer[]>;
  readonly ephemeralContainers?: Optional<readonly KubeletContainer[]>;
  readonly terminationGracePeriodSeconds?: Optional<number>;
  readonly priority?: Optional<number>;
  /** Resources of the pod as a whole. */
  readonly resources?: Optional<Resources>;
}

/** `corev1.Container`. */
export interface KubeletContainer extends Container {
  readonly image?: Optional<string>;
  readonly resources?: Optional<Resources>;
  readonly resizePolicy?: Optional<readonly { readonly resourceName?: Optional<string>; readonly restartPolicy?: Optional<string> }[]>;
  readonly startupProbe?: Optional<KubeletProbe>;
  readonly livenessProbe?: Optional<KubeletProbe>;
  readonly lifecycle?: Optional<{ readonly preStop?: Optional<LifecycleHandler> }>;
}

/** `corev1.Probe`, with the grace period of a container that fails it. */
export type KubeletProbe = Probe & { readonly terminationGracePeriodSeconds?: Optional<number> };

/** `corev1.LifecycleHandler`. */
export interface LifecycleHandler {
  readonly exec?: Optional<{ readonly command?: Optional<readonly string[]> }>;
  readonly httpGet?: Optional<{ readonly path?: Optional<string>; readonly port?: Optional<number | string> }>;
  readonly sleep?: Optional<{ readonly seconds?: Optional<number> }>;
}

/** `corev1.ResourceRequirements`: quantities by resource name. */
export interface Resources {
  readonly limits?: Optional<Readonly<Record<string, string>>>;
  readonly requests?: Optional<Readonly<Record<string, string>>>;
  readonly claims?: Optional<readonly { readonly name?: Optional<string>; readonly request?: Optional<string> }[]>;
}

export const containersOf = ({ spec }: KubeletPod): readonly KubeletContainer[] => spec?.containers ?? [];
export const initContainersOf = ({ spec }: KubeletPod): readonly KubeletContainer[] => spec?.initContainers ?? [];
export const ephemeralContainersOf = ({ spec }: KubeletPod): readonly KubeletContainer[] => spec?.ephemeralContainers ?? [];
