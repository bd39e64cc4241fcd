import { expect, test } from 'vitest';
import type { Authorizer } from '../../src/authorization/index.ts';
import { createFixture, type Fixture } from './support.ts';

const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/a';
const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a', namespace: 'default' } };

const createFixtureDenying = (deniedVerb: string): Promise<Fixture> => {
  const authorizer: Authorizer = {
    authorize: ({ verb }) => ({ isAllowed: verb !== deniedVerb, reason: 'because' }),
    listRules: () => ({ rules: [], isIncomplete: false, problem: '' }),
  };
  return createFixture({ authorizer });
};

test.each([
  ['PUT', '', 'application/json'],
  ['PATCH', '?fieldManager=m', 'application/apply-patch+yaml'],
])('a %s that would create the object requires the verb create', async (method, query, type) => {
  const { send } = await createFixtureDenying('create');
  const request = { headers: { 'content-type': type }, body };
  const refused = await send(method, `${path}${query}`, request);
  expect(refused.json).toMatchObject({
    code: 403,
    reason: 'Forbidden',
    message:
      'leases.coordination.k8s.io "a" is forbidden: User "tester" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "default": because',
    details: { name: 'a', group: 'coordination.k8s.io', kind: 'leases' },
  });
  expect((await send('GET', path)).code).toBe(404);
  const created = await send('POST', '/apis/coordination.k8s.io/v1/namespaces/default/leases', { body });
  const { resourceVersion } = created.json.metadata;
  const update = { ...body, metadata: { ...body.metadata, resourceVersion } };
  expect((await send(method, `${path}${query}`, { ...request, body: update })).code).toBe(200);
});

test('an update creates the object if the user may create it', async () => {
  const { send } = await createFixtureDenying('update');
  expect((await send('PUT', path, { body })).code).toBe(201);
});
