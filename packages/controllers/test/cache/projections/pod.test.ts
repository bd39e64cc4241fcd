import type { ApiObject } from 'kube-endpoints/port';
import type { Pod } from 'kube-endpoints/types';
import { describe, expect, it } from 'vitest';
import { createInternTable, noInterning } from '../../../src/cache/projections/intern.ts';
import { projectCachedPod } from '../../../src/cache/projections/pod.ts';
import { noPods } from '../../../src/cache/projections/reference.ts';
import { metadata, omittedMetadata } from './objects.ts';

const richPod: ApiObject = {
  metadata: { ...metadata, ...omittedMetadata, labels: { app: 'web' } },
  spec: {
    nodeName: 'n1',
    restartPolicy: 'Always',
    hostname: 'h',
    subdomain: 'web',
    volumes: [{ name: 'v' }],
    containers: [
      { name: 'quiet', image: 'i' },
      { name: 'main', image: 'i', ports: [{ name: 'http', containerPort: 80, protocol: 'TCP', hostPort: 80 }] },
    ],
    initContainers: [
      { name: 'once', ports: [{ name: 'x', containerPort: 1 }] },
      { name: 'sidecar', restartPolicy: 'Always', ports: [{ name: 'y', containerPort: 2 }] },
    ],
  },
  status: {
    phase: 'Running',
    hostIP: '1.1.1.1',
    podIP: '10.0.0.1',
    podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }],
    containerStatuses: [{}],
    conditions: [
      { type: 'Initialized', status: 'True' },
      { type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'R', message: 'm', lastProbeTime: null },
    ],
  },
};

describe('the projection of a pod', () => {
  const table = createInternTable();
  const pod = (object: ApiObject, internTable = table): Pod => {
    const { reference: _, ...projected } = projectCachedPod(object, internTable, noPods);
    return projected;
  };

  it('keeps the fields that endpoints are computed from', () => {
    expect(pod(richPod)).toEqual({
      metadata: { ...metadata, labels: { app: 'web' } },
      spec: {
        containers: [{ ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }] }],
        initContainers: [{ restartPolicy: 'Always', ports: [{ name: 'y', containerPort: 2 }] }],
        nodeName: 'n1',
        restartPolicy: 'Always',
        hostname: 'h',
        subdomain: 'web',
      },
      status: {
        phase: 'Running',
        podIP: '10.0.0.1',
        podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }],
        conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'R', message: 'm' }],
      },
    });
  });

  it('returns equal pods with and without interning', () => {
    expect(pod(richPod, noInterning)).toEqual(pod(richPod));
  });

  it('shares equal labels, ports and conditions between pods', () => {
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const raw = (name: string): ApiObject =>
      JSON.parse(JSON.stringify({ ...richPod, metadata: { ...richPod.metadata, name }, status: { conditions: [ready] } })) as ApiObject;
    const [one, other] = [pod(raw('a')), pod(raw('b'))];
    expect(one.metadata?.labels).toBe(other.metadata?.labels);
    expect(one.spec?.containers).toBe(other.spec?.containers);
    expect(one.status?.conditions).toBe(other.status?.conditions);
  });

  it('accepts a pod without spec and status', () => {
    expect(pod({ metadata: { name: 'a' } })).toEqual({ metadata: { name: 'a' }, spec: { containers: [] }, status: {} });
  });
});
