import { describe, expect, it } from 'vitest';
import { createPodListIndex, type PodListIndex } from '../../../src/incremental/slices/pod-index.ts';
import { settingsForProfile } from '../../../src/spec/settings.ts';
import type { NodesByName } from '../../../src/spec/slices/desired.ts';
import type { Endpoint, Pod, Service } from '../../../src/types/index.ts';
import { makePod, makeService, profileWith } from '../../spec/objects.ts';
import { makeEndpoint } from '../../spec/slices/objects.ts';

const settings = settingsForProfile(profileWith());
const createIndex = (service: Service = makeService(), nodes?: NodesByName) => createPodListIndex(service, nodes, settings);

/** The desired endpoints in full: per address type, its groups and missing nodes. */
const contents = (index: PodListIndex) =>
  index.listDesiredStates().map(({ addressType, groups, missingNodes }) => ({
    addressType,
    groups: groups.map((group) => ({ ports: group.ports.map(({ port }) => port), endpoints: group.takeRemaining() })),
    missing: missingNodes,
  }));
const endpointsOf = (index: PodListIndex): Endpoint[] =>
  contents(index).flatMap(({ groups }) => groups.flatMap(({ endpoints }) => endpoints));
const makePods = (count: number) => Array.from({ length: count }, (_, i) => makePod(`p${i}`, { ip: `10.0.0.${i}` }));

/** A mutable pod, for callers that change cached objects in place. */
interface MutablePod {
  metadata: Record<string, unknown>;
  spec: Record<string, unknown>;
  status: { phase: string; podIP: string; podIPs: object[]; conditions: { type: string; status: string }[] };
}

describe('createPodListIndex', () => {
  it.each<{ name: string; change: (pod: MutablePod) => void; expected: Partial<Endpoint> | undefined }>([
    {
      name: 'readiness',
      change: ({ status }) => {
        (status.conditions[0] as { status: string }).status = 'False';
      },
      expected: { conditions: { ready: false, serving: false, terminating: false } },
    },
    {
      name: 'removed conditions',
      change: ({ status }) => {
        status.conditions.pop();
      },
      expected: { conditions: { ready: false, serving: false, terminating: false } },
    },
    {
      name: 'deletionTimestamp',
      change: ({ metadata }) => {
        metadata['deletionTimestamp'] = '2026-01-01T00:00:00Z';
      },
      expected: { conditions: { ready: false, serving: true, terminating: true } },
    },
    {
      name: 'phase',
      change: ({ status }) => {
        status.phase = 'Failed';
      },
      expected: undefined,
    },
    {
      name: 'podIPs',
      change: ({ status }) => {
        status.podIPs = [{ ip: '10.0.0.9' }];
      },
      expected: { addresses: ['10.0.0.9'] },
    },
    {
      name: 'labels',
      change: ({ metadata }) => {
        metadata['labels'] = { app: 'db' };
      },
      expected: undefined,
    },
    {
      name: 'spec',
      change: (pod) => {
        pod.spec = { nodeName: 'n2' };
      },
      expected: { nodeName: 'n2' },
    },
    {
      name: 'metadata',
      change: (pod) => {
        pod.metadata = { ...pod.metadata, uid: 'other' };
      },
      expected: { targetRef: { kind: 'Pod', namespace: 'shop', name: 'a', uid: 'other' } },
    },
  ])('detects an in-place change of $name', ({ change, expected }) => {
    for (const others of [[], makePods(3)]) {
      const index = createIndex();
      const pod = makePod();
      index.update([...others, pod]);
      change(pod as MutablePod);
      const selected = index.update([...others, pod]);
      const endpoint = endpointsOf(index).find(({ targetRef }) => targetRef?.name === 'a');
      expect(endpoint).toEqual(expected && makeEndpoint('a', '10.0.0.1', expected));
      expect(selected.includes(pod)).toBe(pod.metadata?.labels?.['app'] === 'web');
      expect(index.update([...others, pod])).toEqual(selected);
    }
  });

  it('detects an in-place change of podIP, if it is the only address of the pod', () => {
    const pod = makePod('a', { status: { podIPs: null } });
    const index = createIndex();
    index.update([pod]);
    expect(contents(index)[0]?.groups.length).toBe(1);
    (pod as MutablePod).status.podIP = '';
    index.update([pod]);
    expect(contents(index)[0]?.groups.length).toBe(0);
  });

  it('detects an in-place change of resourceVersion, if targets contain it', () => {
    const pod = makePod();
    const index = createPodListIndex(makeService(), undefined, settingsForProfile(profileWith({ targetResourceVersionOmitted: false })));
    index.update([pod]);
    (pod as MutablePod).metadata['resourceVersion'] = '2';
    index.update([pod]);
    expect(endpointsOf(index)[0]?.targetRef).toMatchObject({ resourceVersion: '2' });
  });

  it('detects a removed status', () => {
    const pod = makePod();
    const index = createIndex();
    index.update([pod]);
    Object.assign(pod, { status: undefined });
    expect(index.update([pod])).toEqual([pod]);
    expect(contents(index)).toEqual([{ addressType: 'IPv4', groups: [], missing: [] }]);
  });
});

const makeUnselectedPod = (i: number) =>
  makePod(`x${i}`, { metadata: { namespace: i % 2 ? 'other' : 'shop', labels: { app: i % 2 ? 'web' : 'db' } } });
const unselectedPods = Array.from({ length: 12 }, (_, i) => makeUnselectedPod(i));

it('createPodListIndex evaluates only pods that are new or have changed', () => {
  const evaluatedPods: string[] = [];
  const observedPods = makePods(8).map((pod) => {
    const name = pod.metadata?.name ?? '';
    const podIP = {
      get ip() {
        evaluatedPods.push(name);
        return pod.status?.podIP;
      },
    };
    return { ...pod, status: { ...pod.status, podIPs: [podIP] } };
  });
  const index = createIndex();
  const evaluate = (list: Pod[]) => {
    evaluatedPods.length = 0;
    index.update(list);
    return evaluatedPods.join();
  };
  expect(evaluate(observedPods)).toBe('p0,p1,p2,p3,p4,p5,p6,p7');
  expect(evaluate(observedPods)).toBe('');
  expect(evaluate(observedPods.flatMap((pod, i) => [unselectedPods[i] as Pod, pod]))).toBe('');
  expect(evaluate(observedPods.toSpliced(2, 2))).toBe('');
  expect(evaluate(observedPods)).toBe('p2,p3');
  const replaced = observedPods.map((pod, i) => (i < 5 ? { ...pod } : pod));
  expect(evaluate(replaced)).toBe('p0,p1,p2,p3,p4');
  expect(evaluate(observedPods)).toBe('p0,p1,p2,p3,p4');
  expect(evaluate(observedPods.with(5, { ...(observedPods[5] as (typeof observedPods)[0]) }))).toBe('p5');
});
