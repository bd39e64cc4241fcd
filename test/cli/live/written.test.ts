import { describe, expect, test } from 'vitest';
import { createApiServer, resources } from '../../../src/apiserver/index.ts';
import { plannedBy, recordWrites, reportWritten, type Written } from '../../../src/cli/live/written.ts';
import { emptyPlan, plannedSlices } from '../../runtime/operations/happenings.ts';
import { plain, slice } from '../objects.ts';

const endpoints = (name: string, ip = '10.0.0.1') => ({
  metadata: { name, namespace: 'default' },
  subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }],
});

describe('what is written through a port', () => {
  test('is remembered as it is in the end', async () => {
    await using server = await createApiServer({ background: false, objects: [] });
    const before = await server.client.create(resources.endpoints, endpoints('was-there'));
    const { port, written } = recordWrites(server.client);
    const made = await port.create(resources.endpoints, endpoints('made'));
    await port.update(resources.endpoints, { ...made, ...endpoints('made', '10.0.0.2'), metadata: made.metadata });
    await port.create(resources.endpoints, endpoints('passing'));
    await port.delete(resources.endpoints, { namespace: 'default', name: 'passing' });
    await port.update(resources.endpoints, { ...before, ...endpoints('was-there', '10.0.0.3'), metadata: before.metadata });
    await port.delete(resources.endpoints, { namespace: 'default', name: 'was-there' });
    await port.create(resources.pods, {
      metadata: { namespace: 'default', name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    expect(reportWritten(written(), { planned: false }).text(plain)).toEqual([
      'NAMESPACE   OBJECT                ACTION    ENDPOINTS',
      'default     endpoints/made        created   10.0.0.2:80',
      'default     endpoints/was-there   deleted   <none>',
      '',
      '1 created, 0 updated, 1 deleted.',
    ]);
    expect((await port.list(resources.endpoints, { namespace: 'default' })).items).toHaveLength(1);
  });

  test('is nothing where a write is refused', async () => {
    await using server = await createApiServer({ background: false });
    const { port, written } = recordWrites(server.client);
    await expect(port.delete(resources.endpoints, { namespace: 'default', name: 'none' })).rejects.toThrow('not found');
    expect(written()).toEqual([]);
  });
});

test('what a dry run would write comes from its plans', () => {
  const object = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web', namespace: 'shop' }, subsets: [] } as const;
  const given = { kind: 'planned', controller: 'endpoints', key: 'shop/web', reasons: [] } as const;
  const plan = {
    ...emptyPlan,
    create: [{ ...slice('', 'web'), metadata: { namespace: 'shop', generateName: 'web-' } }],
    delete: [slice('web-1', 'web')],
  } as never;
  const planned: Written[] = [
    ...plannedBy({ ...given, action: 'create', object: object as never }),
    ...plannedBy({ ...given, key: 'shop/db', action: 'none' }),
    ...plannedBy({ ...given, key: 'shop/gone', action: 'delete' }),
    ...plannedBy(plannedSlices({ plan }) as never),
  ];
  expect(reportWritten(planned, { planned: true }).text(plain)).toEqual([
    'NAMESPACE   OBJECT                 ACTION              ENDPOINTS',
    'shop        endpoints/gone         deleted (dry run)   <none>',
    'shop        endpoints/web          created (dry run)   <none>',
    'shop        endpointslices/web-*   created (dry run)   <unset>',
    'shop        endpointslices/web-1   deleted (dry run)   <none>',
    '',
    'Nothing is written in a dry run; else: 2 created, 0 updated, 2 deleted.',
  ]);
});
