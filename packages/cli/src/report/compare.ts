import { isDeepStrictEqual } from 'node:util';
import { createReconciler, type PlanReason } from 'kube-endpoints';
import { triggerTimeAnnotation } from 'kube-endpoints/internal';
import { nameOf, namespaceOf, objectKey } from 'kube-endpoints/internal/apimachinery';
import type { Endpoints, EndpointsInput, Service } from 'kube-endpoints/types';
import type { Release } from '../flags/common.ts';
import type { Scope } from '../input/scope.ts';

/** The comparison of one Service's Endpoints with the input. */
export interface EndpointsComparison {
  readonly namespace: string;
  readonly name: string;
  /**
   * "differs" if the controller would write; "missing" if it would create the Endpoints; "leftOver" if the Service does not exist, so that
   * the controller would delete the Endpoints; "unmanaged" if other writers manage them; "leaderElection" for a leader-election lock.
   */
  readonly state: 'equal' | 'differs' | 'missing' | 'leftOver' | 'unmanaged' | 'leaderElection';
  readonly reasons: readonly PlanReason[];
  /** The Endpoints in the input, and the Endpoints that the controller would write; only set if the report prints them. */
  readonly found?: EndpointsInput;
  readonly computed?: Endpoints;
}

/** The annotation of a leader-election lock, which the controller never deletes. */
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';

/** Compares Endpoints of every Service in scope, and Endpoints without a Service, with what the controller of a release would write. */
export function compareAllEndpoints(scope: Scope, release: Release, invalidObjects: ReadonlySet<string>): EndpointsComparison[] {
  const { reconcile } = createReconciler(release);
  const serviceComparisons = scope.services
    .filter((service) => !invalidObjects.has(`Endpoints ${objectKey(service)}`))
    .map((service) => compareService(service, scope, reconcile));
  const serviceKeys = new Set(scope.services.map(objectKey));
  const leftOverEndpoints = scope.endpoints.filter(
    (endpoints) => !serviceKeys.has(objectKey(endpoints)) && !invalidObjects.has(`Service ${objectKey(endpoints)}`),
  );
  return [...serviceComparisons, ...leftOverEndpoints.map((endpoints) => compareLeftOver(endpoints, reconcile))];
}

type Reconcile = ReturnType<typeof createReconciler>['reconcile'];

function compareService(service: Service, scope: Scope, reconcile: Reconcile): EndpointsComparison {
  const current = scope.endpointsOf(service);
  const { action, object, reasons } = reconcile({ key: objectKey(service), service, pods: scope.podsOf(namespaceOf(service)), current });
  const name = { namespace: namespaceOf(service), name: nameOf(service) };
  if (action === 'create' && object) return { ...name, state: 'missing', reasons, computed: object };
  if (action === 'none') return { ...name, state: reasons.some(({ code }) => code === 'EndpointsEqual') ? 'equal' : 'unmanaged', reasons };
  if (!object || !current || changesOnlyTriggerTime(object, current)) return { ...name, state: 'equal', reasons };
  return { ...name, state: 'differs', reasons, found: current, computed: object };
}

function compareLeftOver(endpoints: EndpointsInput, reconcile: Reconcile): EndpointsComparison {
  const name = { namespace: namespaceOf(endpoints), name: nameOf(endpoints) };
  if (Object.hasOwn(endpoints.metadata?.annotations ?? {}, leaderAnnotation)) return { ...name, state: 'leaderElection', reasons: [] };
  const { reasons } = reconcile({ key: objectKey(endpoints), pods: [], current: endpoints });
  return { ...name, state: 'leftOver', reasons, found: endpoints };
}

/** Whether a write changes only the trigger time. Some releases write some objects at every sync, which does not count as a difference. */
const changesOnlyTriggerTime = (object: EndpointsInput, current: EndpointsInput): boolean =>
  isDeepStrictEqual(toComparable(object), toComparable(current));

function toComparable({ metadata, subsets }: EndpointsInput): unknown {
  const annotations = Object.entries(metadata?.annotations ?? {}).filter(([key]) => key !== triggerTimeAnnotation);
  // JSON drops prototypes and undefined fields, which do not count.
  return JSON.parse(
    JSON.stringify({ labels: Object.entries(metadata?.labels ?? {}).sort(), annotations: annotations.sort(), subsets: subsets ?? [] }),
  );
}
