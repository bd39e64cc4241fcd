import { PROTOBUF } from '../compare/protobuf.ts';
import {
  corePath,
  editedAnswer,
  get,
  groupPath,
  mergePatch,
  post,
  put,
  remove,
  type Step,
  watch,
  watchToEnd,
  withAccept,
  withContentType,
} from '../compare/step.ts';
import { untilEstablished } from './definitions.ts';
import { configMap, deleteOptions, lease, node, pod, secret, service, slice } from './objects.ts';
import { malformedBodies } from './protobuf-bodies.ts';

const META = 'g=meta.k8s.io';

/** Requests an answer in protobuf. */
export const inProtobuf = (step: Step): Step => withAccept(PROTOBUF, step);
/** Sends the body in protobuf, and requests an answer in protobuf. */
const viaProtobuf = (step: Step): Step => withContentType(PROTOBUF, inProtobuf(step));
export const asMetadata = (kind: string, step: Step, version = 'v1'): Step =>
  withAccept(`${PROTOBUF};as=${kind};${META};v=${version}`, step);

/** A pod with fields of all types: integers, quantities, numbers or strings, maps, times. */
const fullPod = pod(
  'full',
  {
    containers: [
      {
        name: 'app',
        image: 'registry.example/app:1',
        env: [{ name: 'ä', value: '😀' }],
        ports: [{ containerPort: 80, name: 'http' }],
        resources: { limits: { memory: '1Gi', cpu: '1500m' }, requests: { cpu: '0.5' } },
        readinessProbe: { httpGet: { port: 'http', path: '/' } },
        livenessProbe: { tcpSocket: { port: 80 }, terminationGracePeriodSeconds: 0 },
        securityContext: { privileged: false, runAsUser: 0 },
      },
    ],
    nodeSelector: { b: '1', a: '' },
    securityContext: { supplementalGroups: [1, 128, 65_536], fsGroup: 0 },
    terminationGracePeriodSeconds: 9_007_199_254_740_991,
    tolerations: [{ operator: 'Exists', tolerationSeconds: -1, effect: 'NoExecute' }],
    volumes: [
      { name: 'v', emptyDir: { sizeLimit: '10M' } },
      { name: 'h', hostPath: { path: '/' } },
    ],
  },
  { annotations: { note: 'x' } },
);

const schema = {
  type: 'object',
  properties: {
    any: { 'x-kubernetes-preserve-unknown-fields': true, default: { a: [1, 'b', null] } },
    items: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 0, default: ['a'] },
    map: { type: 'object', additionalProperties: { type: 'integer', minimum: 0.5, exclusiveMinimum: true } },
    closed: { type: 'object', nullable: true, description: 'text', 'x-kubernetes-map-type': 'atomic' },
  },
  'x-kubernetes-validations': [{ rule: 'true', message: 'never' }],
};
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'protos.proto.example.com' },
  spec: {
    group: 'proto.example.com',
    scope: 'Namespaced',
    names: { plural: 'protos', kind: 'Proto' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
};
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Protobuf in both directions; answers are compared after decoding, with a check of their bytes. */
export function protobufSteps(namespace: string): readonly Step[] {
  const paths: Paths = {
    configMaps: corePath(namespace, 'configmaps'),
    pods: corePath(namespace, 'pods'),
    slices: groupPath('discovery.k8s.io/v1', namespace, 'endpointslices'),
    leases: groupPath('coordination.k8s.io/v1', namespace, 'leases'),
  };
  return [
    objects(namespace, paths),
    definitionSteps,
    representations(paths),
    errors(namespace, paths),
    malformedBodies(paths.configMaps),
    otherBodies(paths),
    watchesAndDeletions(paths),
    discovery,
  ].flat();
}

type Paths = Readonly<Record<'configMaps' | 'pods' | 'slices' | 'leases', string>>;

/** The conditions of a definition depend on the moment of the answer. */
const withoutStatus = (body: unknown): unknown => ({ ...(body as object), status: undefined });

/** Objects of several kinds. */
const objects = (namespace: string, { configMaps, pods, slices, leases }: Paths): Step[] => [
  viaProtobuf(post(configMaps, configMap('proto', { b: '1', a: '', c: 'ä😀' }, { labels: { watched: 'yes' } }), { saveAs: 'proto map' })),
  viaProtobuf(put(`${configMaps}/proto`, editedAnswer('proto map', { data: { a: '2' } }))),
  viaProtobuf(post(corePath(namespace, 'secrets'), secret('proto', { data: { b: 'AP8=', a: '' }, stringData: { c: 'd' } }))),
  viaProtobuf(
    post(
      corePath(namespace, 'services'),
      service('proto', {
        ports: [
          { port: 80, targetPort: 'http', name: 'a' },
          { port: 81, name: 'b' },
        ],
      }),
    ),
  ),
  viaProtobuf(post(pods, fullPod)),
  viaProtobuf(post('/api/v1/nodes', node('proto', { spec: { podCIDR: '10.0.0.0/24', taints: [{ key: 'a', effect: 'NoSchedule' }] } }))),
  viaProtobuf(
    post(
      slices,
      slice('proto', { endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: false }, hints: { forZones: [{ name: 'a' }] } }] }),
    ),
  ),
  viaProtobuf(post(leases, lease('proto', { renewTime: '2026-01-02T03:04:05.060708Z', leaseDurationSeconds: 15, leaseTransitions: 0 }))),
  ...[`${configMaps}/proto`, `${pods}/full`, `${slices}/proto`, `${leases}/proto`, '/api/v1/nodes/proto'].map((path) =>
    inProtobuf(get(path)),
  ),
  remove('/api/v1/nodes/proto'),
];

/** Definitions have fields that are arbitrary JSON, or a schema or something else. */
const definitionSteps: readonly Step[] = [
  viaProtobuf(post(definitions, definition, { view: withoutStatus })),
  get(`${definitions}/protos.proto.example.com`, { view: withoutStatus, until: untilEstablished }),
  inProtobuf(get(`${definitions}/protos.proto.example.com`, { view: withoutStatus })),
  viaProtobuf(post(definitions, { ...definition, spec: { ...definition.spec, scope: 'Other' } })),
  remove(`${definitions}/protos.proto.example.com`, undefined, { view: withoutStatus }),
];

/** Lists and metadata, and the order and quality of the clauses of Accept. */
const representations = ({ configMaps, pods, leases }: Paths): Step[] => [
  ...[configMaps, `${configMaps}?limit=1`, `${configMaps}?labelSelector=none`, pods, '/api/v1/namespaces?limit=1'].map((path) =>
    inProtobuf(get(path)),
  ),
  asMetadata('PartialObjectMetadata', get(`${configMaps}/proto`)),
  asMetadata('PartialObjectMetadata', get(`${configMaps}/proto`), 'v1beta1'),
  asMetadata('PartialObjectMetadata', get(`${configMaps}/proto`), 'v2'),
  asMetadata('PartialObjectMetadataList', get(configMaps)),
  asMetadata('PartialObjectMetadataList', get(`${configMaps}/proto`)),
  asMetadata('PartialObjectMetadata', get(configMaps)),
  asMetadata('Table', get(configMaps)),
  withAccept(`${PROTOBUF};as=Table;${META};v=v1,application/json;as=Table;${META};v=v1`, get(`${leases}/proto`)),
  ...[
    `${PROTOBUF},application/json`,
    `application/json,${PROTOBUF}`,
    `application/json;q=0.1,${PROTOBUF};q=0.2`,
    `*/*;q=0.5,${PROTOBUF};q=0.4`,
    `${PROTOBUF};q=0.4,*/*;q=0.5`,
    `application/*;q=0.5,*/*;q=0.6,${PROTOBUF};q=0.4`,
    `${PROTOBUF};q=0.4,application/yaml;q=0.3,application/*;q=0.6`,
    `application/json;q=x,${PROTOBUF};q=0`,
    `${PROTOBUF};stream=watch`,
    `${PROTOBUF};stream=other`,
    `${PROTOBUF};pretty=1`,
    `application/cbor,${PROTOBUF}`,
    'application/cbor',
    'application/cbor-seq',
  ].map((type) => withAccept(type, get(`${configMaps}/proto`))),
  inProtobuf(get(`${configMaps}/proto?pretty=true`)),
];

const errors = (namespace: string, { configMaps }: Paths): Step[] => [
  inProtobuf(get(`${configMaps}/none`)),
  inProtobuf(get(corePath(namespace, 'nothing'))),
  inProtobuf(get(`${configMaps}?limit=x`)),
  inProtobuf(get(`${configMaps}?resourceVersion=x`)),
  viaProtobuf(post(configMaps, configMap('proto'))),
  viaProtobuf(post(configMaps, configMap('Not Valid'))),
  viaProtobuf(post(configMaps, secret('wrong'))),
  inProtobuf(mergePatch(`${configMaps}/proto`, { data: 1 })),
  withContentType(PROTOBUF, mergePatch(`${configMaps}/proto`, {})),
  inProtobuf({ ...get(configMaps), headers: { authorization: 'Bearer wrong' } }),
  inProtobuf({ method: 'PUT', path: configMaps }),
];

/** Options and subresources. */
const otherBodies = ({ configMaps, pods }: Paths): Step[] => [
  viaProtobuf(
    post(`${pods}/full/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'full' }, target: { kind: 'Node', name: 'n' } }),
  ),
  viaProtobuf(
    put(`${pods}/full/status`, { ...fullPod, status: { phase: 'Running', startTime: '2026-01-02T03:04:05Z', podIP: '10.1.2.3' } }),
  ),
  viaProtobuf(
    post(`${pods}/full/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'full' },
      deleteOptions: { dryRun: ['All'] },
    }),
  ),
  viaProtobuf(remove(`${configMaps}/proto`, deleteOptions({ preconditions: { uid: 'x' } }))),
  viaProtobuf(remove(`${configMaps}/proto`, deleteOptions({ propagationPolicy: 'Other' }))),
  withContentType(PROTOBUF, remove(`${configMaps}/proto`, Uint8Array.from([1, 2]))),
  withContentType('application/cbor', post(configMaps, 'x')),
  withContentType('application/cbor', mergePatch(`${configMaps}/proto`, {})),
  withContentType('application/apply-patch+cbor', mergePatch(`${configMaps}/proto`, {})),
];

const watchesAndDeletions = ({ configMaps, pods, leases }: Paths): Step[] => [
  inProtobuf(
    watch(`${configMaps}?watch=1&labelSelector=watched`, { events: 3 }, [
      post(configMaps, configMap('seen', {}, { labels: { watched: 'yes' } })),
      remove(`${configMaps}/seen`),
    ]),
  ),
  asMetadata(
    'PartialObjectMetadata',
    watch(`${configMaps}?watch=1&labelSelector=watched`, { events: 2 }, [mergePatch(`${configMaps}/proto`, { data: { watched: '1' } })]),
  ),
  inProtobuf(watchToEnd(`${configMaps}?watch=1&resourceVersion=x`)),
  withAccept('application/yaml', watchToEnd(`${configMaps}?watch=1`)),
  inProtobuf(remove(`${configMaps}/proto`)),
  inProtobuf(remove(`${pods}/full?gracePeriodSeconds=0`)),
  inProtobuf(remove(leases)),
];

const discovery: readonly Step[] = [
  inProtobuf(get('/api', { view: (body) => ({ ...(body as object), serverAddressByClientCIDRs: undefined }) })),
  ...[
    '/apis/coordination.k8s.io',
    '/apis/coordination.k8s.io/v1',
    '/apis/coordination.k8s.io/v9',
    '/apis/none',
    '/openapi/v2',
    '/healthz',
    '/none',
  ].map((path) => inProtobuf(get(path))),
];
