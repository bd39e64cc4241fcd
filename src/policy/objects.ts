import type { LabelSelector } from '../apimachinery/index.ts';
import type { Node, ObjectMeta, Optional, Pod } from '../types/index.ts';

/** `networkingv1.NetworkPolicy`. */
export interface NetworkPolicy {
  readonly metadata?: Optional<ObjectMeta>;
  readonly spec?: Optional<{
    readonly podSelector?: Optional<LabelSelector>;
    readonly ingress?: Optional<readonly NetworkPolicyRule[]>;
    readonly egress?: Optional<readonly NetworkPolicyRule[]>;
    readonly policyTypes?: Optional<readonly string[]>;
  }>;
}

/** `networkingv1.NetworkPolicyIngressRule` with `from`, or `NetworkPolicyEgressRule` with `to`. */
export interface NetworkPolicyRule {
  readonly ports?: Optional<readonly NetworkPolicyPort[]>;
  readonly from?: Optional<readonly NetworkPolicyPeer[]>;
  readonly to?: Optional<readonly NetworkPolicyPeer[]>;
}

export interface NetworkPolicyPort {
  readonly protocol?: Optional<string>;
  readonly port?: Optional<number | string>;
  readonly endPort?: Optional<number>;
}

export interface NetworkPolicyPeer {
  readonly podSelector?: Optional<LabelSelector>;
  readonly namespaceSelector?: Optional<LabelSelector>;
  readonly ipBlock?: Optional<IPBlock>;
}

export interface IPBlock {
  readonly cidr?: Optional<string>;
  readonly except?: Optional<readonly string[]>;
}

/** `ClusterNetworkPolicy` of policy.networking.k8s.io/v1alpha2. */
export interface ClusterNetworkPolicy {
  readonly metadata?: Optional<ObjectMeta>;
  readonly spec?: Optional<{
    /** "Admin" or "Baseline". */
    readonly tier?: Optional<string>;
    readonly priority?: Optional<number>;
    readonly subject?: Optional<PodPeer>;
    readonly ingress?: Optional<readonly ClusterRule[]>;
    readonly egress?: Optional<readonly ClusterRule[]>;
  }>;
}

/** `AdminNetworkPolicy` of policy.networking.k8s.io/v1alpha1; `BaselineAdminNetworkPolicy` has no priority. */
export interface AdminNetworkPolicy {
  readonly metadata?: Optional<ObjectMeta>;
  readonly spec?: Optional<{
    readonly priority?: Optional<number>;
    readonly subject?: Optional<PodPeer>;
    readonly ingress?: Optional<readonly AdminRule[]>;
    readonly egress?: Optional<readonly AdminRule[]>;
  }>;
}

interface RuleBase {
  readonly name?: Optional<string>;
  /** "Allow" (v1alpha1) or "Accept" (v1alpha2), "Deny", "Pass". */
  readonly action?: Optional<string>;
  readonly from?: Optional<readonly ClusterPeer[]>;
  readonly to?: Optional<readonly ClusterPeer[]>;
}

export interface ClusterRule extends RuleBase {
  readonly protocols?: Optional<readonly ClusterProtocol[]>;
}

export interface AdminRule extends RuleBase {
  readonly ports?: Optional<readonly AdminPort[]>;
}

/** Pods by the labels of their namespaces, or also by their own labels. */
export interface PodPeer {
  readonly namespaces?: Optional<LabelSelector>;
  readonly pods?: Optional<{ readonly namespaceSelector?: Optional<LabelSelector>; readonly podSelector?: Optional<LabelSelector> }>;
}

/** A peer; `nodes`, `networks` and `domainNames` in egress rules only. */
export interface ClusterPeer extends PodPeer {
  readonly nodes?: Optional<LabelSelector>;
  readonly networks?: Optional<readonly string[]>;
  readonly domainNames?: Optional<readonly string[]>;
}

interface ProtocolMatch {
  readonly destinationPort?: Optional<{
    readonly number?: Optional<number>;
    readonly range?: Optional<{ readonly start?: Optional<number>; readonly end?: Optional<number> }>;
  }>;
}

/** `ClusterNetworkPolicyProtocol`. */
export interface ClusterProtocol {
  readonly tcp?: Optional<ProtocolMatch>;
  readonly udp?: Optional<ProtocolMatch>;
  readonly sctp?: Optional<ProtocolMatch>;
  readonly destinationNamedPort?: Optional<string>;
}

/** `AdminNetworkPolicyPort`. */
export interface AdminPort {
  readonly portNumber?: Optional<{ readonly protocol?: Optional<string>; readonly port?: Optional<number> }>;
  readonly portRange?: Optional<{
    readonly protocol?: Optional<string>;
    readonly start?: Optional<number>;
    readonly end?: Optional<number>;
  }>;
  readonly namedPort?: Optional<string>;
}

/** `corev1.Node` with its addresses. */
export interface PolicyNode extends Node {
  readonly status?: Optional<
    NonNullable<Node['status']> & { readonly addresses?: Optional<readonly { readonly address?: Optional<string> }[]> }
  >;
}

/** The objects that decide about traffic. All policies of a cluster may be passed: those that select neither end have no effect. */
export interface PolicyObjects {
  readonly networkPolicies?: Iterable<NetworkPolicy>;
  readonly clusterNetworkPolicies?: Iterable<ClusterNetworkPolicy>;
  readonly adminNetworkPolicies?: Iterable<AdminNetworkPolicy>;
  readonly baselineAdminNetworkPolicies?: Iterable<AdminNetworkPolicy>;
  readonly pods?: Iterable<Pod>;
  readonly namespaces?: Iterable<{ readonly metadata?: Optional<ObjectMeta> }>;
  /** If absent, the labels and addresses of nodes are unknown, except the host IPs in the status of pods. */
  readonly nodes?: Iterable<PolicyNode>;
}

export type PolicyKind = 'NetworkPolicy' | 'ClusterNetworkPolicy' | 'AdminNetworkPolicy' | 'BaselineAdminNetworkPolicy';

/** Names a policy. Cluster-wide policies have no namespace. */
export interface PolicyReference {
  readonly kind: PolicyKind;
  readonly namespace?: string;
  readonly name: string;
}
