import type { Cluster, ClusterOptions, EmptyPeriod, ObjectVersion } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';

type DelayRequest = Parameters<NonNullable<ClusterOptions['choose']>>[0];

export interface FaultContext {
  readonly cluster: Cluster;
  /** How the pods and components behave from now on. */
  readonly behaviour: {
    isFailing: boolean;
    /** Replaces a delay, in milliseconds; undefined leaves it as it is. */
    delayOf?: (request: DelayRequest, now: number) => number | undefined;
  };
  /** Runs the cluster for some milliseconds. */
  run(milliseconds: number): void;
}

/** A fault that empties the Service for some time. */
export interface Fault {
  readonly name: string;
  /** Whether all pods run on the first node. */
  readonly isOnOneNode?: boolean;
  inject(context: FaultContext): void;
  /** What is missing in the explanation of the empty period; undefined if it names the fault. */
  problemOf(period: EmptyPeriod): string | undefined;
}

/** All probes fail for some time. */
function failProbes({ behaviour, run }: FaultContext, milliseconds: number): void {
  behaviour.isFailing = true;
  run(milliseconds);
  behaviour.isFailing = false;
}

function changeService({ cluster, run }: FaultContext, spec: object): void {
  const stored = cluster.get<ApiObject>('Service', 'shop', 'web') as ApiObject;
  const apply = (changed: object): void =>
    void cluster.apply({ ...stored, metadata: { ...stored.metadata }, spec: { ...(stored['spec'] as object), ...changed } });
  apply(spec);
  run(20_000);
  apply({});
}

const isNotReady = ({ kind, object }: ObjectVersion): boolean => {
  const status = (object?.['status'] ?? {}) as { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
  return kind === 'Pod' && !!status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'False');
};

const expect = (holds: boolean, problem: string): string | undefined => (holds ? undefined : problem);

const expectLosses = ({ losses }: EmptyPeriod, holds: (version: ObjectVersion) => boolean, problem: string): string | undefined =>
  expect(losses.length > 0 && losses.every(({ version }) => holds(version)), problem);

const expectCode = ({ why }: EmptyPeriod, codes: readonly string[]): string | undefined =>
  expect(codes.includes(why[0]?.code ?? ''), `the first cause is ${why[0]?.code}, not ${codes.join(' or ')}`);

export const faults: readonly Fault[] = [
  {
    name: 'the EndpointSlice controller sees changes 30 s late',
    inject(context) {
      const { behaviour, run } = context;
      behaviour.delayOf = ({ name, actor }) => (name === 'watch' && actor === 'endpointslice-controller' ? 30_000 : undefined);
      failProbes(context, 120_000);
      run(300_000);
      delete behaviour.delayOf;
    },
    problemOf: ({ late }) => expect(late?.hop === 'sliceWrite' && late.min >= 25_000, `the late hop is ${late?.hop}, of ${late?.min} ms`),
  },
  {
    name: 'kubelets write statuses late',
    inject(context) {
      const { behaviour, run } = context;
      failProbes(context, 15_000);
      behaviour.delayOf = ({ name, actor }) => (name === 'request' && actor.startsWith('kubelet/') ? 15_000 : undefined);
      run(240_000);
      delete behaviour.delayOf;
    },
    problemOf: ({ late }) => expect(late?.hop === 'statusWrite', `the late hop is ${late?.hop}`),
  },
  {
    name: 'the selector matches nothing',
    inject: (context) => changeService(context, { selector: { app: 'wbe' } }),
    problemOf: (period) =>
      expectCode(period, ['SelectorMatchesNothing', 'TemplateLabelsDoNotMatch']) ??
      expectLosses(period, ({ kind }) => kind === 'Service', 'the Service is not named'),
  },
  {
    name: 'a readiness probe fails',
    inject: (context) => failProbes(context, 20_000),
    problemOf: (period) =>
      expectCode(period, ['ReadinessProbeFails']) ?? expectLosses(period, isNotReady, 'the pods that are not ready are not named'),
  },
  {
    name: 'pods lack the port',
    inject: (context) => changeService(context, { ports: [{ port: 80, protocol: 'TCP', targetPort: 'web' }] }),
    problemOf: (period) =>
      expectCode(period, ['PortFoundInNoPod']) ?? expectLosses(period, ({ kind }) => kind === 'Service', 'the Service is not named'),
  },
  {
    name: 'all pods are evicted at once',
    inject({ cluster }) {
      for (const { metadata } of cluster.list('Pod', 'shop')) cluster.evict('shop', metadata.name as string);
    },
    problemOf: (period) =>
      expectLosses(period, ({ isEviction, object }) => !!isEviction || isDisrupted(object), 'the eviction is not named'),
  },
  {
    name: 'the pods of a node are not ready',
    isOnOneNode: true,
    inject: (context) => failProbes(context, 20_000),
    problemOf: (period) => expectLosses(period, (version) => isNotReady(version) && nodeOf(version) === 'n0', 'the node is not named'),
  },
];

const isDisrupted = (object: ObjectVersion['object']): boolean =>
  JSON.stringify(object?.['status'] ?? {}).includes('EvictionByEvictionAPI');

const nodeOf = ({ object }: ObjectVersion): unknown => ((object?.['spec'] ?? {}) as { readonly nodeName?: string }).nodeName;
