import { describe, expect, it } from 'vitest';
import { createPodPlaces, type PodPlaces } from '../../../src/incremental/slices/places.ts';
import { settingsUnder } from '../../../src/spec/settings.ts';
import type { NodesByName } from '../../../src/spec/slices/desired.ts';
import type { Pod } from '../../../src/types/index.ts';
import { makePod, makeService, profileWith } from '../../spec/objects.ts';
import { makeNode } from '../../spec/slices/objects.ts';

const dual = makeService({ ipFamilies: ['IPv4', 'IPv6'], ports: [{ name: 'http', protocol: 'TCP', targetPort: 'web' }] });
const nodes: NodesByName = new Map([['n1', makeNode('n1', 'z')]]);
const podAt = (ips: string[], containerPort = 80, nodeName = 'n1', ready = true): Pod =>
  makePod('a', {
    ready,
    spec: { nodeName, containers: [{ ports: [{ name: 'web', containerPort, protocol: 'TCP' }] }] },
    status: { podIPs: ips.map((ip) => ({ ip })) },
  });
const make = () => createPodPlaces(dual, nodes, settingsUnder(profileWith()));
const contents = (places: PodPlaces) =>
  places.desired().map(({ groups, missingNodes }) => [
    ...groups.map((group) => {
      const endpoints = group.takeRest();
      return `${group.ports[0]?.port}: ${endpoints.map(({ addresses, conditions }) => `${addresses}${conditions.ready ? '' : '!'}`)}`;
    }),
    ...missingNodes.map(({ node }) => `no ${node}`),
  ]);

const [four, six] = ['10.0.0.1', 'fd00::1'];

describe('a pod moves', () => {
  it.each<[string, Pod, string[][]]>([
    ['readiness', podAt([four, six], 80, 'n1', false), [['80: 10.0.0.1!'], ['80: fd00::1!']]],
    ['one address', podAt([four, 'fd00::2']), [['80: 10.0.0.1'], ['80: fd00::2']]],
    ['the other address', podAt(['10.0.0.2', six]), [['80: 10.0.0.2'], ['80: fd00::1']]],
    ['ports', podAt([four, six], 81), [['81: 10.0.0.1'], ['81: fd00::1']]],
    [
      'to a node that is not there',
      podAt([four, six], 80, 'gone'),
      [
        ['80: ', 'no gone'],
        ['80: ', 'no gone'],
      ],
    ],
    ['to one address', podAt([six]), [['80: '], ['80: fd00::1']]],
    ['to none', podAt([]), [['80: '], ['80: ']]],
    ['out', { ...podAt([four]), status: { phase: 'Failed' } }, [[], []]],
  ])('%s, and back', (_, other, expected) => {
    const places = make();
    const first = places.move(undefined, podAt([four, six]));
    const before = [['80: 10.0.0.1'], ['80: fd00::1']];
    expect(contents(places)).toEqual(before);
    const second = places.move(first, other);
    expect(contents(places)).toEqual(expected);
    const third = places.move(second, podAt([four, six]));
    expect(contents(places)).toEqual(before);
    expect(places.move(third, undefined)).toBeUndefined();
    expect(contents(places)).toEqual([[], []]);
  });
});

it('a pod keeps the places that are right', () => {
  const places = make();
  const first = places.move(undefined, podAt([four, six]));
  expect(places.move(first, podAt([four, six]))).toBe(first);
  const second = places.move(first, podAt(['10.0.0.2', six]));
  expect(second?.next).toBe(first?.next);
  const third = places.move(second, podAt(['10.0.0.2', 'fd00::2']));
  expect(third?.entry).toBe(second?.entry);
  expect(third?.next).not.toBe(second?.next);
});
