import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { type Call, createCache, createStatefulSetController, createWorker, createWorkQueue } from '../../src/internal.ts';

const now = Date.UTC(2000, 0, 1);

interface Options {
  readonly replicas?: number;
  readonly spec?: object;
  readonly pods?: readonly ApiObject[];
}

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

const createSet = ({ replicas = 3, spec = {} }: Options): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'web', namespace: 'default', uid: 'set', generation: 1, resourceVersion: '1' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template,
    serviceName: 'web',
    podManagementPolicy: 'OrderedReady',
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    revisionHistoryLimit: 10,
    ...spec,
  },
});

const createPod = (ordinal: number, phase = 'Running', revision = 'old'): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `web-${ordinal}`,
    namespace: 'default',
    uid: `pod-${ordinal}`,
    resourceVersion: '1',
    labels: { app: 'web', 'controller-revision-hash': revision, 'statefulset.kubernetes.io/pod-name': `web-${ordinal}` },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'set', controller: true }],
  },
  status: { phase, conditions: [{ type: 'Ready', status: phase === 'Running' ? 'True' : 'False' }] },
});

/** The calls of one sync, all of which succeed. */
function callsOf(options: Options): string[] {
  const calls: string[] = [];
  const cache = createCache();
  const queue = createWorkQueue(() => now);
  const controller = createStatefulSetController({ cache, now: () => now, random: () => 0 });
  for (const object of [...(options.pods ?? []), createSet(options)]) controller.handle(cache.put(object), queue);
  const pending: { call: Call; resolve(object?: ApiObject): void }[] = [];
  const worker = createWorker(controller, queue, {
    onCalls: (arrived) => void pending.push(...arrived),
    onEvent: () => {},
    onWait: () => {},
  });
  worker.run();
  for (let next = pending.shift(); next; next = pending.shift()) {
    const { call } = next;
    const subject = 'object' in call ? call.object : { metadata: { name: 'name' in call ? call.name : '' } };
    calls.push(`${call.do} ${call.kind} ${subject.metadata.name}`);
    next.resolve('object' in call ? call.object : undefined);
  }
  return calls;
}

const podCallsOf = (options: Options): string[] => callsOf(options).filter((call) => call.includes('Pod '));

describe('the statefulset controller', () => {
  // The name that kube-controller-manager 1.36 gives to this template.
  test('names a revision by the hash of its template', () => expect(callsOf({})[0]).toBe('create ControllerRevision web-67df4d769'));

  test.each<[string, Options, string[]]>([
    ['creates the first pod only', {}, ['create Pod web-0']],
    ['waits for a pod that is not ready', { pods: [createPod(0, 'Pending')] }, []],
    ['creates the next pod after a ready one', { pods: [createPod(0)] }, ['create Pod web-1']],
    [
      'creates all pods in parallel if the policy allows it',
      { spec: { podManagementPolicy: 'Parallel' } },
      ['create Pod web-0', 'create Pod web-1', 'create Pod web-2'],
    ],
    ['starts at the first ordinal', { spec: { ordinals: { start: 5 } } }, ['create Pod web-5']],
    ['deletes a failed pod', { pods: [createPod(0, 'Failed')] }, ['delete Pod web-0']],
    ['deletes the last pod beyond the replicas', { replicas: 1, pods: [0, 1, 2].map((i) => createPod(i)) }, ['delete Pod web-2']],
    ['replaces the last outdated pod', { replicas: 2, pods: [0, 1].map((i) => createPod(i)) }, ['delete Pod web-1']],
    [
      'keeps outdated pods below the partition',
      { replicas: 2, pods: [0, 1].map((i) => createPod(i)), spec: { updateStrategy: { rollingUpdate: { partition: 2 } } } },
      [],
    ],
    [
      'counts replicas, not ordinals, for the partition',
      {
        replicas: 2,
        pods: [createPod(3), createPod(4, 'Running', 'web-67df4d769')],
        spec: { ordinals: { start: 3 }, updateStrategy: { rollingUpdate: { partition: 1 } } },
      },
      [],
    ],
    [
      'keeps outdated pods with the strategy OnDelete',
      { replicas: 2, pods: [0, 1].map((i) => createPod(i)), spec: { updateStrategy: { type: 'OnDelete' } } },
      [],
    ],
  ])('%s', (_, options, calls) => expect(podCallsOf(options)).toStrictEqual(calls));

  test('creates the claims of a pod before the pod', () => {
    const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: {} }];
    const calls = callsOf({ spec: { volumeClaimTemplates } }).slice(1, 3);
    expect(calls).toStrictEqual(['create PersistentVolumeClaim data-web-0', 'create Pod web-0']);
  });
});
