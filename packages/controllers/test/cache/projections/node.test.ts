import { expect, it } from 'vitest';
import { projectNode } from '../../../src/cache/projections/projections.ts';
import { more } from './objects.ts';

it('the projection of a node keeps its zone, its role, whether it is ready, and its CPU', () => {
  const labels = { 'topology.kubernetes.io/zone': 'z', 'node-role.kubernetes.io/control-plane': '', 'kubernetes.io/os': 'linux' };
  const { 'kubernetes.io/os': _, ...read } = labels;
  const raw = {
    metadata: { name: 'n1', uid: 'u', resourceVersion: '7', ...more, labels },
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
    metadata: { name: 'n1', uid: 'u', resourceVersion: '7', labels: read },
    status: { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] },
  });
  expect(projectNode({ metadata: { name: 'n2' } })).toEqual({ metadata: { name: 'n2' }, status: {} });
});
