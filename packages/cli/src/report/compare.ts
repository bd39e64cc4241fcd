import { isDeepStrictEqual } from 'node:util';
import { createReconciler, type PlanReason } from 'kube-endpoints';
import { nameOf, namespaceOf, objectKey, triggerTimeAnnotation } from 'kube-endpoints/internal';
import type { Endpoints, EndpointsInput, Service } from 'kube-endpoints/types';
import type { Scope } from '../input/scope.ts';

/** What comparing one Service's Endpoints with those found came to. */
export interface Compared {
  readonly namespace: string;
  readonly name: string;
  /**
   * "equal"; "differs": the controller would write; "missing": there are none, it would create them; "leftOver": there is no
   * Service, it would delete them; "unmanaged": it leaves them to others; "leaderElection": a lock, kept by its holder.
   */
  readonly state: 'equal' | 'differs' | 'missing' | 'leftOver' | 'unmanaged' | 'leaderElection';
  readonly reasons: readonly PlanReason[];
  /** The Endpoints in the input and what would be written over them; only where they are told of. */
  readonly found?: EndpointsInput;
  readonly computed?: Endpoints;
}

/** The lock of a component that elects its leader by Endpoints, which the controller never deletes. */
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';

/** What the controller of a release would do about every Service and every leftover in scope. */
export function compareAll(scope: Scope, version: string, refused: ReadonlySet<string>): Compared[] {
  const { reconcile } = createReconciler({ version });
  const services = scope.services
    .filter((service) => !refused.has(`Endpoints ${objectKey(service)}`))
    .map((service) => compareService(service, scope, reconcile));
  const served = new Set(scope.services.map(objectKey));
  const alone = scope.endpoints.filter((endpoints) => !served.has(objectKey(endpoints)) && !refused.has(`Service ${objectKey(endpoints)}`));
  return [...services, ...alone.map((endpoints) => leftOver(endpoints, reconcile))];
}

type Reconcile = ReturnType<typeof createReconciler>['reconcile'];

function compareService(service: Service, scope: Scope, reconcile: Reconcile): Compared {
  const current = scope.endpointsOf(service);
  const { action, object, reasons } = reconcile({ key: objectKey(service), service, pods: scope.podsOf(namespaceOf(service)), current });
  const name = { namespace: namespaceOf(service), name: nameOf(service) };
  if (action === 'create' && object) return { ...name, state: 'missing', reasons, computed: object };
  if (action === 'none') return { ...name, state: reasons.some(({ code }) => code === 'EndpointsEqual') ? 'equal' : 'unmanaged', reasons };
  if (!object || !current || isRewrite(object, current)) return { ...name, state: 'equal', reasons };
  return { ...name, state: 'differs', reasons, found: current, computed: object };
}

function leftOver(endpoints: EndpointsInput, reconcile: Reconcile): Compared {
  const name = { namespace: namespaceOf(endpoints), name: nameOf(endpoints) };
  if (Object.hasOwn(endpoints.metadata?.annotations ?? {}, leaderAnnotation)) return { ...name, state: 'leaderElection', reasons: [] };
  const { reasons } = reconcile({ key: objectKey(endpoints), pods: [], current: endpoints });
  return { ...name, state: 'leftOver', reasons, found: endpoints };
}

/** Whether writing changes nothing but the trigger time: some releases write some objects at every sync. */
const isRewrite = (object: EndpointsInput, current: EndpointsInput): boolean => isDeepStrictEqual(comparable(object), comparable(current));

function comparable({ metadata, subsets }: EndpointsInput): unknown {
  const annotations = Object.entries(metadata?.annotations ?? {}).filter(([key]) => key !== triggerTimeAnnotation);
  // through JSON, because prototypes and absent fields do not count
  return JSON.parse(
    JSON.stringify({ labels: Object.entries(metadata?.labels ?? {}).sort(), annotations: annotations.sort(), subsets: subsets ?? [] }),
  );
}
