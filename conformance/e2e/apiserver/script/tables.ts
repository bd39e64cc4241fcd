import {
  corePath,
  createNamespace,
  get,
  groupPath,
  post,
  remove,
  type Step,
  strategicPatch,
  type Topic,
  withAccept,
} from '../compare/step.ts';
import { configMap, endpoints, lease, node, pod, secret, service, serviceAccount, slice } from './objects.ts';

const NS = 'c-table';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PARTIAL_METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const PARTIAL_METADATA_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const table = (path: string): Step => withAccept(TABLE, get(path));
const pods = corePath(NS, 'pods');

/** A status that fills the columns of pods. */
const status = (phase: string, containers: readonly object[], rest: object = {}): object => ({
  status: { phase, containerStatuses: containers, ...rest },
});
const container = (state: object, rest: object = {}): object => ({
  name: 'app',
  image: 'i',
  imageID: '',
  ready: false,
  restartCount: 0,
  state,
  ...rest,
});

export const tables: Topic = {
  name: 'tables and partial metadata',
  steps: [
    // Objects that fill the columns of the tables below.
    createNamespace(NS),
    post(corePath(NS, 'configmaps'), configMap('m', { a: '1', b: '2' })),
    post(corePath(NS, 'secrets'), secret('s', { stringData: { a: 'b' } })),
    post(corePath(NS, 'serviceaccounts'), serviceAccount('sa')),
    post(
      corePath(NS, 'services'),
      service('svc', { selector: { a: 'b' }, type: 'LoadBalancer', clusterIP: '10.96.0.160', ports: [{ port: 80, nodePort: 30060 }] }),
    ),
    post(corePath(NS, 'services'), service('name', { type: 'ExternalName', externalName: 'example.com' })),
    post(corePath(NS, 'services'), service('headless', { clusterIP: 'None', ports: [] })),
    post(
      corePath(NS, 'endpoints'),
      endpoints('e', [{ addresses: ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'].map((ip) => ({ ip })), ports: [{ port: 80 }] }]),
    ),
    post(corePath(NS, 'endpoints'), endpoints('none', undefined)),
    post(groupPath('discovery.k8s.io/v1', NS, 'endpointslices'), slice('sl')),
    post(groupPath('discovery.k8s.io/v1', NS, 'endpointslices'), slice('unset', { ports: [], endpoints: [] })),
    post(groupPath('coordination.k8s.io/v1', NS, 'leases'), lease('l', { holderIdentity: 'me' })),
    post(corePath(NS, 'events'), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'ev' },
      involvedObject: { kind: 'Pod', namespace: NS, name: 'p', fieldPath: 'spec.containers{app}' },
      reason: 'Started',
      message: ' it has begun ',
      type: 'Normal',
      source: { component: 'c', host: 'h' },
      count: 2,
    }),
    post(
      '/api/v1/nodes',
      node('c-table', { spec: { unschedulable: true } }, { labels: { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'old' } }),
    ),
    post(pods, pod('pending')),
    post(pods, pod('running', { nodeName: 'n', readinessGates: [{ conditionType: 'example.com/a' }] })),
    strategicPatch(
      `${pods}/running/status`,
      status('Running', [container({ running: {} }, { ready: true, restartCount: 2 })], {
        podIP: '10.1.1.1',
        podIPs: [{ ip: '10.1.1.1' }],
      }),
    ),
    post(pods, pod('crashing', { nodeName: 'n' })),
    strategicPatch(
      `${pods}/crashing/status`,
      status('Running', [container({ waiting: { reason: 'CrashLoopBackOff' } }, { restartCount: 5 })]),
    ),
    post(pods, pod('failed', { nodeName: 'n' })),
    strategicPatch(`${pods}/failed/status`, status('Failed', [container({ terminated: { exitCode: 3 } })])),
    post(pods, pod('evicted', { nodeName: 'n' })),
    strategicPatch(`${pods}/evicted/status`, { status: { phase: 'Failed', reason: 'Evicted' } }),
    post(pods, pod('init', { nodeName: 'n', initContainers: [{ name: 'i', image: 'x' }] })),
    strategicPatch(`${pods}/init/status`, {
      status: { phase: 'Pending', initContainerStatuses: [{ ...container({ running: {} }), name: 'i' }] },
    }),
    post(pods, pod('leaving', { nodeName: 'n' })),
    remove(`${pods}/leaving`),
    // The tables of all resources, and their options.
    table('/api/v1/namespaces/c-table'),
    table(corePath(NS, 'configmaps')),
    table(corePath(NS, 'configmaps/m')),
    table(corePath(NS, 'secrets')),
    table(corePath(NS, 'serviceaccounts')),
    table(corePath(NS, 'services')),
    table(corePath(NS, 'endpoints')),
    table(groupPath('discovery.k8s.io/v1', NS, 'endpointslices')),
    table(groupPath('coordination.k8s.io/v1', NS, 'leases')),
    table(corePath(NS, 'events')),
    table(groupPath('events.k8s.io/v1', NS, 'events')),
    table('/api/v1/nodes/c-table'),
    table(pods),
    table(`${pods}?limit=2`),
    table(`${pods}?includeObject=None`),
    table(`${pods}?includeObject=Object&limit=1`),
    table(`${pods}?includeObject=Metadata&limit=1`),
    table(`${pods}?includeObject=Everything&limit=1`),
    table(`${pods}/none`),
    table('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'),
    table('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.script.example.com'),
    // Partial metadata, and media types that the server ignores or refuses.
    withAccept(PARTIAL_METADATA, get(`${pods}/running`)),
    withAccept(PARTIAL_METADATA_LIST, get(`${pods}?limit=1`)),
    withAccept(PARTIAL_METADATA, get(`${pods}?limit=1`)),
    withAccept(PARTIAL_METADATA_LIST, get(`${pods}/running`)),
    withAccept('application/json;as=Table;v=v1beta1;g=meta.k8s.io', get(`${pods}?limit=1`)),
    withAccept('application/json;as=Table;v=v2;g=meta.k8s.io', get(`${pods}?limit=1`)),
    withAccept('application/json;as=Chair;v=v1;g=meta.k8s.io', get(`${pods}?limit=1`)),
    withAccept('application/json;as=Table;v=v1;g=other.io', get(`${pods}?limit=1`)),
    withAccept(`${TABLE},application/json`, get(`${pods}?limit=1`)),
    withAccept('application/json;as=Chair;v=v1;g=meta.k8s.io,application/json', get(`${pods}/running`)),
    withAccept('application/yaml;as=Table;v=v1;g=meta.k8s.io', get(`${corePath(NS, 'configmaps')}/m`)),
    // Tables and partial metadata as answers to writes.
    withAccept(TABLE, post(corePath(NS, 'configmaps'), configMap('as-table'))),
    withAccept(PARTIAL_METADATA, post(corePath(NS, 'configmaps'), configMap('as-partial'))),
    withAccept(TABLE, remove(corePath(NS, 'configmaps/as-table'))),
    withAccept(TABLE, remove(corePath(NS, 'configmaps'))),
    remove('/api/v1/nodes/c-table'),
  ],
};
