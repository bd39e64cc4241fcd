import type { Diagnosis, DiagnosisObjects, Workload } from '../../src/explain/index.ts';
import type { EndpointSliceInput, Node, Service } from '../../src/types/index.ts';

/** A Service, the objects of its cluster, and the first cause that a diagnosis of it has. */
export interface DiagnosisFixture {
  readonly name: string;
  readonly service: Service;
  readonly objects: DiagnosisObjects;
  readonly expected: Omit<Diagnosis, 'fix'> & { readonly command: string };
}

export const makeWorkload = (kind: string, name: string, spec: Workload['spec'] = {}, status: Workload['status'] = {}): Workload => ({
  kind,
  metadata: { namespace: 'shop', name },
  spec: { template: { metadata: { labels: { app: 'web' } } }, ...spec },
  status,
});

export const makeReadyNode = (name: string, status = 'True', reason = 'KubeletReady', message = 'ok'): Node => ({
  metadata: { name },
  status: { conditions: [{ type: 'Ready', status, reason, message }] },
});

export const makeWrittenSlice = (
  parts: Partial<EndpointSliceInput> = {},
  labels = { 'kubernetes.io/service-name': 'web' },
): EndpointSliceInput => ({
  metadata: { namespace: 'shop', name: 'web-1', labels },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.1'] }],
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  ...parts,
});
