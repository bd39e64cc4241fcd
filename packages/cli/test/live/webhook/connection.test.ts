import { createApiServer, createFunctionAdmission } from '@kube-endpoints/apiserver';
import { admissionFunctionOf, createOverrides, type OverrideResult, type Overrides } from '@kube-endpoints/overrides';
import type { ReviewedRequest } from '@kube-endpoints/overrides/internal';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { expect, onTestFinished, test } from 'vitest';
import { endpointsOf, removalRules } from '../../../../overrides/test/webhook/support.ts';
import { connectWebhook, createConnection } from '../../../src/live/webhook/connection.ts';

const logger = { observer: () => undefined, log: () => undefined, fail: () => undefined };
const pollUntil = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise(setImmediate);
};

const requestFields = { uid: 'u', operation: 'UPDATE', namespace: 'shop', name: 'web', serviceName: 'web', dryRun: false } as const;

const sliceOf = (name: string, ip: string, ready: boolean) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { namespace: 'shop', name, labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  endpoints: [{ addresses: [ip], conditions: { ready } }],
  ports: [{ port: 80 }],
});

async function startConnection(rules: Overrides, otherObjects: readonly object[] = []) {
  const state = { rules: createOverrides({ rules: [{ name: 'none', addresses: { ranges: ['10.9.9.9'] }, action: { keepOut: {} } }] }) };
  const server = await createApiServer({
    objects: [
      { apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'shop', name: 'web' }, spec: { ports: [{ port: 80 }] } },
      endpointsOf('10.0.0.1', '10.0.0.2'),
      ...otherObjects,
    ] as never,
    admission: [createFunctionAdmission([admissionFunctionOf(() => state.rules, { now: () => new Date() })])],
  });
  state.rules = rules;
  const outcomes: string[] = [];
  const connection = createConnection({ port: server.client, close: () => undefined }, logger, { settlingMs: 0 });
  onTestFinished(async () => {
    await connection.close();
    await server.close();
  });
  const count = (outcome: string): void => void outcomes.push(outcome);
  const get = (resource: typeof resources.services): Promise<ApiObject> => server.client.get(resource, { namespace: 'shop', name: 'web' });
  return { connection, outcomes, metrics: { resynced: count, renewed: count }, get };
}

test('the connection triggers reviews of stored objects under new rules', async () => {
  const rules = createOverrides(removalRules);
  const { connection, outcomes, metrics, get } = await startConnection(rules);
  expect(connection.ready).toBe(false);
  connection.start(rules, metrics);
  await pollUntil(async () => !JSON.stringify(await get(resources.endpoints)).includes('10.0.0.2'));
  await pollUntil(async () => outcomes.includes('resynced') && outcomes.includes('renewed'));
  expect(connection.ready).toBe(true);
});

test('the connection triggers a sync of a Service when a delayed change is due', async () => {
  const rules = createOverrides({ rules: [{ name: 'none', addresses: { ranges: ['10.9.9.9'] }, action: { keepOut: {} } }] });
  const { connection, metrics, get } = await startConnection(rules);
  connection.start(rules, metrics);
  const request: ReviewedRequest = { ...requestFields, kind: 'Endpoints' };
  const result: OverrideResult = { object: {}, changed: true, patch: [], decisions: [], due: '2026-01-01T00:00:00Z' };
  connection.onResult(request, result);
  connection.onResult({ ...request, serviceName: undefined }, result);
  await pollUntil(async () => (await get(resources.services)).metadata.annotations?.['kube-endpoints/overrides-due'] !== undefined);
});

test('a review considers the recorded reviews of other slices before the slices are stored', async () => {
  const rules = createOverrides({ rules: [{ name: 'keep', action: { keepReady: { atLeast: 1 } } }] });
  const slices = ['web-1', 'web-2'].map((name, index) => sliceOf(name, `10.0.1.${index}`, true));
  const { connection, metrics } = await startConnection(rules, slices);
  connection.start(rules, metrics);
  const patches: number[] = [];
  for (const [index, oldObject] of slices.entries()) {
    const { name } = oldObject.metadata;
    const object = sliceOf(name, `10.0.1.${index}`, false);
    const request: ReviewedRequest = { ...requestFields, uid: name, kind: 'EndpointSlice', name };
    const result = rules.apply({ operation: 'UPDATE', object, oldObject, ...(await connection.lookUp(request, object)), now: new Date() });
    connection.onResult(request, result);
    patches.push(result.patch.length);
  }
  expect(patches).toEqual([0, 1]);
});

test('the webhook does not connect to a cluster without a flag', async () => {
  const io = { env: {}, version: '1' };
  expect(await connectWebhook({ inCluster: false }, io, logger)).toBeUndefined();
  await expect(connectWebhook({ inCluster: true }, io, logger)).rejects.toThrow('--in-cluster: this is no pod of a cluster');
});
