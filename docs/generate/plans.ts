import { createReconciler, type Reconciler } from '../../src/incremental/index.ts';
import type { Plan, PlanCode } from '../../src/spec/index.ts';
import type { Service } from '../../src/types/index.ts';

export interface PlanRow {
  readonly code: PlanCode;
  readonly message: string;
  readonly actions: readonly Plan['action'][];
}

/** Every plan code with its message and its actions, as the reconciler returns them. */
export const createPlanRows = (): readonly PlanRow[] =>
  (Object.entries(situations) as [PlanCode, Situation][]).map(([code, situation]) => {
    const plans = situation(createReconciler());
    const reasons = plans.map((plan) => plan.reasons.find((reason) => reason.code === code));
    const [message] = reasons.map((reason) => reason?.message);
    if (message === undefined || reasons.includes(undefined)) throw new Error(`${code} does not result from its situation`);
    return { code, message, actions: plans.map(({ action }) => action) };
  });

/** Returns plans of a new reconciler whose reasons include the code, one plan for each action that is possible with the code. */
type Situation = (reconciler: Reconciler) => readonly Plan[];

const key = 'default/web';
const metadata = { namespace: 'default', name: 'web', resourceVersion: '1' };
const service: Service = { metadata, spec: { selector: { app: 'web' }, clusterIP: '10.96.0.1', ipFamilies: ['IPv4'] } };
const labels = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
const annotations = { 'endpoints.kubernetes.io/over-capacity': 'truncated' };
const subsets = [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }];

const situations: Readonly<Record<PlanCode, Situation>> = {
  ServiceDeleted: ({ reconcile }) => [reconcile({ key, pods: [], current: { metadata, subsets } }), reconcile({ key, pods: [] })],
  ServiceIsExternalName: ({ reconcile }) => [reconcile({ key, service: { metadata, spec: { type: 'ExternalName' } }, pods: [] })],
  ServiceHasNoSelector: ({ reconcile }) => [reconcile({ key, service: { metadata, spec: {} }, pods: [] })],
  EndpointsStale: ({ reconcile, observe }) => {
    reconcile({ key, service, pods: [], current: { metadata, subsets } });
    observe({ metadata: { ...metadata, resourceVersion: '2' } });
    return [reconcile({ key, service, pods: [], current: { metadata, subsets } })];
  },
  EndpointsMissing: ({ reconcile }) => [reconcile({ key, service, pods: [] })],
  SubsetsDiffer: ({ reconcile }) => [reconcile({ key, service, pods: [], current: { metadata: { ...metadata, labels }, subsets } })],
  LabelsDiffer: ({ reconcile }) => [reconcile({ key, service, pods: [], current: { metadata } })],
  OverCapacityAnnotationWrong: ({ reconcile }) => [
    reconcile({ key, service, pods: [], current: { metadata: { ...metadata, labels, annotations } } }),
  ],
  EndpointsEqual: ({ reconcile }) => [reconcile({ key, service, pods: [], current: { metadata: { ...metadata, labels } } })],
};
