import {
  createServiceDiagnoser,
  type Diagnosis,
  type DiagnosisObjects,
  explainService,
  type ServiceExplanation,
} from 'kube-endpoints/explain';
import { namespaceOf } from 'kube-endpoints/internal/apimachinery';
import { findDenyingPolicies, findPolicyProblems, type PolicyObjects } from 'kube-endpoints/policy';
import type { Service } from 'kube-endpoints/types';
import type { Release } from '../flags/common.ts';
import { type Inventory, listWorkloads } from '../input/collection.ts';
import type { PolicyKind } from '../input/related-kinds.ts';
import type { Scope } from '../input/scope.ts';
import { findUnknownFields } from '../input/unknown-fields.ts';
import { findDisruptionNotes } from './disruptions.ts';
import { createLoadBalancingExplainer, createReadinessExplainer } from './explanations.ts';

/** A Service, explained, with the causes of its problems. */
export interface DiagnosedService {
  readonly service: Service;
  readonly explanation: ServiceExplanation;
  /** Root cause first; empty if nothing is wrong. */
  readonly causes: readonly Diagnosis[];
  /** What else concerns its pods, in a sentence each. */
  readonly notes: readonly string[];
}

/** Creates a function that explains a Service and finds the causes of its problems. @param live whether absent objects do not exist */
export function createDiagnoser(
  scope: Pick<Scope, 'podsOf' | 'podsSelectedBy' | 'endpointsOf' | 'nodes' | 'eventsOf' | 'includesAll'>,
  inventory: Inventory,
  release: Release,
  live: boolean,
): (service: Service) => DiagnosedService {
  const diagnose = createServiceDiagnoser(toDiagnosisObjects(inventory, live, scope.includesAll), release);
  const { version, featureGates } = release;
  return (service) => {
    const pods = scope.podsOf(namespaceOf(service));
    const explanation = explainService(service, pods, {
      version,
      featureGates,
      current: scope.endpointsOf(service),
      readiness: createReadinessExplainer(release),
      loadBalancing: createLoadBalancingExplainer(scope, release),
    });
    const causes = diagnose(service, explanation);
    return {
      service,
      explanation,
      causes,
      notes: [...findEventNotes(service, scope, causes), ...findDisruptionNotes(service, scope, inventory)],
    };
  };
}

/** The warnings about a Service that are not evidence of a cause, the latest of each reason. */
function findEventNotes(service: Service, { eventsOf }: Pick<Scope, 'eventsOf'>, causes: readonly Diagnosis[]): string[] {
  const evidence = new Set(causes.flatMap((cause) => cause.evidence.map(({ value }) => value)));
  const warnings = eventsOf(service).filter(({ type, message }) => type === 'Warning' && !evidence.has(JSON.stringify(message ?? '')));
  const latest = new Map(warnings.map(({ reason, message }) => [reason ?? '', `Event ${reason ?? ''}: ${message ?? ''}`]));
  return [...latest.values()].slice(0, maxEventNotes);
}

const maxEventNotes = 3;

/** Lists of the files that are empty count as unknown, because a dump may be incomplete. */
function toDiagnosisObjects(inventory: Inventory, live: boolean, includesAll: boolean): DiagnosisObjects {
  const { pods, nodes, namespaces, events, services, endpoints, slices, areSlicesComplete } = inventory;
  const workloads = listWorkloads(inventory);
  const areEndpointsKnown = live || endpoints.length + slices.length > 0;
  return {
    pods: live || pods.length > 0 || workloads.length > 0 ? pods : undefined,
    nodes,
    namespaces,
    workloads: workloads.length > 0 ? workloads : undefined,
    events,
    // From a cluster, only the selected Services are read.
    services: live && !includesAll ? undefined : services,
    ...(areEndpointsKnown && { endpoints, slices, areSlicesComplete }),
    unknownFields: (object) => (hasUid(object) ? [] : findUnknownFields(object)),
    denyingPolicies: createDenialFinder(toPolicyObjects(inventory)),
  };
}

/** A server stored the object, and dropped unknown fields. */
const hasUid = (object: { readonly metadata?: { readonly uid?: string } }): boolean => !!object.metadata?.uid;

/** Only policies of the pod's namespace, and those of the whole cluster, concern a pod. */
function createDenialFinder(policies: PolicyObjects): NonNullable<DiagnosisObjects['denyingPolicies']> {
  const policiesByNamespace = Map.groupBy(policies.networkPolicies ?? [], namespaceOf);
  return (pod, port, protocol) => {
    const networkPolicies = policiesByNamespace.get(namespaceOf(pod));
    if (!networkPolicies) return [];
    const denials = findDenyingPolicies(pod, port, protocol, { ...policies, networkPolicies });
    return denials.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`);
  };
}

/** The list of each kind in `PolicyObjects`. */
const policyLists: Readonly<Record<PolicyKind, keyof PolicyObjects>> = {
  NetworkPolicy: 'networkPolicies',
  ClusterNetworkPolicy: 'clusterNetworkPolicies',
  AdminNetworkPolicy: 'adminNetworkPolicies',
  BaselineAdminNetworkPolicy: 'baselineAdminNetworkPolicies',
};

/** The policies of an input that pass a filter. `findPolicyProblems` checks the types of their fields. */
function selectPolicies(
  { related }: Pick<Inventory, 'related'>,
  isSelected: (list: keyof PolicyObjects, policy: object) => boolean = () => true,
): PolicyObjects {
  const entries = Object.entries(policyLists) as [PolicyKind, keyof PolicyObjects][];
  return Object.fromEntries(entries.map(([kind, list]) => [list, related[kind].filter((policy) => isSelected(list, policy))]));
}

/** The policies of an input. The invalid ones are left out: `findInvalidPolicies` reports them. */
export const toPolicyObjects = (inventory: Pick<Inventory, 'related'>): PolicyObjects =>
  selectPolicies(inventory, (list, policy) => findPolicyProblems({ [list]: [policy] }).length === 0);

/** Reports policies that an API server does not accept. */
export const findInvalidPolicies = (inventory: Pick<Inventory, 'related'>): string[] =>
  findPolicyProblems(selectPolicies(inventory)).map(
    ({ policy, path, message }) =>
      `${policy.kind} ${policy.namespace === undefined ? '' : `${policy.namespace}/`}${policy.name}: ${path} ${message}`,
  );

/** "broken": no request succeeds; "degraded": some fail, or may; "unknown": the input does not show it. */
export type Health = 'ok' | 'degraded' | 'broken' | 'unknown';

export function healthOf([root]: readonly Diagnosis[]): Health {
  if (!root) return 'ok';
  if (root.code === 'PodsNotGiven') return 'unknown';
  return root.severity === 'error' ? 'broken' : 'degraded';
}
