import { computeEndpointSlices, computeEndpoints } from 'kube-endpoints';
import type { EndpointSlice, EndpointSliceInput, Endpoints } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { createScope } from '../../src/input/scope.ts';
import { countActions, diffSlices, uncomparedSlicesReport } from '../../src/report/diff-slices.ts';
import { inventoryOf, markedStyle, node, plainStyle, pod, service, slice, wideStyle } from '../objects.ts';

const web = service('web');
const pods = [pod('a', 'web', '10.0.0.1'), pod('b', 'web', '10.0.0.2')];
const nodes = [node('node-1', 'zone-a')];
const [computed] = computeEndpointSlices(web, pods, { nodes }) as [EndpointSlice];
const current: EndpointSlice = { ...computed, metadata: { ...computed.metadata, name: 'web-1' } };
const incompleteSlice: EndpointSliceInput = { ...current, endpoints: current.endpoints.slice(0, 1) };

function report(slices: readonly EndpointSliceInput[], overrides: Parameters<typeof inventoryOf>[0] = {}) {
  const inventory = inventoryOf({ services: [web], pods, nodes, slices, ...overrides });
  return diffSlices(createScope(inventory, { namespace: undefined, names: [], includesOrphans: true }), { version: '1.37' }, new Set());
}

describe('the text of a slice diff', () => {
  test('shows each write with a minimal diff', () => {
    const differingReport = report([incompleteSlice]);
    expect(differingReport.hasFindings).toBe(true);
    expect(differingReport.text(plainStyle)).toEqual([
      'ENDPOINTSLICES shop/web  (Kubernetes 1.37)   differ: 1 to update',
      '  EndpointsAdded: Endpoints are not in any slice yet.',
      '  update web-1',
      '    ...',
      '    address type IPv4',
      '    port 8080/TCP',
      '    endpoint 10.0.0.1 a on node-1 in zone-a ready',
      '  + endpoint 10.0.0.2 b on node-1 in zone-a ready',
      '',
      'EndpointSlices of 1 Service compared with what Kubernetes 1.37 writes: 1 differs (1 to update).',
    ]);
    expect(differingReport.text(markedStyle)[0]).toContain('red(differ: 1 to update)');
  });

  test('shows full outlines if the brief ones do not differ', () => {
    const [first, second] = current.endpoints as [EndpointSlice['endpoints'][0], EndpointSlice['endpoints'][0]];
    const { terminating: _, ...conditions } = first.conditions;
    const lines = report([{ ...current, endpoints: [{ ...first, conditions }, second] }]).text(plainStyle);
    expect(lines.filter((line) => /^ {2}[-+]/.test(line)).map((line) => line.slice(-42))).toEqual([
      expect.stringContaining('serving=true terminating=unknown'),
      expect.stringContaining('serving=true terminating=false'),
    ]);
  });

  test('shows equal Services with -o wide only', () => {
    const equalReport = report([current]);
    const summary = 'EndpointSlices of 1 Service compared with what Kubernetes 1.37 writes: 1 equal.';
    expect([equalReport.hasFindings, ...equalReport.text(plainStyle)]).toEqual([false, summary]);
    expect(equalReport.text(wideStyle)).toEqual(['ENDPOINTSLICES shop/web  (Kubernetes 1.37)   equal', '', summary]);
  });

  test('lists leftover slices and counts slices of other managers', () => {
    const lines = report([current, slice('gone-1', 'gone'), slice('x', 'web', {}, 'me')]).text(plainStyle);
    expect(lines.slice(0, 3)).toEqual([
      'ENDPOINTSLICES shop/gone  (Kubernetes 1.37)   left over: there is no Service of that name',
      '  ServiceDeleted: The Service is deleted; the garbage collector deletes the slices that it owns.',
      '  delete gone-1',
    ]);
    expect(lines.at(-1)).toBe(
      'EndpointSlices of 2 Services compared with what Kubernetes 1.37 writes: 1 equal, 1 left over (1 to delete); 1 slice of other managers ignored.',
    );
  });
});

describe('agreement with the Endpoints in the input', () => {
  const endpoints = computeEndpoints(web, pods) as Endpoints;

  test('is reported in one line', () => {
    const agreeingReport = report([current], { endpoints: [endpoints] });
    expect(agreeingReport.hasFindings).toBe(false);
    expect(agreeingReport.text(plainStyle).at(-1)).toBe(
      'Endpoints and EndpointSlices in the input agree for 1 of 1 Service that has both.',
    );
    expect(agreeingReport.agreements).toMatchObject([{ namespace: 'shop', name: 'web', agrees: true }]);
  });

  test('is reported as a difference with all details if it fails', () => {
    const foreignSlice = slice('x', 'web', { endpoints: [{ addresses: ['10.0.0.9'] }] }, 'me');
    const disagreeingReport = report([current, foreignSlice], { endpoints: [endpoints] });
    expect(disagreeingReport.hasFindings).toBe(true);
    expect(disagreeingReport.text(plainStyle).slice(0, 2)).toEqual([
      'ENDPOINTS AND ENDPOINTSLICES shop/web   disagree',
      '  MissingInEndpoints: 10.0.0.9 is ready in slices, but not in Endpoints',
    ]);
  });

  test('lists at most twenty differences and counts the rest', () => {
    const many = Array.from({ length: 23 }, (_, i) => ({ addresses: [`10.1.0.${i}`] }));
    const lines = report([current, slice('x', 'web', { endpoints: many }, 'me')], { endpoints: [endpoints] }).text(plainStyle);
    expect(lines).toContain('  3 more differences');
  });
});

describe('the hints of a slice diff', () => {
  test('list at most ten problems of slices', () => {
    const unlabelled = Array.from({ length: 12 }, (_, i) => slice(`odd-${i}`, ''));
    const { hints } = report(unlabelled);
    expect(hints).toHaveLength(11);
    expect(hints[0]).toBe(
      'EndpointSlice shop/odd-0: metadata.labels: the label kubernetes.io/service-name is missing or empty, so the slice belongs to no Service; it is skipped.',
    );
    expect(hints.at(-1)).toBe('2 more problems in slices.');
  });

  test('point out slices above the maximum number of endpoints', () => {
    const many = Array.from({ length: 101 }, (_, i) => ({ addresses: [`10.1.0.${i}`] }));
    expect(report([slice('web-1', 'web', { endpoints: many })]).hints).toContain(
      'Slices hold up to 101 endpoints, more than 100: set --max-endpoints-per-slice to the value that the cluster uses.',
    );
    expect(report([slice('x', 'web', { endpoints: many }, 'me')]).hints).toEqual([]);
  });

  test('point out that the input holds no Nodes', () => {
    expect(report([current], { nodes: undefined }).hints).toEqual([
      'The input has no Nodes: zones are taken from the slices, and the nodes of all pods are assumed to exist.',
    ]);
  });
});

test('diff only gives a hint for a release without specified slices', () => {
  expect(uncomparedSlicesReport.text(plainStyle)).toEqual([]);
  expect(uncomparedSlicesReport.hints).toEqual([expect.stringMatching(/^The EndpointSlices in the input are not compared: .* 1\.17 /)]);
});

test('countActions counts writes by action', () => {
  expect(countActions([{ action: 'update' }, { action: 'create' }, { action: 'update' }])).toBe('1 to create, 2 to update');
  expect(countActions([])).toBe('');
});
