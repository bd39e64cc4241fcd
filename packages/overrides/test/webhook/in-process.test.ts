import { createApiServer, createFunctionAdmission } from '@kube-endpoints/apiserver';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { expect, onTestFinished, test } from 'vitest';
import { admissionFunctionOf, createOverrides } from '../../src/index.ts';
import { endpointsOf, outRule, patchIn, reviewed, reviewOf, serve } from './support.ts';

test('in process, the rules make the same of endpoints as the webhook does', async () => {
  const overrides = createOverrides(outRule);
  const now = (): Date => new Date('2026-07-01T12:00:00Z');
  const server = await createApiServer({ admission: [createFunctionAdmission([admissionFunctionOf(overrides, { now })])] });
  onTestFinished(() => server.close());
  await server.client.create(resources.namespaces, { metadata: { name: 'shop' } });
  const object = endpointsOf('10.0.0.1', '10.0.0.2', '10.0.0.3');
  const stored = await server.client.create(resources.endpoints, object as unknown as ApiObject);
  const target = await serve({ overrides });
  const patch = patchIn(await reviewed(target, reviewOf(object)));
  expect(stored['subsets']).toEqual([{ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.3' }], ports: [{ port: 80, protocol: 'TCP' }] }]);
  expect(overrides.apply({ operation: 'CREATE', object, now: now() }).patch).toEqual(patch);
});
