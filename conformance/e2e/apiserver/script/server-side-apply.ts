import { apply, corePath, createNamespace, get, jsonPatch, mergePatch, post, put, remove, type Topic } from '../compare/step.ts';
import { configMap, endpoints, node, pod, service } from './objects.ts';

const NS = 'c-ssa';
const configMapPath = (name: string): string => corePath(NS, `configmaps/${name}`);
const withManager = (path: string, manager: string, rest = ''): string => `${path}?fieldManager=${manager}${rest}`;
const servicePath = corePath(NS, 'services/s');

/** Sorts the causes, because the real server returns causes of several managers in random order. */
const viewSortedCauses = (body: unknown): unknown => {
  const { details, ...rest } = body as { details?: { causes?: readonly object[] } };
  const causes = details?.causes?.map((cause) => JSON.stringify(cause)).sort();
  return { ...rest, details: { ...details, causes } };
};
const serviceWithPorts = (...list: readonly object[]): object => ({ ...service('s'), spec: { ports: list } });

export const serverSideApply: Topic = {
  name: 'server-side apply',
  steps: [
    createNamespace(NS),
    // Two managers apply the same object: unchanged, with fewer fields, with a conflict, and by force.
    apply(withManager(configMapPath('m'), 'one'), configMap('m', { a: '1', b: '2' }, { labels: { l: '1' } })),
    apply(withManager(configMapPath('m'), 'one'), configMap('m', { a: '1', b: '2' }, { labels: { l: '1' } })),
    apply(withManager(configMapPath('m'), 'one'), configMap('m', { a: '1' })),
    apply(withManager(configMapPath('m'), 'two'), configMap('m', { a: '1' })),
    apply(withManager(configMapPath('m'), 'two'), configMap('m', { a: 'other' })),
    apply(withManager(configMapPath('m'), 'two', '&force=true'), configMap('m', { a: 'other' })),
    apply(withManager(configMapPath('m'), 'one'), configMap('m', { a: '1', c: '3' })),
    apply(withManager(configMapPath('m'), 'one'), configMap('m', { c: '3' })),
    // Patches and updates take over fields from appliers.
    mergePatch(withManager(configMapPath('m'), 'updater'), { data: { c: 'updated', d: '4' } }),
    apply(withManager(configMapPath('m'), 'one'), configMap('m', { c: '3', d: '5' })),
    apply(withManager(configMapPath('m'), 'one', '&force=true'), configMap('m', { c: '3', d: '5' })),
    put(withManager(configMapPath('m'), 'putter'), configMap('m', { all: 'new' })),
    apply(withManager(configMapPath('m'), 'one'), configMap('m', {})),
    get(configMapPath('m')),
    // Invalid parameters, and objects that do not match the path.
    apply(configMapPath('m'), configMap('m')),
    apply(withManager(configMapPath('m'), ''), configMap('m')),
    apply(withManager(configMapPath('m'), 'x'.repeat(129)), configMap('m')),
    apply(withManager(configMapPath('m'), 'one', '&force=maybe'), configMap('m')),
    apply(withManager(configMapPath('m'), 'one'), configMap('other')),
    apply(withManager(configMapPath('m'), 'one'), { ...configMap('m'), kind: 'Secret' }),
    apply(withManager(configMapPath('m'), 'one'), { ...configMap('m'), apiVersion: 'v2' }),
    apply(withManager(configMapPath('m'), 'one'), { kind: 'ConfigMap', metadata: { name: 'm' } }),
    apply(withManager(configMapPath('m'), 'one'), { apiVersion: 'v1', kind: 'ConfigMap' }),
    apply(withManager(configMapPath('m'), 'one'), configMap('m', {}, { namespace: 'other' })),
    apply(withManager(configMapPath('m'), 'one'), configMap('m', { a: 1 })),
    apply(withManager(configMapPath('m'), 'one'), { ...configMap('m'), unknown: 1 }),
    apply(withManager(configMapPath('m'), 'one', '&fieldValidation=Strict'), { ...configMap('m'), unknown: 1 }),
    apply(withManager(configMapPath('m'), 'one'), configMap('m', {}, { managedFields: [{ manager: 'x' }] })),
    apply(withManager(configMapPath('m'), 'one'), configMap('m', {}, { uid: 'x' })),
    apply(withManager(configMapPath('m'), 'one'), configMap('m', {}, { resourceVersion: '1' })),
    // Preconditions for an object that does not exist.
    apply(withManager(configMapPath('fresh'), 'one'), configMap('fresh', {}, { resourceVersion: '1' })),
    apply(withManager(configMapPath('fresh'), 'one'), configMap('fresh', {}, { uid: 'x' })),
    // YAML bodies, and a dry run.
    apply(withManager(configMapPath('yaml'), 'one'), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: "1"\n'),
    apply(withManager(configMapPath('yaml'), 'one'), 'a: b: c'),
    apply(withManager(configMapPath('yaml'), 'one'), '[]'),
    apply(withManager(configMapPath('yaml'), 'one'), ''),
    apply(withManager(configMapPath('yaml'), 'one', '&dryRun=All'), configMap('yaml', { dry: 'yes' })),
    get(configMapPath('yaml')),
    // A list with keys: ports are identified by port and protocol.
    apply(withManager(servicePath, 'one'), serviceWithPorts({ port: 80, name: 'a' })),
    apply(withManager(servicePath, 'two'), serviceWithPorts({ port: 81, name: 'b' })),
    apply(withManager(servicePath, 'two'), serviceWithPorts({ port: 80, name: 'z' })),
    apply(withManager(servicePath, 'two'), serviceWithPorts({ port: 80, protocol: 'UDP', name: 'udp' })),
    apply(withManager(servicePath, 'one'), serviceWithPorts({ port: 80, name: 'a' }, { port: 80, name: 'again' })),
    apply(withManager(servicePath, 'one'), serviceWithPorts({ name: 'no-key' })),
    apply(withManager(servicePath, 'one'), serviceWithPorts({ port: 82, name: 'c' })),
    // Status subresources.
    apply(withManager(`${servicePath}/status`, 'balancer'), {
      ...service('s'),
      spec: undefined,
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    }),
    apply(withManager(corePath(NS, 'services/lb'), 'one'), { ...service('lb', { type: 'LoadBalancer' }) }),
    apply(withManager(corePath(NS, 'services/lb/status'), 'lb'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'lb' },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    }),
    post(corePath(NS, 'pods'), pod('p', { containers: [{ name: 'a', image: 'i' }] })),
    apply(withManager(corePath(NS, 'pods/p'), 'one'), {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', labels: { x: 'y' } },
      spec: { containers: [{ name: 'a', image: 'i' }] },
    }),
    apply(
      withManager(corePath(NS, 'pods/p'), 'two'),
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p' },
        spec: { containers: [{ name: 'a', image: 'i2' }] },
      },
      { view: viewSortedCauses },
    ),
    apply(withManager(corePath(NS, 'pods/p/status'), 'kubelet'), {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    }),
    apply(withManager(corePath(NS, 'pods/p/status'), 'gate'), {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      status: { conditions: [{ type: 'example.com/gate', status: 'True' }] },
    }),
    apply(withManager(corePath(NS, 'pods/p/status'), 'gate'), { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }),
    apply(withManager(corePath(NS, 'pods/bad'), 'one'), pod('bad', { containers: [] })),
    apply(withManager(corePath(NS, 'endpoints/e'), 'one'), endpoints('e', [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 1 }] }])),
    apply(withManager(corePath(NS, 'endpoints/e'), 'two'), endpoints('e', [{ addresses: [{ ip: '10.0.0.2' }], ports: [{ port: 1 }] }])),
    apply(withManager('/api/v1/nodes/c-ssa', 'one'), node('c-ssa', { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } })),
    apply(withManager('/api/v1/nodes/c-ssa', 'two'), node('c-ssa', { spec: { taints: [{ key: 'a', effect: 'NoSchedule', value: 'x' }] } })),
    // Fields of the metadata, and patches of managedFields.
    apply(withManager(configMapPath('meta'), 'one'), configMap('meta', {}, { finalizers: ['example.com/a'], annotations: { x: '1' } })),
    apply(withManager(configMapPath('meta'), 'two'), configMap('meta', {}, { finalizers: ['example.com/b'] })),
    apply(withManager(configMapPath('meta'), 'one'), configMap('meta')),
    apply(withManager(configMapPath('meta'), 'two'), configMap('meta')),
    jsonPatch(configMapPath('meta'), [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }]),
    get(configMapPath('meta')),
    jsonPatch(configMapPath('meta'), [
      { op: 'replace', path: '/metadata/managedFields', value: [{ manager: 'x', operation: 'Strange', apiVersion: 'v1' }] },
    ]),
    mergePatch(configMapPath('m'), { metadata: { managedFields: null } }),
    // The manager of other writes comes from fieldManager or the User-Agent header.
    post(`${corePath(NS, 'configmaps')}?fieldManager=creator`, configMap('created')),
    post(corePath(NS, 'configmaps'), configMap('by-agent'), { headers: { 'user-agent': 'some-agent/v1.2 (linux/amd64)' } }),
    post(corePath(NS, 'configmaps'), configMap('by-nobody'), { headers: { 'user-agent': '' } }),
    apply(withManager(corePath('none', 'configmaps/x'), 'one'), configMap('x')),
    apply(withManager(corePath(NS, 'configmaps'), 'one'), configMap('x')),
    remove('/api/v1/nodes/c-ssa'),
  ],
};
