import {
  corePath,
  createNamespace,
  editedAnswer,
  get,
  mergePatch,
  post,
  put,
  remove,
  strategicPatch,
  type Topic,
} from '../compare/step.ts';
import { configMap, secret, serviceAccount } from './objects.ts';

const NS = 'c-conf';
const maps = corePath(NS, 'configmaps');
const secrets = corePath(NS, 'secrets');
const accounts = corePath(NS, 'serviceaccounts');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const configMapsAndSecrets: Topic = {
  name: 'configmaps, secrets, service accounts',
  steps: [
    createNamespace(NS),
    // Creating, reading and listing.
    post(maps, configMap('one', { a: '1' }), { saveAs: 'one' }),
    post(maps, configMap('one')),
    get(`${maps}/one`),
    get(`${maps}/none`),
    get(maps),
    // A key must not be in both data and binaryData, and binaryData must be base64.
    post(maps, { ...configMap('binary'), binaryData: { b: base64('bytes') } }),
    post(maps, { ...configMap('both', { a: '1' }), binaryData: { a: base64('bytes') } }),
    post(maps, { ...configMap('binary-bad'), binaryData: { b: 'not base64!' } }),
    // Invalid keys and values.
    ...['a b', '..', '.', '..x', 'x'.repeat(254), ''].map((key) => post(maps, configMap('keys', { [key]: '1' }))),
    post(maps, configMap('numbers', { a: 1 })),
    post(maps, configMap('null', { a: null })),
    // Only the metadata of an immutable ConfigMap may change.
    post(maps, { ...configMap('fixed', { a: '1' }), immutable: true }, { saveAs: 'fixed' }),
    mergePatch(`${maps}/fixed`, { data: { a: '2' } }),
    mergePatch(`${maps}/fixed`, { immutable: false }),
    mergePatch(`${maps}/fixed`, { immutable: null, data: { a: '3' } }),
    mergePatch(`${maps}/fixed`, { metadata: { labels: { still: 'possible' } } }),
    // The size limit, and valid and invalid names.
    post(maps, configMap('large', { a: 'x'.repeat(1024 * 1024 + 1) })),
    post(maps, { ...configMap('x'), metadata: { generateName: 'gen-' } }),
    post(maps, { ...configMap('x'), metadata: { generateName: 'Not Valid-' } }),
    post(maps, { ...configMap('x'), metadata: {} }),
    post(maps, configMap('UPPER')),
    post(maps, configMap('with.dots-and-dashes')),
    post(maps, configMap('-dash')),
    // Valid and invalid labels, owners, finalizers and annotations.
    post(maps, configMap('label-value', {}, { labels: { a: 'x'.repeat(64) } })),
    post(maps, configMap('label-prefix', {}, { labels: { [`${'p'.repeat(254)}/n`]: '' }, annotations: { 'A/b/c': '' } })),
    post(maps, configMap('owners', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] })),
    post(maps, configMap('owners-bad', {}, { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] })),
    post(
      maps,
      configMap(
        'controllers',
        {},
        { ownerReferences: ['u1', 'u2'].map((uid) => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid, controller: true })) },
      ),
    ),
    post(maps, configMap('event-owner', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'p', uid: 'u' }] })),
    post(maps, configMap('finalizers-bad', {}, { finalizers: ['nodomain', 'a b/c'] })),
    post(maps, configMap('large-annotations', {}, { annotations: { a: 'x'.repeat(256 * 1024 + 1) } })),
    // Metadata that the server manages.
    post(maps, configMap('set-by-server', {}, { uid: 'mine', creationTimestamp: '2020-01-01T00:00:00Z', generation: 7, selfLink: '/x' })),
    post(maps, configMap('with-version', {}, { resourceVersion: '5' })),
    post(maps, configMap('deleted', {}, { deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 })),
    // Updates with a current, an outdated, no and an invalid resourceVersion, and of objects that do not exist.
    put(`${maps}/one`, editedAnswer('one', { data: { b: '2' } })),
    put(`${maps}/one`, editedAnswer('one', { data: { c: '3' } })),
    put(`${maps}/one`, configMap('one', { d: '4' })),
    put(`${maps}/one`, configMap('one', { d: '4' })),
    put(`${maps}/made-by-put`, configMap('made-by-put', { a: '1' })),
    put(`${maps}/with-version`, configMap('with-version', {}, { resourceVersion: '5' })),
    put(`${maps}/with-uid`, configMap('with-uid', {}, { uid: '00000000-0000-0000-0000-000000000001' })),
    put(`${maps}/one`, configMap('one', {}, { resourceVersion: 'abc' })),
    put(`${maps}/one`, configMap('one', {}, { resourceVersion: '0' })),
    // Patches of metadata, and deletion.
    mergePatch(`${maps}/one`, { metadata: { resourceVersion: '1' } }),
    mergePatch(`${maps}/none`, { data: {} }),
    mergePatch(`${maps}/one`, { metadata: { name: 'two' } }),
    mergePatch(`${maps}/one`, { metadata: { namespace: 'other' } }),
    mergePatch(`${maps}/one`, { metadata: { creationTimestamp: '2020-01-01T00:00:00Z', generation: 99, selfLink: 'x' } }),
    mergePatch(`${maps}/one`, { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } }),
    mergePatch(`${maps}/one`, { data: null }),
    remove(`${maps}/one`),
    remove(`${maps}/one`),
    // Secrets: encoding, keys, and types that require keys.
    post(secrets, secret('opaque', { data: { a: base64('1') }, stringData: { b: '2', a: 'wins' } }), { saveAs: 'secret' }),
    get(`${secrets}/opaque`),
    post(secrets, secret('not-base64', { data: { a: '***' } })),
    post(secrets, secret('keys', { data: { 'a b': '' } })),
    post(secrets, secret('docker', { type: 'kubernetes.io/dockerconfigjson' })),
    post(secrets, secret('docker-bad', { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': '{' } })),
    post(secrets, secret('docker-old', { type: 'kubernetes.io/dockercfg', stringData: { '.dockercfg': '{}' } })),
    post(secrets, secret('basic', { type: 'kubernetes.io/basic-auth', stringData: {} })),
    post(secrets, secret('ssh', { type: 'kubernetes.io/ssh-auth', stringData: { 'ssh-privatekey': '' } })),
    post(secrets, secret('tls', { type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'x' } })),
    post(secrets, secret('token', { type: 'kubernetes.io/service-account-token' })),
    // The type of a Secret never changes, and an immutable Secret keeps its data.
    mergePatch(`${secrets}/opaque`, { type: 'example.com/other' }),
    strategicPatch(`${secrets}/opaque`, { stringData: { c: 'new' } }),
    mergePatch(`${secrets}/opaque`, { immutable: true }),
    mergePatch(`${secrets}/opaque`, { data: { a: base64('3') } }),
    get(`${secrets}?fieldSelector=type%3DOpaque`),
    put(`${secrets}/opaque`, editedAnswer('secret', { metadata: { resourceVersion: null } })),
    remove(secrets),
    // Service accounts: merging of the lists.
    post(
      accounts,
      serviceAccount('sa', { secrets: [{ name: 'x' }], imagePullSecrets: [{ name: 'y' }], automountServiceAccountToken: false }),
    ),
    strategicPatch(`${accounts}/sa`, { secrets: [{ name: 'z' }] }),
    strategicPatch(`${accounts}/sa`, { imagePullSecrets: [{ name: 'y2' }] }),
    strategicPatch(`${accounts}/sa`, { secrets: [{ name: 'x', $patch: 'delete' }] }),
    get(accounts),
    post(accounts, serviceAccount('UPPER')),
    remove(`${accounts}/sa`),
  ],
};
