import { describe, expect, it } from 'vitest';
import { compareSliceReleases } from '../../src/explain/index.ts';
import type { Node, Pod, Service } from '../../src/types/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import { makeNode, namedPortService } from './reason-fixtures.ts';

const terminatingPod = makePod('a', {
  metadata: { deletionTimestamp: '2026-01-31T12:00:00Z', labels: { app: 'web' }, namespace: 'shop', name: 'a' },
});
const podWithSidecarPort = makePod('a', {
  spec: { nodeName: 'n1', initContainers: [{ restartPolicy: 'Always', ports: [{ name: 'web', containerPort: 1, protocol: 'TCP' }] }] },
});
const ports = [1, 2, 3, 4, 5].map((targetPort, i) => ({ name: `p${i}`, port: 80 + i, protocol: 'TCP', targetPort }));

interface ComparisonRow {
  readonly name: string;
  readonly service?: Service;
  readonly pods?: readonly Pod[];
  readonly nodes?: readonly Node[];
  readonly from: string;
  readonly to: string;
  readonly expected: readonly (readonly string[])[];
}

const cases: readonly ComparisonRow[] = [
  { name: 'no differences', from: '1.27', to: '1.32', expected: [] },
  {
    name: 'existence',
    service: makeService({ type: 'ExternalName' }),
    from: '1.26',
    to: '1.27',
    expected: [['existence', 'externalNameSkipped']],
  },
  { name: 'existence, because the controller did not run', from: '1.17', to: '1.18', expected: [['existence', 'sliceControllerStarted']] },
  { name: 'endpoints', pods: [terminatingPod], from: '1.21', to: '1.22', expected: [['endpoints', 'terminatingPodsIncluded']] },
  { name: 'conditions', from: '1.21', to: '1.22', expected: [['conditions', 'terminatingPodsIncluded']] },
  {
    name: 'ports',
    service: namedPortService,
    pods: [podWithSidecarPort],
    from: '1.32',
    to: '1.33',
    expected: [['ports', 'sliceSidecarPortsFound']],
  },
  {
    name: 'details',
    pods: [makePod('a', { metadata: { name: 'a', namespace: 'shop', labels: { app: 'web' }, resourceVersion: '1' } })],
    from: '1.23',
    to: '1.24',
    expected: [['details', 'targetResourceVersionOmitted']],
  },
  {
    name: 'hints',
    service: makeService({ trafficDistribution: 'PreferClose' }),
    nodes: [makeNode('n1', 'a')],
    from: '1.30',
    to: '1.31',
    expected: [['hints', 'trafficDistribution']],
  },
  { name: 'order', service: makeService({ ports }), from: '1.34', to: '1.35', expected: [['order', 'orderedByFNV']] },
];

const compare = ({ service = makeService(), pods = [makePod()], nodes, from, to }: ComparisonRow) =>
  compareSliceReleases(service, pods, { from, to, nodes });

describe('compareSliceReleases', () => {
  it.each(cases)('reports $name from $from to $to', (row) => {
    const comparison = compare(row);
    expect(comparison?.differences.map(({ what, gates }) => [what, ...gates])).toEqual(row.expected);
    expect(comparison?.same).toBe(row.expected.length === 0);
    for (const { message } of comparison?.differences ?? []) expect(message).toMatch(/^[A-Z].*\.$/);
  });

  it('returns the slices of both releases, and the writes of the newer one', () => {
    const comparison = compareSliceReleases(makeService(), [makePod()], { from: '1.21.1', to: '1.24' });
    expect([comparison?.before, comparison?.after].map((slices) => slices?.[0]?.endpoints[0]?.conditions)).toEqual([
      { ready: true },
      { ready: true, serving: true, terminating: false },
    ]);
    expect(comparison?.takeover).toMatchObject({ create: 0, update: 0, delete: 0, reasons: [{ code: 'SlicesEqual' }] });
    const laterComparison = compareSliceReleases(makeService(), [makePod()], { from: '1.21', to: '1.26' });
    expect(laterComparison?.takeover).toMatchObject({ create: 0, update: 1, delete: 0, reasons: [{ code: 'EndpointsDiffer' }] });
  });

  it.each([
    ['1.16', '1.30'],
    ['1.30', '1.16'],
  ])('returns undefined if a release is older than 1.17: %s and %s', (from, to) => {
    expect(compareSliceReleases(makeService(), [makePod()], { from, to })).toBe(undefined);
  });

  it('refuses unknown versions', () => {
    expect(() => compareSliceReleases(makeService(), [], { from: '1.20', to: '1.99' })).toThrow(RangeError);
  });
});
