import type { Resource } from 'kube-endpoints/port';
import { list, map, text, wholeNumber } from './checks.ts';
import { conditionRules, containerRules, count, metadataRules, type Rule } from './shared-rules.ts';

/** Kinds that explain why a Service does not work: those that create its pods, and those that route or filter its traffic. */
export type RelatedKind =
  | WorkloadKind
  | PolicyKind
  | 'PodDisruptionBudget'
  | 'Ingress'
  | 'IngressClass'
  | 'GatewayClass'
  | 'Gateway'
  | 'HTTPRoute'
  | 'GRPCRoute'
  | 'TLSRoute'
  | 'TCPRoute'
  | 'UDPRoute'
  | 'ListenerSet'
  | 'ReferenceGrant'
  | 'Secret';

/** The kinds whose templates create pods. */
export type WorkloadKind = 'Deployment' | 'ReplicaSet' | 'StatefulSet' | 'DaemonSet' | 'ReplicationController' | 'Job' | 'CronJob';

export type PolicyKind = 'NetworkPolicy' | 'ClusterNetworkPolicy' | 'AdminNetworkPolicy' | 'BaselineAdminNetworkPolicy';

interface RelatedKindRow {
  /** The API group, and its versions that have the fields used here, the newest first. */
  readonly group: string;
  readonly versions: readonly string[];
  readonly clusterScoped?: boolean;
  readonly rules?: readonly Rule[];
}

const templateRules = (path: string): readonly Rule[] => [
  { path, check: map },
  { path: `${path}.metadata`, check: map },
  { path: `${path}.metadata.labels`, check: map },
  { path: `${path}.metadata.labels{}`, check: text },
  { path: `${path}.spec`, check: map },
  ...containerRules(`${path}.spec.containers`),
  ...containerRules(`${path}.spec.initContainers`),
];

const workload: RelatedKindRow = {
  group: 'apps',
  versions: ['v1'],
  rules: [
    { path: 'spec.replicas', check: wholeNumber(0, 2 ** 31 - 1) },
    ...templateRules('spec.template'),
    { path: 'status.desiredNumberScheduled', check: count },
    ...conditionRules,
  ],
};
const batch: RelatedKindRow = { ...workload, group: 'batch' };
const gateway: RelatedKindRow = { group: 'gateway.networking.k8s.io', versions: ['v1', 'v1beta1', 'v1alpha3', 'v1alpha2'] };
const clusterPolicy: RelatedKindRow = { group: 'policy.networking.k8s.io', versions: ['v1alpha2', 'v1alpha1'], clusterScoped: true };

export const relatedKinds: Readonly<Record<RelatedKind, RelatedKindRow>> = {
  Deployment: workload,
  ReplicaSet: workload,
  StatefulSet: workload,
  DaemonSet: workload,
  ReplicationController: { ...workload, group: '' },
  Job: batch,
  CronJob: {
    ...batch,
    rules: [
      { path: 'spec.jobTemplate', check: map },
      { path: 'spec.jobTemplate.spec', check: map },
      ...templateRules('spec.jobTemplate.spec.template'),
    ],
  },
  PodDisruptionBudget: { group: 'policy', versions: ['v1'] },
  NetworkPolicy: { group: 'networking.k8s.io', versions: ['v1'] },
  ClusterNetworkPolicy: clusterPolicy,
  AdminNetworkPolicy: clusterPolicy,
  BaselineAdminNetworkPolicy: clusterPolicy,
  Ingress: { group: 'networking.k8s.io', versions: ['v1'] },
  IngressClass: { group: 'networking.k8s.io', versions: ['v1'], clusterScoped: true },
  GatewayClass: { ...gateway, clusterScoped: true },
  Gateway: gateway,
  HTTPRoute: gateway,
  GRPCRoute: gateway,
  TLSRoute: gateway,
  TCPRoute: gateway,
  UDPRoute: gateway,
  ListenerSet: gateway,
  ReferenceGrant: gateway,
  Secret: { group: '', versions: ['v1'] },
};

export const relatedKindNames = Object.keys(relatedKinds) as readonly RelatedKind[];

export const workloadKinds: readonly WorkloadKind[] = [
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'ReplicationController',
  'Job',
  'CronJob',
];

export const isRelatedKind = (kind: string): kind is RelatedKind => Object.hasOwn(relatedKinds, kind);

export const isClusterScopedRelatedKind = (kind: string): boolean => isRelatedKind(kind) && relatedKinds[kind].clusterScoped === true;

/** Whether objects of this API version are read. Other versions, and kinds of the same name in other groups, are skipped. */
export function isServedRelatedKind(kind: RelatedKind, apiVersion: string): boolean {
  const { group, versions } = relatedKinds[kind];
  return versions.some((version) => apiVersion === (group === '' ? version : `${group}/${version}`));
}

export const relatedRules = Object.fromEntries(
  Object.entries(relatedKinds).map(([kind, { rules = [] }]) => [
    kind,
    [
      ...metadataRules,
      { path: 'spec', check: map },
      { path: 'status', check: map },
      { path: 'metadata.ownerReferences', check: list },
      ...rules,
    ],
  ]),
) as unknown as Readonly<Record<RelatedKind, readonly Rule[]>>;

/** The resources of a kind, one for each version, the newest first. */
export function relatedResourcesOf(kind: RelatedKind): readonly Resource[] {
  const { group, versions, clusterScoped = false } = relatedKinds[kind];
  return versions.map((version) => ({ group, version, plural: pluralOf(kind), kind, namespaced: !clusterScoped }));
}

/** "networkpolicies", "gateways", "ingressclasses", "deployments" */
const pluralOf = (kind: string): string =>
  kind
    .toLowerCase()
    .replace(/(?<=[^aeiou])y$/, 'ie')
    .replace(/s$/, 'se')
    .concat('s');

/** The policies that decide about traffic. */
export const policyKinds: readonly PolicyKind[] = [
  'NetworkPolicy',
  'ClusterNetworkPolicy',
  'AdminNetworkPolicy',
  'BaselineAdminNetworkPolicy',
];

/** The kinds that route requests from outside the cluster. */
export const routeKinds: readonly RelatedKind[] = [
  'Ingress',
  'IngressClass',
  'GatewayClass',
  'Gateway',
  'ListenerSet',
  'HTTPRoute',
  'GRPCRoute',
  'TLSRoute',
  'TCPRoute',
  'UDPRoute',
  'ReferenceGrant',
];
