import { computeEndpoints, createReconciler, type Reconciler } from 'kube-endpoints';
import type { EndpointSubset } from 'kube-endpoints/types';
import { keyOf, type Manifest } from '../../examples/manifest.ts';
import { type ClusterSnapshot, podsInNamespace } from './cluster-snapshot.ts';

export interface Check {
  readonly key: string;
  readonly what: string;
  readonly passed: boolean;
  readonly computed?: unknown;
  readonly found?: unknown;
}

const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';
const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';
const UNCOMPARED_LABELS = ['service.kubernetes.io/headless', 'endpoints.kubernetes.io/managed-by'];

/** Compares the existing Endpoints with those computed from scratch, and checks that a new reconciler plans no update of them. */
export function compareState(snapshot: ClusterSnapshot, version: string): Check[] {
  return snapshot.services.flatMap((service) => {
    const key = keyOf(service);
    const found = snapshot.endpoints.get(key);
    const computed = computeEndpoints(service, podsInNamespace(service, snapshot), { version });
    if (isRefused(computed)) return [check(key, 'subsets that the API server refuses', isSame(computed?.subsets, found?.subsets), false)];
    const planned = createReconciler({ version }).reconcile({ key, service, pods: podsInNamespace(service, snapshot), current: found });
    const planCheck = check(
      key,
      'action planned by a new reconciler',
      planned.action,
      isRewrittenAtEverySync(service, found) ? 'update' : 'none',
    );
    if (computed === undefined) return [planCheck];
    return [
      planCheck,
      check(key, 'subsets', computed.subsets ?? [], found?.subsets ?? []),
      check(key, 'labels', computed.metadata.labels ?? {}, found?.metadata.labels ?? {}),
      check(key, 'annotations', withoutTriggerTime(computed.metadata.annotations), withoutTriggerTime(found?.metadata.annotations)),
    ];
  });
}

/**
 * Compares what a reconciler that keeps state plans from one snapshot to the next with the controller's writes, trigger time included. Only
 * for Services with at most one change in between, because the controller may combine several changes into one sync.
 */
export function compareWrites(
  before: ClusterSnapshot,
  after: ClusterSnapshot,
  reconciler: Reconciler,
  changeCounts: ReadonlyMap<string, number>,
): Check[] {
  const keys = new Set([...before.services, ...after.services].map(keyOf));
  return [...keys].flatMap((key) => {
    const [namespace = ''] = key.split('/');
    const service = after.services.find((candidate) => keyOf(candidate) === key);
    const current = before.endpoints.get(key);
    const plan = reconciler.reconcile({ key, service, pods: after.pods.get(namespace) ?? [], current });
    const found = after.endpoints.get(key);
    const count = changeCounts.get(key) ?? 0;
    if (count > 1 || isRefused(plan.object) || [current, found].some((endpoints) => isRewrittenAtEverySync(service, endpoints))) return [];
    return [
      check(key, 'action', plan.action, actionBetween(current, found)),
      ...(plan.object === undefined ? [] : [check(key, 'trigger time', triggerTime(plan.object), triggerTime(found))]),
    ];
  });
}

export function check(key: string, what: string, computed: unknown, found: unknown): Check {
  const passed = isSame(computed, found);
  return passed ? { key, what, passed } : { key, what, passed, computed, found };
}

/**
 * Whether kube-controller-manager updates these Endpoints at every sync without need: truncated subsets never equal the complete ones, and
 * it compares two labels of the Service that it does not write to the Endpoints. The number of its syncs is not visible from outside.
 */
export function isRewrittenAtEverySync(service: Manifest | undefined, endpoints: Manifest | undefined): boolean {
  const { selector, type } = (service?.spec ?? {}) as { selector?: unknown; type?: string };
  if (selector === undefined || type === 'ExternalName') return false;
  const hasUncomparedLabel = UNCOMPARED_LABELS.some((label) => service?.metadata.labels?.[label] !== undefined);
  return hasUncomparedLabel || endpoints?.metadata.annotations?.[OVER_CAPACITY] !== undefined;
}

/** Whether the API server refuses these Endpoints: after truncation, a subset has no addresses left. Existing ones stay unchanged. */
export const isRefused = (endpoints: { readonly subsets?: readonly EndpointSubset[] | undefined } | undefined): boolean =>
  endpoints?.subsets?.some(({ addresses = [], notReadyAddresses = [] }) => addresses.length + notReadyAddresses.length === 0) ?? false;

function actionBetween(before: Manifest | undefined, after: Manifest | undefined): string {
  if (before === undefined) return after === undefined ? 'none' : 'create';
  if (after === undefined) return 'delete';
  return before.metadata.resourceVersion === after.metadata.resourceVersion ? 'none' : 'update';
}

interface AnnotatedObject {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

function triggerTime(endpoints: AnnotatedObject | undefined): string | null {
  return endpoints?.metadata.annotations?.[TRIGGER_TIME] ?? null;
}

function withoutTriggerTime(annotations: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => name !== TRIGGER_TIME));
}

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** Serializes a value with sorted object keys; keeps the order of lists. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
