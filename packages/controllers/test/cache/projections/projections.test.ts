import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createInternTable, noInterning } from '../../../src/cache/projections/intern.ts';
import { createProjections, type Projections, projectNamespace, projectNode } from '../../../src/cache/projections/projections.ts';
import { omittedMetadata } from './objects.ts';

const labels = { team: 'red' };
const object: ApiObject = { metadata: { name: 'a', namespace: 'shop', labels }, addressType: 'IPv4' };
const kinds: readonly (keyof Projections)[] = ['pod', 'service', 'endpoints', 'slice'];

describe('createProjections', () => {
  it('returns a projection for each cached resource', () => {
    expect(Object.keys(createProjections()).sort()).toEqual(['endpoints', 'namespace', 'node', 'pod', 'service', 'slice']);
  });

  it.each(kinds)('shares one instance of equal labels between a pod and a cached %s', (kind) => {
    const projections = createProjections();
    const sharedLabels = projections[kind](object).metadata?.labels;
    expect(sharedLabels).toEqual(labels);
    expect(projections.pod(structuredClone(object)).metadata?.labels).toBe(sharedLabels);
  });

  it('shares values with another call only if both have the same intern table', () => {
    const table = createInternTable();
    const labelsOf = (projections: Projections): unknown => projections.pod(structuredClone(object)).metadata?.labels;
    expect(labelsOf(createProjections())).not.toBe(labelsOf(createProjections()));
    expect(labelsOf(createProjections(noInterning))).toEqual(labels);
    expect(labelsOf(createProjections(table))).toBe(labelsOf(createProjections(table)));
  });
});

it('the projection of a namespace keeps deletionTimestamp and phase', () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  expect(
    projectNamespace({ metadata: { name: 'shop', uid: 'u', ...omittedMetadata, deletionTimestamp }, status: { phase: 'Terminating' } }),
  ).toEqual({
    metadata: { name: 'shop', uid: 'u', deletionTimestamp },
    status: { phase: 'Terminating' },
  });
  expect(projectNamespace({ metadata: { name: 'shop' } })).toEqual({ metadata: { name: 'shop' }, status: {} });
});

it('the projection of a node keeps its zone, role, readiness and CPU', () => {
  const labels = { 'topology.kubernetes.io/zone': 'z', 'node-role.kubernetes.io/control-plane': '', 'kubernetes.io/os': 'linux' };
  const { 'kubernetes.io/os': _, ...keptLabels } = labels;
  const raw = {
    metadata: { name: 'n1', uid: 'u', resourceVersion: '7', ...omittedMetadata, labels },
    spec: { podCIDR: '10.0.0.0/24' },
    status: {
      allocatable: { cpu: '4', memory: '1Gi' },
      conditions: [
        { type: 'DiskPressure', status: 'False' },
        { type: 'Ready', status: 'True', lastHeartbeatTime: 'x' },
      ],
      images: [{}],
    },
  };
  expect(projectNode(raw)).toEqual({
    metadata: { name: 'n1', uid: 'u', resourceVersion: '7', labels: keptLabels },
    status: { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] },
  });
  expect(projectNode({ metadata: { name: 'n2' } })).toEqual({ metadata: { name: 'n2' }, status: {} });
});
