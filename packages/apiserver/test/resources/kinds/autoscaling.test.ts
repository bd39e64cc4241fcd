import type { ApiObject, Resource } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { nextEvents } from '../../../../../test/contract/port/support.ts';
import { createApiServer } from '../../../src/index.ts';
import { builtInResources } from '../../../src/registry/catalog.ts';

const findVersion = (version: string): Resource => {
  const found = builtInResources().find(({ resource }) => resource.kind === 'HorizontalPodAutoscaler' && resource.version === version);
  if (!found) throw new Error(`no autoscaling/${version}`);
  return found.resource;
};

const [v1, v2] = [findVersion('v1'), findVersion('v2')];
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const autoscaler = (version: string, spec: object): ApiObject =>
  ({
    apiVersion: `autoscaling/${version}`,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace: 'default' },
    spec: { scaleTargetRef, maxReplicas: 3, ...spec },
  }) as ApiObject;

test('an autoscaler of autoscaling/v1 is stored once, and served and watched in both versions', async () => {
  await using server = await createApiServer();
  const { client } = server;
  const watches = [v1, v2].map((version) => client.watch(version, { namespace: 'default' })[Symbol.asyncIterator]());
  expect(await client.create(v1, autoscaler('v1', {}))).toMatchObject({
    apiVersion: 'autoscaling/v1',
    spec: { minReplicas: 1, targetCPUUtilizationPercentage: 80 },
  });
  const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } };
  expect(await client.get(v2, { namespace: 'default', name: 'web' })).toMatchObject({
    apiVersion: 'autoscaling/v2',
    spec: { minReplicas: 1, metrics: [cpu] },
  });
  for (const [i, watch] of watches.entries()) {
    const [event] = await nextEvents(watch, 1);
    expect(event).toMatchObject({ type: 'ADDED', object: { apiVersion: `autoscaling/v${i + 1}` } });
    await watch.return?.();
  }
});

test('autoscaling/v1 shows what only autoscaling/v2 has as annotations, and keeps it in an update', async () => {
  await using server = await createApiServer();
  const { client } = server;
  const memory = { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } };
  await client.create(v2, autoscaler('v2', { metrics: [memory], behavior: { scaleDown: { selectPolicy: 'Disabled' } } }));
  const { items } = await client.list(v1, { namespace: 'default' });
  expect(items).toHaveLength(1);
  const shown = items[0] as ApiObject;
  expect(shown.metadata.annotations).toStrictEqual({
    'autoscaling.alpha.kubernetes.io/behavior':
      '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15},' +
      '{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null},"ScaleDown":{"StabilizationWindowSeconds":null,' +
      '"SelectPolicy":"Disabled","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null}}',
    'autoscaling.alpha.kubernetes.io/metrics': '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]',
  });
  await client.update(v1, {
    ...shown,
    spec: { ...(shown['spec'] as object), maxReplicas: 5, targetCPUUtilizationPercentage: 50 },
  } as ApiObject);
  const { metadata, spec } = await client.get(v2, { namespace: 'default', name: 'web' });
  expect(metadata.annotations).toBeUndefined();
  expect(spec).toMatchObject({
    maxReplicas: 5,
    metrics: [memory, { resource: { name: 'cpu', target: { averageUtilization: 50 } } }],
    behavior: { scaleDown: { selectPolicy: 'Disabled' } },
  });
});

test('the status of an autoscaler is written in either version', async () => {
  await using server = await createApiServer();
  const { client } = server;
  const created = await client.create(v2, autoscaler('v2', {}));
  const conditions = [{ type: 'AbleToScale', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  const status = { currentReplicas: 1, desiredReplicas: 2, conditions };
  const updated = await client.update(v2, { ...created, status } as ApiObject, { subresource: 'status' });
  expect(updated['status']).toStrictEqual({ currentReplicas: 1, currentMetrics: null, desiredReplicas: 2, conditions });
  const shown = await client.get(v1, { namespace: 'default', name: 'web' });
  const changed = await client.update(v1, { ...shown, status: { currentReplicas: 3, desiredReplicas: 3 } } as ApiObject, {
    subresource: 'status',
  });
  expect(changed['status']).toStrictEqual({ currentReplicas: 3, desiredReplicas: 3 });
  expect((await client.get(v2, { namespace: 'default', name: 'web' }))['status']).toMatchObject({ currentReplicas: 3, conditions });
});
