import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { type Call, createCache, createDaemonSetControllers, createWorker, createWorkQueue } from '../../src/internal.ts';

const now = Date.UTC(2000, 0, 1);

interface Options {
  readonly spec?: object;
  /** Fields of the spec of the pod template. */
  readonly template?: object;
  readonly nodes?: readonly ApiObject[];
  readonly pods?: readonly ApiObject[];
  /** Changes after the first syncs. */
  readonly changes?: readonly ApiObject[];
}

const createSet = ({ spec = {}, template = {} }: Options): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'log', namespace: 'default', uid: 'set', generation: 1, resourceVersion: '1' },
  spec: {
    selector: { matchLabels: { app: 'log' } },
    template: { metadata: { labels: { app: 'log' } }, spec: { containers: [{ name: 'c', image: 'i' }], ...template } },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    revisionHistoryLimit: 10,
    ...spec,
  },
});

const createNode = (name: string, taints: readonly object[] = [], labels: Record<string, string> = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, resourceVersion: '1', labels },
  spec: { taints },
});

const createPod = (node: string, phase = 'Running', hash = 'old'): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `log-${node}`,
    namespace: 'default',
    uid: `pod-${node}`,
    resourceVersion: '1',
    labels: { app: 'log', 'controller-revision-hash': hash },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'log', uid: 'set', controller: true }],
  },
  spec: { nodeName: node },
  status: { phase, conditions: [{ type: 'Ready', status: phase === 'Running' ? 'True' : 'False' }] },
});

/** The calls of the syncs, all of which succeed, and which the cache does not show. */
function callsOf(options: Options): string[] {
  const { nodes = [createNode('a'), createNode('b')], pods = [], changes = [] } = options;
  const calls: string[] = [];
  const cache = createCache();
  const workers = createDaemonSetControllers({ cache, now: () => now, random: () => 0 }).map((controller) => {
    const queue = createWorkQueue(() => now);
    controller.attach?.(queue);
    const onCalls = (arrived: readonly { call: Call; resolve(object?: ApiObject): void }[]): void => void pending.push(...arrived);
    return { controller, queue, worker: createWorker(controller, queue, { onCalls, onEvent: () => {}, onWait: () => {} }) };
  });
  const pending: { call: Call; resolve(object?: ApiObject): void }[] = [];
  const deliver = (object: ApiObject): void => {
    const change = cache.put(object);
    for (const { controller, queue } of workers) if (controller.kinds.includes(change.kind)) controller.handle(change, queue);
  };
  const settle = (): void => {
    for (const { worker } of [...workers, ...workers]) worker.run();
    for (let next = pending.shift(); next; next = pending.shift()) {
      calls.push(describeCall(next.call));
      next.resolve('object' in next.call ? next.call.object : undefined);
    }
  };
  for (const object of [...nodes, ...pods, createSet(options)]) deliver(object);
  settle();
  for (const object of changes) deliver(object);
  settle();
  return calls;
}

function describeCall(call: Call): string {
  if (call.do !== 'create' || call.kind !== 'Pod')
    return `${call.do} ${call.kind} ${'name' in call ? call.name : call.object.metadata.name}`;
  const { affinity } = call.object['spec'] as { affinity: { nodeAffinity: Record<string, { nodeSelectorTerms: object[] }> } };
  const [term] = affinity.nodeAffinity['requiredDuringSchedulingIgnoredDuringExecution']?.nodeSelectorTerms ?? [];
  const [
    {
      values: [node],
    } = { values: ['?'] },
  ] = (term as { matchFields: { values: string[] }[] }).matchFields;
  return `create Pod on ${node}`;
}

const podCallsOf = (options: Options): string[] => callsOf(options).filter((call) => call.includes(' Pod '));

const taint = (key: string, effect: string): object => ({ key, effect });

describe('the daemonset controller', () => {
  // The name that kube-controller-manager 1.36 gives to this template.
  const hash = '584d6d44fb';
  test('names a revision by the hash of its template', () => expect(callsOf({})[0]).toBe(`create ControllerRevision log-${hash}`));

  test.each<[string, Options, string[]]>([
    ['creates a pod for each node', {}, ['create Pod on a', 'create Pod on b']],
    ['creates no second pod on a node', { pods: [createPod('a', 'Running', hash)] }, ['create Pod on b']],
    [
      'selects nodes by their labels',
      { nodes: [createNode('a', [], { x: 'y' }), createNode('b')], template: { nodeSelector: { x: 'y' } } },
      ['create Pod on a'],
    ],
    ['avoids a node whose taint the pods do not tolerate', { nodes: [createNode('a', [taint('k', 'NoSchedule')])] }, []],
    [
      'tolerates a node that is not ready',
      { nodes: [createNode('a', [taint('node.kubernetes.io/not-ready', 'NoExecute')])] },
      ['create Pod on a'],
    ],
    [
      'keeps a pod on a node with a taint NoSchedule',
      { nodes: [createNode('a', [taint('k', 'NoSchedule')])], pods: [createPod('a', 'Running', hash)] },
      [],
    ],
    [
      'deletes a pod on a node with a taint NoExecute',
      { nodes: [createNode('a', [taint('k', 'NoExecute')])], pods: [createPod('a', 'Running', hash)] },
      ['delete Pod log-a'],
    ],
    ['deletes a failed pod', { nodes: [createNode('a')], pods: [createPod('a', 'Failed', hash)] }, ['delete Pod log-a']],
    ['replaces as many outdated pods as may be unavailable', { pods: [createPod('a'), createPod('b')] }, ['delete Pod log-a']],
    [
      'creates new pods beside outdated ones while surging',
      {
        pods: [createPod('a'), createPod('b')],
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } },
      },
      ['create Pod on a'],
    ],
    [
      'keeps outdated pods with the strategy OnDelete',
      { pods: [createPod('a'), createPod('b')], spec: { updateStrategy: { type: 'OnDelete' } } },
      [],
    ],
    [
      'creates a pod when a node loses its taint',
      {
        nodes: [createNode('a', [taint('k', 'NoSchedule')])],
        changes: [{ ...createNode('a'), metadata: { name: 'a', resourceVersion: '2' } }],
      },
      ['create Pod on a'],
    ],
  ])('%s', (_, options, calls) => expect(podCallsOf(options)).toStrictEqual(calls));
});
