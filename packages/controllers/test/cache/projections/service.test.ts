import { describe, expect, it } from 'vitest';
import { projectService } from '../../../src/cache/projections/service.ts';
import { metadata, omittedMetadata } from './objects.ts';

describe('the projection of a Service', () => {
  it('keeps labels, relevant annotations and the spec fields that decide endpoints', () => {
    const annotations = {
      note: 'x',
      'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'true',
      'service.kubernetes.io/topology-aware-hints': 'auto',
      'service.kubernetes.io/topology-mode': 'Auto',
      'kube-endpoints/overrides-due': '2026-01-01T00:00:00.000Z',
    };
    const { note: _, ...keptAnnotations } = annotations;
    const spec = {
      type: 'ClusterIP',
      selector: { app: 'web' },
      clusterIP: '10.96.0.1',
      ipFamilies: ['IPv4'],
      ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http', appProtocol: 'h2' }],
      publishNotReadyAddresses: true,
      trafficDistribution: 'PreferClose',
    };
    const raw = {
      metadata: { ...metadata, ...omittedMetadata, annotations, labels: { team: 'red' }, creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { ...spec, ports: [{ ...spec.ports[0], nodePort: 30_000 }], clusterIPs: ['10.96.0.1'], sessionAffinity: 'None' },
      status: { loadBalancer: {} },
    };
    expect(projectService(raw)).toEqual({
      metadata: { ...metadata, labels: { team: 'red' }, annotations: keptAnnotations, creationTimestamp: '2026-01-01T00:00:00Z' },
      spec,
    });
  });

  it('distinguishes an empty selector from an absent one', () => {
    expect(projectService({ metadata, spec: { selector: {} } }).spec?.selector).toEqual({});
    expect(projectService({ metadata, spec: {} }).spec).not.toHaveProperty('selector');
    expect(projectService({ metadata })).toEqual({ metadata });
  });
});
