import type { Reason } from 'kube-endpoints/explain';
import type { PodSlicesExplanation } from 'kube-endpoints/internal';
import { describe, expect, test } from 'vitest';
import { cell } from '../../src/print/table.ts';
import {
  createMembershipRows,
  createSlicesExplainer,
  formatExplainedSlices,
  formatMembershipTable,
} from '../../src/report/explain-slices.ts';
import { failedStatus, markedStyle, node, plainStyle, pod, scopeOf, service, slice } from '../objects.ts';

const web = service('web');
const pods = [pod('a', 'web', '10.0.0.1'), pod('c', 'web', '10.0.0.3', failedStatus), pod('x', 'db', '10.0.0.9')];
const explainSlicesOf = (objects: Parameters<typeof scopeOf>[0], version = '1.37', target = web) =>
  createSlicesExplainer(scopeOf({ services: [target], pods, ...objects }), { version })(target);
const noPrintedReasons = (): readonly Reason[] => [];

describe('the slice explanation of a Service', () => {
  test('counts desired and existing slices by manager, and lists pending writes', () => {
    const slices = [
      slice('web-1', 'web'),
      slice('o', 'web', {}, 'me'),
      slice('p', 'web', { metadata: { name: 'p', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } } }),
    ];
    expect(explainSlicesOf({ slices })).toMatchObject({
      managed: true,
      wanted: 1,
      there: { 'endpointslice-controller.k8s.io': 1, me: 1, '': 1 },
      compared: { state: 'differs', changes: [{ action: 'update', name: 'web-1' }] },
    });
  });

  test('covers only the selected pods', () => {
    expect(explainSlicesOf({}).pods.map(({ name }) => name)).toEqual(['a', 'c']);
  });

  test.each([
    ['no slices in the input', {}, '1.37', web],
    ['a release before 1.17', { slices: [slice('web-1', 'web')] }, '1.16', web],
    ['a Service without a selector', { slices: [slice('web-1', 'web')] }, '1.37', service('web', { selector: null })],
  ])('compares nothing for %s', (_, objects, version, target) => {
    expect(explainSlicesOf(objects, version, target)).not.toHaveProperty('compared');
  });
});

describe('the slice section of a Service', () => {
  const section = (objects: Parameters<typeof scopeOf>[0], version = '1.37', target = web) =>
    formatExplainedSlices(explainSlicesOf(objects, version, target), noPrintedReasons, plainStyle);

  test('has a headline, hints and a row for each pod', () => {
    const serviceWithHints = service('web', { trafficDistribution: 'PreferClose' });
    const lines = section({ nodes: [node('node-1', 'zone-a')], slices: [slice('web-1', 'web')] }, '1.37', serviceWithHints);
    expect(lines[0]).toBe('  ENDPOINTSLICES   1 computed, 1 in the input, 1 to update');
    expect(lines[1]).toMatch(/^ {2}- IPv4 hints: HintsByDistribution: Ready endpoints with a hint for their own zone: 1 of 1 /);
    expect(lines.slice(2).map((line) => line.trim().split(/ {3,}/).slice(0, 6))).toEqual([
      ['POD', 'TYPE', 'PORTS', 'CONDITIONS', 'ZONE', 'HINTS'],
      ['a', 'IPv4', '8080/TCP', 'ready', 'zone-a', 'zone-a'],
      ['c', '<none>', '<none>', 'in no slice', '<none>', '<none>'],
    ]);
  });

  test('marks omitted hints, and wraps them on a terminal', () => {
    const serviceWithHints = service('web', {}, { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } });
    const explained = explainSlicesOf({ nodes: [] }, '1.37', serviceWithHints);
    const [firstLine, secondLine] = formatExplainedSlices(explained, noPrintedReasons, { ...markedStyle, width: 60 }).slice(1);
    expect(firstLine).toMatch(/^ {2}yellow\(!\) IPv4 hints not given: NodesReadyInFewZones: /);
    expect(secondLine).toMatch(/^ {4}\S/);
  });

  test('names the managers of existing slices if the controller writes none', () => {
    const manual = service('web', { selector: null });
    expect(section({}, '1.37', manual)).toEqual([]);
    expect(section({ slices: [slice('o', 'web', {}, 'me')] }, '1.37', manual)).toEqual([
      '  ENDPOINTSLICES   1 in the input (1 managed by me)',
    ]);
  });

  test('states that slices are not specified for an old release', () => {
    expect(section({}, '1.16')).toEqual([expect.stringMatching(/^ {2}- SlicesNotSpecified: /)]);
  });
});

describe('the slice rows of a pod', () => {
  const reason: Reason = { code: 'PodReady', message: 'The pod is ready.', path: 'x' };
  const membership = { addressType: 'IPv4', addresses: ['1.1.1.1'], ports: [], conditions: { ready: true } } as const;
  const explained: PodSlicesExplanation = {
    namespace: 'shop',
    name: 'a',
    selected: true,
    slices: [membership, { ...membership, addressType: 'IPv6' }],
    reasons: [reason, { ...reason, path: 'y' }],
  };

  test('createMembershipRows returns one row per slice, the first with the reasons that are not printed yet', () => {
    const rows = createMembershipRows(cell('a'), explained, [reason]);
    expect(rows.map((row) => [row[1]?.lines, row.at(-1)?.lines])).toEqual([
      [['IPv4'], ['PodReady: The pod is ready (y)']],
      [['IPv6'], []],
    ]);
  });

  test('formatMembershipTable omits empty columns', () => {
    const rows = createMembershipRows(cell('a'), explained, explained.reasons);
    expect(formatMembershipTable('POD', rows, plainStyle)[0]?.trim().split(/ {3,}/)).toEqual(['POD', 'TYPE', 'PORTS', 'CONDITIONS']);
    expect(formatMembershipTable('POD', [], plainStyle)).toEqual([]);
  });
});
