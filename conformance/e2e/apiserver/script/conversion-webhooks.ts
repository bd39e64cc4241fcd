import {
  apply,
  createNamespace,
  get,
  groupPath,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  type Step,
  type Topic,
  watch,
  withAccept,
} from '../compare/step.ts';
import { FAULTS, startConversionService } from './conversion-service.ts';
import { CUSTOM_GROUP, DEFINITIONS, definition, untilEstablished } from './definitions.ts';

const NS = 'c-conversion';
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const TEXT = { type: 'string' };
const schemaWith = (properties: object): object => ({
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { fault: TEXT, extra: TEXT, replicas: { type: 'integer' }, ...properties } },
    status: { type: 'object', properties: { replicas: { type: 'integer' }, phase: TEXT } },
  },
});
const version = (name: string, properties: object, fields: object = {}): object => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: schemaWith(properties) },
  subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  ...fields,
});
const VERSIONS = [
  version('v1', { hostPort: TEXT, filled: { ...TEXT, default: 'one' } }),
  version(
    'v2',
    { host: TEXT, port: TEXT, filled: { ...TEXT, default: 'two' } },
    {
      additionalPrinterColumns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
    },
  ),
];
const TRUSTED = { url: 'https://127.0.0.1:{{service.port}}/convert', caBundle: '{{service.authority}}' };
const converted = (plural: string, kind: string, clientConfig: object = TRUSTED, conversionReviewVersions = ['v1']): object =>
  definition(plural, kind, {
    versions: VERSIONS,
    conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions } },
  });

/** Creates a definition and waits until its objects are served in both versions. */
const define = (plural: string, kind: string, ...rest: readonly [object?, string[]?]): Step[] => [
  post(DEFINITIONS, converted(plural, kind, ...rest)),
  get(`${DEFINITIONS}/${plural}.${CUSTOM_GROUP}`, { until: untilEstablished }),
  get(`/apis/${CUSTOM_GROUP}/v2`, { until: ({ body }) => JSON.stringify(body).includes(`"${plural}"`), view: () => undefined }),
  get(groupPath(`${CUSTOM_GROUP}/v2`, NS, plural), { until: ({ code }) => code === 200, view: () => undefined }),
];
const object = (apiVersion: string, kind: string, name: string, spec: object, fields: object = {}): object => ({
  apiVersion: `${CUSTOM_GROUP}/${apiVersion}`,
  kind,
  metadata: { name },
  spec,
  ...fields,
});
const pathIn = (apiVersion: string, plural: string, rest = ''): string => groupPath(`${CUSTOM_GROUP}/${apiVersion}`, NS, plural, rest);
const v1 = (rest = ''): string => pathIn('v1', 'hosts', rest);
const v2 = (rest = ''): string => pathIn('v2', 'hosts', rest);
const host = (name: string, spec: object, apiVersion = 'v2'): object => object(apiVersion, 'Host', name, spec);
const manager = (name: string, force = false): string => `?fieldManager=${name}${force ? '&force=true' : ''}`;

/** Requests for an object that the webhook does not convert to v2, and, in v2, for a new object that it does not convert to v1. */
const faultSteps = (fault: string): Step[] => [
  post(pathIn('v1', 'faults'), object('v1', 'Fault', fault, { hostPort: 'a:1', fault })),
  get(pathIn('v2', 'faults', `/${fault}`)),
  post(pathIn('v2', 'faults'), object('v2', 'Fault', `new-${fault}`, { host: 'a', port: '1', fault })),
];

export const conversionWebhooks: Topic = {
  name: 'conversion webhooks',
  start: startConversionService,
  steps: [
    createNamespace(NS),
    ...define('hosts', 'Host'),
    post(v1(), host('one', { hostPort: 'a:1' }, 'v1')),
    get(v1('/one')),
    get(v2('/one')),
    post(v2(), host('two', { host: 'b', port: '2', unknown: 'x' })),
    get(v1('/two')),
    get(v2(), { until: ({ body }) => (body as { readonly items?: unknown[] }).items?.length === 2 }),
    withAccept(TABLE, get(v2())),
    put(v2('/two'), host('two', { host: 'b', port: '2' })),
    mergePatch(v2('/two'), { spec: { port: '3' }, metadata: { labels: { a: 'b' } } }),
    jsonPatch(v2('/two'), [{ op: 'replace', path: '/spec/host', value: 'c' }]),
    mergePatch(v2('/two'), { spec: { port: '3' } }),
    get(v1('/two')),
    apply(v2(`/three${manager('first')}`), host('three', { host: 'd', port: '4' })),
    apply(v1(`/three${manager('second')}`), host('three', { extra: 'x' }, 'v1')),
    apply(v1(`/three${manager('third')}`), host('three', { hostPort: 'e:5' }, 'v1')),
    apply(v1(`/three${manager('third', true)}`), host('three', { hostPort: 'e:5' }, 'v1')),
    apply(v2(`/three${manager('first')}`), host('three', { host: 'd', port: '4' })),
    apply(v2(`/three${manager('first', true)}`), host('three', { port: '6' })),
    get(v1('/three')),
    mergePatch(v2('/one/status'), { status: { phase: 'ready', replicas: 2 } }),
    get(v2('/one/status')),
    mergePatch(v2('/one'), { spec: { replicas: 2 } }),
    get(v2('/one/scale')),
    mergePatch(v2('/one/scale'), { spec: { replicas: 3 } }),
    get(v1('/one')),
    post(`${v2()}?dryRun=All`, host('dry', { host: 'x', port: '1' })),
    watch(`${v2()}?watch=1&labelSelector=watched`, { events: 3 }, [
      post(v1(), { ...host('seen', { hostPort: 'w:1' }, 'v1'), metadata: { name: 'seen', labels: { watched: 'x' } } }),
      mergePatch(v2('/seen'), { spec: { host: 'v' } }),
      remove(v1('/seen')),
    ]),
    remove(v2('/one')),
    remove(v2()),
    get(v1()),
    ...define('betas', 'Beta', TRUSTED, ['v3', 'v1beta1', 'v1']),
    post(pathIn('v1', 'betas'), object('v1', 'Beta', 'one', { hostPort: 'a:1' })),
    get(pathIn('v2', 'betas', '/one')),
    ...define('faults', 'Fault'),
    ...FAULTS.flatMap(faultSteps),
    mergePatch(pathIn('v2', 'faults', '/surplus'), { spec: { host: 'x' } }),
    apply(pathIn('v1', 'faults', `/surplus${manager('m')}`), object('v1', 'Fault', 'surplus', { extra: 'x' })),
    mergePatch(pathIn('v2', 'faults', '/failure'), { spec: { host: 'x' } }),
    apply(pathIn('v2', 'faults', `/failure${manager('m')}`), object('v2', 'Fault', 'failure', { host: 'x' })),
    remove(pathIn('v2', 'faults', '/failure')),
    remove(pathIn('v1', 'faults', '/failure')),
    ...define('strangers', 'Stranger', { url: TRUSTED.url }),
    post(pathIn('v2', 'strangers'), object('v2', 'Stranger', 'one', {})),
    ...define('absents', 'Absent', { ...TRUSTED, url: 'https://127.0.0.1:9/convert' }),
    post(pathIn('v2', 'absents'), object('v2', 'Absent', 'one', {})),
    ...define('lost', 'Lost', { ...TRUSTED, url: 'https://127.0.0.1:{{service.port}}/not-found' }),
    post(pathIn('v2', 'lost'), object('v2', 'Lost', 'one', {})),
    ...define('served', 'Served', { service: { namespace: NS, name: 'none', path: '/x' } }),
    post(pathIn('v2', 'served'), object('v2', 'Served', 'one', {})),
    ...['hosts', 'betas', 'strangers', 'absents', 'lost', 'served'].map((plural) => remove(`${DEFINITIONS}/${plural}.${CUSTOM_GROUP}`)),
  ],
};
