import { expect, test } from 'vitest';
import type { RelatedKind } from '../../src/input/related-kinds.ts';
import { createTemplatePods } from '../../src/input/template-pods.ts';
import { inventoryOf } from '../objects.ts';

const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'app' }] } };
const workload = (kind: RelatedKind, name: string, spec: object = { template }, metadata: object = {}) => ({
  kind,
  apiVersion: 'apps/v1',
  metadata: { namespace: 'shop', name, ...metadata },
  spec,
});

const createFrom = (...workloads: ReturnType<typeof workload>[]) => {
  const { related } = inventoryOf({});
  return createTemplatePods({
    related: { ...related, ...Object.fromEntries(Map.groupBy(workloads, ({ kind }) => kind)) },
  });
};

test('createTemplatePods creates a ready pod with placeholder addresses for a workload', () => {
  expect(createFrom(workload('Deployment', 'web'))).toStrictEqual([
    {
      metadata: { labels, namespace: 'shop', name: 'web' },
      spec: { containers: [{ name: 'app' }] },
      status: {
        phase: 'Running',
        podIP: '198.19.0.0',
        podIPs: [{ ip: '198.19.0.0' }, { ip: '2001:db8:1::0' }],
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    },
  ]);
});

test('createTemplatePods gives the pod of a StatefulSet its host name and subdomain', () => {
  const [pod] = createFrom(workload('StatefulSet', 'db', { template, serviceName: 'db' }));
  expect(pod?.metadata?.name).toBe('db-0');
  expect(pod?.spec).toStrictEqual({ containers: [{ name: 'app' }], hostname: 'db-0', subdomain: 'db' });
});

test('createTemplatePods reads the template of a CronJob', () => {
  const [pod] = createFrom(workload('CronJob', 'web', { jobTemplate: { spec: { template } } }));
  expect(pod?.metadata?.labels).toStrictEqual(labels);
});

test.each([
  ['has no replicas', workload('Deployment', 'web', { template, replicas: 0 })],
  ['is suspended', workload('Job', 'web', { template, suspend: true })],
  ['belongs to another workload', workload('ReplicaSet', 'web', { template }, { ownerReferences: [{ kind: 'Deployment', name: 'web' }] })],
])('createTemplatePods creates no pod for a workload that %s', (_, object) => {
  expect(createFrom(object)).toStrictEqual([]);
});

test('createTemplatePods gives pods of workloads with the same name different names and addresses', () => {
  const pods = createFrom(workload('Deployment', 'web'), workload('DaemonSet', 'web'));
  expect(pods.map(({ metadata }) => metadata?.name)).toStrictEqual(['web', 'web-2']);
  expect(new Set(pods.map(({ status }) => status?.podIP)).size).toBe(2);
});
