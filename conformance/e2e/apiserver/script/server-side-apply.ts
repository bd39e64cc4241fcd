import { apply, core, get, jsonPatch, mergePatch, newNamespace, post, put, remove, type Topic } from '../compare/step.ts';
import { configMap, endpoints, node, pod, service } from './objects.ts';

const NS = 'c-ssa';
const map = (name: string): string => core(NS, `configmaps/${name}`);
const by = (path: string, manager: string, rest = ''): string => `${path}?fieldManager=${manager}${rest}`;
const svc = core(NS, 'services/s');

/** The real server returns causes of several managers in random order. */
const sortedCauses = (body: unknown): unknown => {
  const { details, ...rest } = body as { details?: { causes?: readonly object[] } };
  const causes = details?.causes?.map((cause) => JSON.stringify(cause)).sort();
  return { ...rest, details: { ...details, causes } };
};
const ports = (...list: readonly object[]): object => ({ ...service('s'), spec: { ports: list } });

export const serverSideApply: Topic = {
  name: 'server-side apply',
  steps: [
    newNamespace(NS),
    apply(by(map('m'), 'one'), configMap('m', { a: '1', b: '2' }, { labels: { l: '1' } })),
    apply(by(map('m'), 'one'), configMap('m', { a: '1', b: '2' }, { labels: { l: '1' } })),
    apply(by(map('m'), 'one'), configMap('m', { a: '1' })),
    apply(by(map('m'), 'two'), configMap('m', { a: '1' })),
    apply(by(map('m'), 'two'), configMap('m', { a: 'other' })),
    apply(by(map('m'), 'two', '&force=true'), configMap('m', { a: 'other' })),
    apply(by(map('m'), 'one'), configMap('m', { a: '1', c: '3' })),
    apply(by(map('m'), 'one'), configMap('m', { c: '3' })),
    mergePatch(by(map('m'), 'updater'), { data: { c: 'updated', d: '4' } }),
    apply(by(map('m'), 'one'), configMap('m', { c: '3', d: '5' })),
    apply(by(map('m'), 'one', '&force=true'), configMap('m', { c: '3', d: '5' })),
    put(by(map('m'), 'putter'), configMap('m', { all: 'new' })),
    apply(by(map('m'), 'one'), configMap('m', {})),
    get(map('m')),
    apply(map('m'), configMap('m')),
    apply(by(map('m'), ''), configMap('m')),
    apply(by(map('m'), 'x'.repeat(129)), configMap('m')),
    apply(by(map('m'), 'one', '&force=maybe'), configMap('m')),
    apply(by(map('m'), 'one'), configMap('other')),
    apply(by(map('m'), 'one'), { ...configMap('m'), kind: 'Secret' }),
    apply(by(map('m'), 'one'), { ...configMap('m'), apiVersion: 'v2' }),
    apply(by(map('m'), 'one'), { kind: 'ConfigMap', metadata: { name: 'm' } }),
    apply(by(map('m'), 'one'), { apiVersion: 'v1', kind: 'ConfigMap' }),
    apply(by(map('m'), 'one'), configMap('m', {}, { namespace: 'other' })),
    apply(by(map('m'), 'one'), configMap('m', { a: 1 })),
    apply(by(map('m'), 'one'), { ...configMap('m'), unknown: 1 }),
    apply(by(map('m'), 'one', '&fieldValidation=Strict'), { ...configMap('m'), unknown: 1 }),
    apply(by(map('m'), 'one'), configMap('m', {}, { managedFields: [{ manager: 'x' }] })),
    apply(by(map('m'), 'one'), configMap('m', {}, { uid: 'x' })),
    apply(by(map('m'), 'one'), configMap('m', {}, { resourceVersion: '1' })),
    apply(by(map('fresh'), 'one'), configMap('fresh', {}, { resourceVersion: '1' })),
    apply(by(map('fresh'), 'one'), configMap('fresh', {}, { uid: 'x' })),
    apply(by(map('yaml'), 'one'), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: "1"\n'),
    apply(by(map('yaml'), 'one'), 'a: b: c'),
    apply(by(map('yaml'), 'one'), '[]'),
    apply(by(map('yaml'), 'one'), ''),
    apply(by(map('yaml'), 'one', '&dryRun=All'), configMap('yaml', { dry: 'yes' })),
    get(map('yaml')),
    apply(by(svc, 'one'), ports({ port: 80, name: 'a' })),
    apply(by(svc, 'two'), ports({ port: 81, name: 'b' })),
    apply(by(svc, 'two'), ports({ port: 80, name: 'z' })),
    apply(by(svc, 'two'), ports({ port: 80, protocol: 'UDP', name: 'udp' })),
    apply(by(svc, 'one'), ports({ port: 80, name: 'a' }, { port: 80, name: 'again' })),
    apply(by(svc, 'one'), ports({ name: 'no-key' })),
    apply(by(svc, 'one'), ports({ port: 82, name: 'c' })),
    apply(by(`${svc}/status`, 'balancer'), {
      ...service('s'),
      spec: undefined,
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    }),
    apply(by(core(NS, 'services/lb'), 'one'), { ...service('lb', { type: 'LoadBalancer' }) }),
    apply(by(core(NS, 'services/lb/status'), 'lb'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'lb' },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    }),
    post(core(NS, 'pods'), pod('p', { containers: [{ name: 'a', image: 'i' }] })),
    apply(by(core(NS, 'pods/p'), 'one'), {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', labels: { x: 'y' } },
      spec: { containers: [{ name: 'a', image: 'i' }] },
    }),
    apply(
      by(core(NS, 'pods/p'), 'two'),
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p' },
        spec: { containers: [{ name: 'a', image: 'i2' }] },
      },
      { view: sortedCauses },
    ),
    apply(by(core(NS, 'pods/p/status'), 'kubelet'), {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    }),
    apply(by(core(NS, 'pods/p/status'), 'gate'), {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      status: { conditions: [{ type: 'example.com/gate', status: 'True' }] },
    }),
    apply(by(core(NS, 'pods/p/status'), 'gate'), { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }),
    apply(by(core(NS, 'pods/bad'), 'one'), pod('bad', { containers: [] })),
    apply(by(core(NS, 'endpoints/e'), 'one'), endpoints('e', [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 1 }] }])),
    apply(by(core(NS, 'endpoints/e'), 'two'), endpoints('e', [{ addresses: [{ ip: '10.0.0.2' }], ports: [{ port: 1 }] }])),
    apply(by('/api/v1/nodes/c-ssa', 'one'), node('c-ssa', { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } })),
    apply(by('/api/v1/nodes/c-ssa', 'two'), node('c-ssa', { spec: { taints: [{ key: 'a', effect: 'NoSchedule', value: 'x' }] } })),
    apply(by(map('meta'), 'one'), configMap('meta', {}, { finalizers: ['example.com/a'], annotations: { x: '1' } })),
    apply(by(map('meta'), 'two'), configMap('meta', {}, { finalizers: ['example.com/b'] })),
    apply(by(map('meta'), 'one'), configMap('meta')),
    apply(by(map('meta'), 'two'), configMap('meta')),
    jsonPatch(map('meta'), [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }]),
    get(map('meta')),
    jsonPatch(map('meta'), [
      { op: 'replace', path: '/metadata/managedFields', value: [{ manager: 'x', operation: 'Strange', apiVersion: 'v1' }] },
    ]),
    mergePatch(map('m'), { metadata: { managedFields: null } }),
    post(`${core(NS, 'configmaps')}?fieldManager=creator`, configMap('created')),
    post(core(NS, 'configmaps'), configMap('by-agent'), { headers: { 'user-agent': 'some-agent/v1.2 (linux/amd64)' } }),
    post(core(NS, 'configmaps'), configMap('by-nobody'), { headers: { 'user-agent': '' } }),
    apply(by(core('none', 'configmaps/x'), 'one'), configMap('x')),
    apply(by(core(NS, 'configmaps'), 'one'), configMap('x')),
    remove('/api/v1/nodes/c-ssa'),
  ],
};
