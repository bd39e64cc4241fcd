import type { AdminNetworkPolicy, NetworkPolicy, PolicyObjects } from 'kube-endpoints/policy';
import type { ObjectMeta, Pod } from 'kube-endpoints/types';

/** A cluster, its policies, and the connections to evaluate. */
export interface PolicyWorld {
  readonly id: string;
  readonly namespaces: readonly { readonly metadata: ObjectMeta }[];
  readonly pods: readonly Pod[];
  readonly nodes: readonly (PolicyObjects['nodes'] extends Iterable<infer Node> | undefined ? Node : never)[];
  readonly networkPolicies: readonly NetworkPolicy[];
  readonly adminNetworkPolicies: readonly AdminNetworkPolicy[];
  readonly baselineAdminNetworkPolicies: readonly AdminNetworkPolicy[];
  readonly probes: readonly PolicyProbe[];
}

export interface PolicyProbe {
  readonly from: ProbeEnd;
  readonly to: ProbeEnd;
  readonly port: number;
  readonly protocol: string;
}

/** An address, and its pod if it is one, as "namespace/name". A pod without an address has no `ip`. */
export interface ProbeEnd {
  readonly pod?: string;
  readonly ip?: string;
}

/** `controller` is kube-network-policies, `matcher` is cyclonus, which evaluates NetworkPolicies only. */
export const engines = ['controller', 'matcher'] as const;
export type Engine = (typeof engines)[number];

export const directions = ['egress', 'ingress'] as const;
export type DirectionName = (typeof directions)[number];

/** What an engine decides. With an error, nothing is compared. */
export interface EngineVerdict extends Readonly<Record<DirectionName, boolean>> {
  readonly error?: string;
}

export interface PolicyAnswer {
  readonly id: string;
  readonly probes: readonly Readonly<Record<Engine, EngineVerdict>>[];
}
