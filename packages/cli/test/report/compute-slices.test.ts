import type { EndpointSlice } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/io.ts';
import { type ComputeSlicesOptions, computeSlices, unspecifiedSlicesMessage } from '../../src/report/compute-slices.ts';
import { markedStyle, node, notReadyStatus, plainStyle, pod, scopeOf, service, wideStyle } from '../objects.ts';

const options: ComputeSlicesOptions = { version: '1.37', allNamespaces: false, maxEndpointsPerSlice: undefined };
const pods = [pod('a', 'web', '10.0.0.1'), pod('b', 'web', '10.0.0.2', notReadyStatus), pod('c', 'web', '10.0.0.3')];
const web = service('web');
const scope = scopeOf({ services: [web, service('by-hand', { selector: null })], pods });
const cells = (lines: readonly string[]): string[][] => lines.map((line) => line.split(/ {3,}/));

describe('the text of computed slices', () => {
  test('has a row per slice, with a namespace column only for all namespaces', () => {
    expect(computeSlices(scope, options).text(plainStyle)).toEqual([
      'NAME      ADDRESSTYPE   PORTS    ENDPOINTS',
      'by-hand   <none>        <none>   <unmanaged>',
      'web-*     IPv4          8080     10.0.0.1,10.0.0.2,10.0.0.3',
    ]);
    const [heading, ...rows] = cells(computeSlices(scope, { ...options, allNamespaces: true }).text(plainStyle));
    expect([heading?.[0], ...rows.map(([namespace]) => namespace)]).toEqual(['NAMESPACE', 'shop', 'shop']);
  });

  test('counts conditions, and hints by zone, with -o wide', () => {
    const preferClose = service('web', { trafficDistribution: 'PreferClose' });
    const scopeWithNodes = scopeOf({ services: [preferClose], pods, nodes: [node('node-1', 'zone-a')] });
    expect(cells(computeSlices(scopeWithNodes, options).text(wideStyle))).toEqual([
      ['NAME', 'ADDRESSTYPE', 'PORTS', 'READY', 'SERVING', 'TERMINATING', 'HINTS', 'ENDPOINTS'],
      ['web-*', 'IPv4', '8080', '2', '2', '0', 'zone-a 2', '10.0.0.1,10.0.0.2,10.0.0.3'],
    ]);
  });

  test('respects the maximum number of endpoints per slice', () => {
    expect(computeSlices(scope, { ...options, maxEndpointsPerSlice: 2 }).text(plainStyle)).toHaveLength(4);
  });

  test('dims unmanaged Services and shows no slices for a terminating Service', () => {
    expect(computeSlices(scope, options).text(markedStyle)[1]).toMatch(/dim\(<unmanaged>\)$/);
    const terminating = scopeOf({ services: [service('web', {}, { deletionTimestamp: '2026-01-31T12:00:00Z' })], pods });
    expect(cells(computeSlices(terminating, options).text(plainStyle))[1]).toEqual(['web', '<none>', '<none>', '<none>']);
  });

  test('is empty without Services', () => {
    expect(computeSlices(scopeOf({ pods }), options).text(plainStyle)).toEqual([]);
  });
});

test('a release that does not run the controller has no slices, unless the feature gate is on', () => {
  const old = { ...options, version: '1.17' };
  const { data, hints } = computeSlices(scopeOf({ services: [web], pods }), old);
  expect(data()).toMatchObject({ items: [] });
  expect(hints?.[0]).toBe(
    'kube-controller-manager 1.17 does not run the EndpointSlice controller, because the feature gate EndpointSlice is off: to compute its slices, add --feature-gates EndpointSlice=true.',
  );
  const withGate = computeSlices(scopeOf({ services: [web], pods }), { ...old, featureGates: { EndpointSlice: true } });
  expect([withGate.data(), withGate.hints]).toMatchObject([{ items: [{ metadata: { generateName: 'web-' } }] }, []]);
});

test('compute --slices prints data as a List, even for a single slice', () => {
  const data = computeSlices(scopeOf({ services: [web], pods }), options).data() as { kind: string; items: EndpointSlice[] };
  expect(data).toMatchObject({ apiVersion: 'v1', kind: 'List' });
  expect(data.items.map(({ kind, metadata }) => [kind, metadata.generateName])).toEqual([['EndpointSlice', 'web-']]);
});

test('compute --slices gives a hint about unmanaged Services', () => {
  expect(computeSlices(scope, options)).toMatchObject({
    hasFindings: false,
    hints: ['1 Service without a selector or of type ExternalName: the controller does not write EndpointSlices for it.'],
  });
});

test('compute --slices refuses a release without specified slices in one line', () => {
  expect(() => computeSlices(scope, { ...options, version: '1.16' })).toThrow(UsageError);
  expect(() => computeSlices(scope, { ...options, version: '1.16' })).toThrow(
    `--slices with --release 1.16: ${unspecifiedSlicesMessage}; give 1.17 or later`,
  );
});
