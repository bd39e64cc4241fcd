import {
  apply,
  corePath,
  createNamespace,
  get,
  groupPath,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  strategicPatch,
  type Topic,
} from '../compare/step.ts';
import { configMap, lease, node, pod, service, slice } from './objects.ts';

const NS = 'c-dry';
const DRY = '?dryRun=All';
const maps = corePath(NS, 'configmaps');

export const dryRun: Topic = {
  name: 'dry run',
  steps: [
    createNamespace(NS),
    // A dry-run create stores nothing.
    post(`${maps}${DRY}`, configMap('m', { a: '1' })),
    post(`${maps}${DRY}`, { ...configMap('m'), metadata: { generateName: 'gen-' } }),
    get(maps),
    // Writes of an existing object change nothing.
    post(maps, configMap('m', { a: '1' }), { saveAs: 'm' }),
    post(`${maps}${DRY}`, configMap('m')),
    put(`${maps}/m${DRY}`, configMap('m', { a: '2' })),
    put(`${maps}/n${DRY}`, configMap('n')),
    put(`${maps}/m${DRY}`, configMap('m', {}, { resourceVersion: '1' })),
    mergePatch(`${maps}/m${DRY}`, { data: { b: '1' } }),
    strategicPatch(`${maps}/m${DRY}`, { data: { b: '1' } }),
    jsonPatch(`${maps}/m${DRY}`, [{ op: 'add', path: '/data/b', value: '1' }]),
    apply(`${maps}/m${DRY}&fieldManager=x`, configMap('m', { c: '1' })),
    apply(`${maps}/new${DRY}&fieldManager=x`, configMap('new', { c: '1' })),
    remove(`${maps}/m${DRY}`),
    remove(`${maps}${DRY}`),
    get(`${maps}/m`),
    // A deletion of a running pod does not begin its termination.
    post(`${corePath(NS, 'pods')}${DRY}`, pod('p')),
    post(corePath(NS, 'pods'), pod('p', { nodeName: 'n' })),
    remove(`${corePath(NS, 'pods/p')}${DRY}`),
    remove(`${corePath(NS, 'pods/p')}${DRY}&gracePeriodSeconds=0`),
    mergePatch(`${corePath(NS, 'pods/p/status')}${DRY}`, { status: { phase: 'Running' } }),
    get(corePath(NS, 'pods/p')),
    // Dry-run writes of Services allocate no addresses or ports.
    post(
      `${corePath(NS, 'services')}${DRY}`,
      service('s', { type: 'NodePort', clusterIP: '10.96.0.170', ports: [{ port: 1, nodePort: 30070 }] }),
    ),
    post(`${corePath(NS, 'services')}${DRY}`, service('auto', { type: 'LoadBalancer', externalTrafficPolicy: 'Local' })),
    get(corePath(NS, 'services')),
    // Other kinds, and a namespace.
    post(`/api/v1/nodes${DRY}`, node('c-dry')),
    post(`${groupPath('coordination.k8s.io/v1', NS, 'leases')}${DRY}`, lease('l')),
    post(`${groupPath('discovery.k8s.io/v1', NS, 'endpointslices')}${DRY}`, slice('s')),
    remove(`/api/v1/namespaces/${NS}${DRY}`),
    get(`/api/v1/namespaces/${NS}`),
  ],
};
