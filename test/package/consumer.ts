/** A consumer's program: compiled and run against the packed tarball by tarballs.test.ts. */
import { type V1Endpoints, V1Pod, V1Service } from '@kubernetes/client-node';
import {
  computeEndpoints,
  createReconciler,
  createSelectorCache,
  explainEndpoints,
  repackSubsets,
  shouldPodBeInEndpoints,
} from 'kube-endpoints';
import type { Endpoints } from 'kube-endpoints/types';
import type { Endpoints as PlainEndpoints, Pod as PlainPod, Service as PlainService } from 'kubernetes-types/core/v1.d.ts';

const labels = { app: 'web' };
const metadata = { name: 'web', namespace: 'shop' };
const spec = { selector: labels, ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' as const }] };
const containers = [{ name: 'web' }];
const conditions = [{ type: 'Ready', status: 'True' as const }];
const status = { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }], phase: 'Running' as const, conditions };

const service = Object.assign(new V1Service(), { metadata: { ...metadata, creationTimestamp: new Date(0) }, spec });
const pod = Object.assign(new V1Pod(), { metadata: { ...metadata, labels, creationTimestamp: new Date(0) }, spec: { containers }, status });
const existing: V1Endpoints = { metadata, subsets: [] };
show('client-node', computeEndpoints(service, [pod], { version: '1.28' }));
createReconciler({ version: '1.28.3' }).reconcile({ key: 'shop/web', service, pods: [pod], current: existing });
explainEndpoints(service, [pod], { version: '1.28' });

const plainService: PlainService = { apiVersion: 'v1', kind: 'Service', metadata, spec };
const plainPod: PlainPod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, labels }, spec: { containers }, status };
const plainExisting: PlainEndpoints = { metadata, subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 8080 }] }] };
show('kubernetes-types', computeEndpoints(plainService, [plainPod]));
createReconciler().reconcile({ key: 'shop/web', service: plainService, pods: [plainPod], current: plainExisting });
repackSubsets(plainExisting.subsets ?? []);

show('JSON', computeEndpoints(JSON.parse(JSON.stringify(service)), JSON.parse(JSON.stringify([pod]))));
createReconciler().reconcile({ key: 'shop/web', service: undefined, pods: [], current: undefined });
const cache = createSelectorCache();
cache.set('shop/web', service);
if (!shouldPodBeInEndpoints(pod) || cache.servicesFor(pod).length !== 1) throw new Error('the pod belongs to the Service');

function show(origin: string, endpoints: Endpoints | undefined): void {
  console.log(`${origin} ${endpoints?.subsets?.[0]?.addresses?.[0]?.ip}`);
}
