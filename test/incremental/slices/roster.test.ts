import { describe, expect, it } from 'vitest';
import { createRoster, type Roster } from '../../../src/incremental/slices/roster.ts';
import { settingsUnder } from '../../../src/spec/settings.ts';
import type { NodesByName } from '../../../src/spec/slices/desired.ts';
import type { Pod, Service } from '../../../src/types/index.ts';
import { freezeDeeply } from '../../property/check.ts';
import { makePod, makeService, profileWith } from '../../spec/objects.ts';
import { makeNode } from '../../spec/slices/objects.ts';

const settings = settingsUnder(profileWith());
const dual = makeService({ ipFamilies: ['IPv4', 'IPv6'] });
const nodesOf = (...names: string[]): NodesByName => new Map(names.map((name) => [name, makeNode(name, `zone-${name}`)]));
const make = (service: Service = makeService(), nodes?: NodesByName) => createRoster(service, nodes, settings);

/** What the pods come to, in full: a type a line, its groups and what is missing. */
const contents = (roster: Roster) =>
  roster.desired().map(({ addressType, groups, missingNodes }) => ({
    addressType,
    groups: groups.map((group) => ({ ports: group.ports.map(({ port }) => port), endpoints: group.takeRest() })),
    missing: missingNodes,
  }));
const fresh = (service: Service, pods: readonly Pod[], nodes?: NodesByName) => {
  const roster = make(service, nodes);
  roster.update(structuredClone(pods) as Pod[]);
  return contents(roster);
};
const numbered = (count: number) => Array.from({ length: count }, (_, i) => makePod(`p${i}`, { ip: `10.0.0.${i}` }));

/** A pod whose parts can be set, as callers do that change what is in a cache. */
interface Changeable {
  metadata: Record<string, unknown>;
  spec: Record<string, unknown>;
  status: { phase: string; podIP: string; podIPs: object[]; conditions: { type: string; status: string }[] };
}

describe('lists of pods', () => {
  const pods = numbered(8);
  const stranger = (i: number) =>
    makePod(`x${i}`, { metadata: { namespace: i % 2 ? 'other' : 'shop', labels: { app: i % 2 ? 'web' : 'db' } } });
  const strangers = Array.from({ length: 12 }, (_, i) => stranger(i));

  it.each<{ name: string; lists: Pod[][] }>([
    { name: 'the same again', lists: [pods, pods] },
    { name: 'one removed at the head', lists: [pods, pods.slice(1)] },
    { name: 'one removed in the middle', lists: [pods, pods.toSpliced(3, 1)] },
    { name: 'more removed than are looked ahead', lists: [pods, pods.toSpliced(1, 6)] },
    { name: 'one inserted', lists: [pods.toSpliced(3, 1), pods] },
    { name: 'many inserted', lists: [pods.toSpliced(1, 6), pods] },
    { name: 'the other way round', lists: [pods, pods.toReversed()] },
    { name: 'turned', lists: [pods, [...pods.slice(5), ...pods.slice(0, 5)]] },
    { name: 'one replaced by its like', lists: [pods, pods.with(3, structuredClone(pods[3] as Pod))] },
    { name: 'all replaced', lists: [pods, structuredClone(pods)] },
    { name: 'all gone, and there again', lists: [pods, [], pods] },
    { name: 'among others', lists: [pods, pods.flatMap((pod, i) => [strangers[i] as Pod, pod]), pods] },
    { name: 'behind others', lists: [pods, [...strangers, ...pods], [...pods, ...strangers]] },
    { name: 'one twice', lists: [pods, [...pods, pods[0] as Pod], [pods[0] as Pod, ...pods], pods] },
    { name: 'nameless', lists: [pods, pods.map((pod) => ({ ...pod, metadata: { ...pod.metadata, name: '' } })), pods] },
  ])('$name', ({ lists }) => {
    const roster = make();
    for (const list of lists) {
      expect(roster.update(freezeDeeply(list))).toEqual(
        list.filter(({ metadata }) => metadata?.namespace === 'shop' && metadata.labels?.['app'] === 'web'),
      );
      expect(contents(roster)).toEqual(fresh(makeService(), list));
    }
  });

  it('only pods that are new or have changed are judged', () => {
    const judged: string[] = [];
    const watched = pods.map((pod) => {
      const name = pod.metadata?.name ?? '';
      const podIP = {
        get ip() {
          judged.push(name);
          return pod.status?.podIP;
        },
      };
      return { ...pod, status: { ...pod.status, podIPs: [podIP] } };
    });
    const roster = make();
    const judgedIn = (list: Pod[]) => {
      judged.length = 0;
      roster.update(list);
      return judged.join();
    };
    expect(judgedIn(watched)).toBe('p0,p1,p2,p3,p4,p5,p6,p7');
    expect(judgedIn(watched)).toBe('');
    expect(judgedIn(watched.flatMap((pod, i) => [strangers[i] as Pod, pod]))).toBe('');
    expect(judgedIn(watched.toSpliced(2, 2))).toBe('');
    expect(judgedIn(watched)).toBe('p2,p3');
    const replaced = watched.map((pod, i) => (i < 5 ? { ...pod } : pod));
    expect(judgedIn(replaced)).toBe('p0,p1,p2,p3,p4');
    expect(judgedIn(watched)).toBe('p0,p1,p2,p3,p4');
    expect(judgedIn(watched.with(5, { ...(watched[5] as (typeof watched)[0]) }))).toBe('p5');
  });
});

describe('groups', () => {
  const named = makeService({ ipFamilies: ['IPv4', 'IPv6'], ports: [{ name: 'http', protocol: 'TCP', targetPort: 'web' }] });
  const podAt = (name: string, containerPort: number, ...ips: string[]) =>
    makePod(name, {
      spec: { containers: [{ ports: [{ name: 'web', containerPort, protocol: 'TCP' }] }] },
      status: { podIPs: ips.map((ip) => ({ ip })) },
    });

  it('come and go with their pods, with or without endpoints, for each address type', () => {
    const [a, b, c] = [podAt('a', 80, '10.0.0.1'), podAt('b', 81, 'fd00::1'), podAt('c', 81, '10.0.0.2', 'fd00::2')];
    const roster = createRoster(named, undefined, settings);
    const shape = (...pods: Pod[]) => {
      roster.update(pods);
      expect(fresh(named, pods)).toEqual(contents(roster));
      return contents(roster).map(({ groups }) =>
        groups.map(({ ports, endpoints }) => `${ports}: ${endpoints.map(({ addresses }) => addresses)}`),
      );
    };
    expect(shape(a, b)).toEqual([
      ['80: 10.0.0.1', '81: '],
      ['80: ', '81: fd00::1'],
    ]);
    expect(shape(a, b, c)).toEqual([
      ['80: 10.0.0.1', '81: 10.0.0.2'],
      ['80: ', '81: fd00::1,fd00::2'],
    ]);
    expect(shape(c)).toEqual([['81: 10.0.0.2'], ['81: fd00::2']]);
    expect(shape()).toEqual([[], []]);
    expect(shape(a)).toEqual([['80: 10.0.0.1'], ['80: ']]);
  });
});

describe('pods whose node is missing', () => {
  const pods = ['b', 'a', 'c'].map((name) => makePod(name, { spec: { nodeName: name === 'c' ? 'n1' : 'gone' } }));
  const missing = (roster: Roster) => roster.desired().map(({ missingNodes }) => missingNodes.map(({ pod }) => pod).join());

  it.each<{ name: string; change: (roster: Roster) => unknown; expected: string }>([
    { name: 'as they were', change: (roster) => roster.update(pods), expected: 'a,b' },
    { name: 'in another order', change: (roster) => roster.update(pods.toReversed()), expected: 'a,b' },
    { name: 'one fewer', change: (roster) => roster.update(pods.slice(1)), expected: 'a' },
    { name: 'none', change: (roster) => roster.update([]), expected: '' },
    { name: 'one twice', change: (roster) => [roster.update([...pods, pods[0] as Pod]), roster.update(pods)], expected: 'a,b' },
    {
      name: 'one changed in place',
      change: (roster) => {
        const [first] = pods as unknown as Changeable[];
        if (first) first.status = { ...first.status, podIPs: [{ ip: '10.9.9.9' }] };
        return roster.update(pods);
      },
      expected: 'a,b',
    },
  ])('$name', ({ change, expected }) => {
    const roster = createRoster(dual, nodesOf('n1'), settings);
    roster.update(pods);
    expect(missing(roster)).toEqual(['a,b', 'a,b']);
    change(roster);
    expect(missing(roster)).toEqual([expected, expected]);
  });
});
