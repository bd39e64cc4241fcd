import { computeEndpointSlices } from '../../src/spec/index.ts';
import {
  type Trace,
  type TraceObjects,
  type TraceOptions,
  type TraceQuestion,
  type TraceStep,
  traceTarget,
} from '../../src/trace/index.ts';
import type { TraceNode, TracePod, TraceService } from '../../src/trace/objects.ts';
import type { TraceStage } from '../../src/trace/trace.ts';
import type { EndpointInput, EndpointSliceInput } from '../../src/types/index.ts';

type Spec = NonNullable<TraceService['spec']>;

/** Metadata for "web" or "shop/web". */
const metadataOf = (key: string) => {
  const [name = '', namespace = 'shop'] = key.split('/').toReversed();
  return { name, namespace, uid: `uid-of-${name}` };
};

/** Creates a Service that has a cluster IP and a port "http" by default. */
export const makeService = (key: string, spec: Spec = {}, more: Partial<TraceService> = {}): TraceService => {
  const clusterIP = spec.clusterIP ?? '10.96.0.10';
  const app = metadataOf(key).name;
  return {
    metadata: metadataOf(key),
    ...more,
    spec: {
      type: 'ClusterIP',
      ipFamilies: ['IPv4'],
      clusterIP,
      clusterIPs: [clusterIP],
      selector: { app },
      ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
      ...spec,
    },
  };
};

/** A ready pod of a Service on a node, with the address 10.1.0.`number`. */
export const makePod = (key: string, number: number, { spec, status, ...more }: Partial<TracePod> = {}): TracePod => ({
  ...more,
  metadata: { labels: { app: metadataOf(key).name.replace(/-\d+$/, '') }, ...metadataOf(key), ...more.metadata },
  spec: { nodeName: `n${((number - 1) % 3) + 1}`, containers: [{ name: 'app', ports: [{ name: 'http', containerPort: 8080 }] }], ...spec },
  status: {
    phase: 'Running',
    podIP: `10.1.0.${number}`,
    podIPs: [{ ip: `10.1.0.${number}` }],
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [{ name: 'app', ready: true, started: true, state: { running: {} } }],
    ...status,
  },
});

export const crashingStatus: TracePod['status'] = {
  conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady' }],
  containerStatuses: [{ name: 'app', ready: false, started: false, state: { waiting: { reason: 'CrashLoopBackOff' } } }],
};

/** n1 and n2 are in zone-a, n3 is in zone-b. */
export const nodes: readonly TraceNode[] = [1, 2, 3].map((number) => ({
  metadata: { name: `n${number}`, labels: { 'topology.kubernetes.io/zone': number < 3 ? 'zone-a' : 'zone-b' } },
  status: {
    addresses: [{ type: 'InternalIP', address: `192.168.0.${number}` }],
    conditions: [{ type: 'Ready', status: 'True' }],
    allocatable: { cpu: '4' },
  },
}));

/** Computes the slices that the controller writes for a Service. */
export const slicesOf = (service: TraceService, pods: readonly TracePod[]): EndpointSliceInput[] =>
  computeEndpointSlices(service, pods, { nodes }).map((slice, index) => ({
    ...slice,
    metadata: { ...slice.metadata, name: `${service.metadata?.name}-${index}` },
  }));

/** Applies `change` to each endpoint of the slices. */
export const withEndpoints = (
  slices: readonly EndpointSliceInput[],
  change: (endpoint: EndpointInput) => EndpointInput,
): EndpointSliceInput[] => slices.map((slice) => ({ ...slice, endpoints: (slice.endpoints ?? []).map(change) }));

/** A cluster with up-to-date slices. */
export const makeCluster = (
  services: readonly TraceService[],
  pods: readonly TracePod[],
  more: Partial<TraceObjects> = {},
): TraceObjects => ({
  services,
  pods,
  slices: services.flatMap((service) => slicesOf(service, pods)),
  nodes,
  namespaces: [{ metadata: { name: 'shop' } }, { metadata: { name: 'default' } }],
  ...more,
});

/** Service shop/web with three ready pods, and a client pod. */
export const shop: TraceObjects = makeCluster(
  [makeService('web')],
  [makePod('web-1', 1), makePod('web-2', 2), makePod('web-3', 3), makePod('frontend-1', 9)],
);

/** Traces a target from namespace shop. */
export const runTrace = (target: string, objects: TraceObjects, question: Partial<TraceQuestion> = {}, options?: TraceOptions): Trace =>
  traceTarget({ target, namespace: 'shop', ...question }, objects, options);

export const stepOf = ({ steps }: Trace, stage: TraceStage): TraceStep => steps.find((step) => step.stage === stage) as TraceStep;

/** The codes of a step's notes. */
export const codesOf = (trace: Trace, stage: TraceStage): string[] => stepOf(trace, stage).notes.map(({ code }) => code);

/** "label: Code, Code" for each left-out item of a step. */
export const leftOutOf = (trace: Trace, stage: TraceStage): string[] =>
  stepOf(trace, stage).leftOut.map(({ label, notes }) => [label, notes.map(({ code }) => code).join(', ')].filter(Boolean).join(': '));

export const labelsOf = (trace: Trace, stage: TraceStage): string[] => stepOf(trace, stage).chosen.map(({ label }) => label);

/** "name ok, record error, ..." */
export const outcomesOf = ({ steps }: Trace): string => steps.map(({ stage, outcome }) => `${stage} ${outcome}`).join(', ');
