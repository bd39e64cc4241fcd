import { createApiServer } from '@kube-endpoints/apiserver';
import { resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { emptyPlan, plannedSlices } from '../../../controllers/test/operations/happenings.ts';
import { plannedWrites, plannedServiceWrite, recordWrites, reportWrites, type RecordedWrite } from '../../src/live/written.ts';
import { plain, slice } from '../objects.ts';

type Effect = 'get' | 'ensure' | 'update' | 'delete' | 'patch' | 'event';

const endpoints = (name: string, ip = '10.0.0.1') => ({
  metadata: { name, namespace: 'default' },
  subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }],
});

describe('the record of writes through a port', () => {
  test('holds the final state of each object', async () => {
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
    expect(reportWrites(written(), { planned: false }).text(plain)).toEqual([
      'NAMESPACE   OBJECT                ACTION    ENDPOINTS',
      'default     endpoints/made        created   10.0.0.2:80',
      'default     endpoints/was-there   deleted   <none>',
      '',
      '1 created, 0 updated, 1 deleted.',
    ]);
    expect((await port.list(resources.endpoints, { namespace: 'default' })).items).toHaveLength(1);
  });

  test('omits refused writes', async () => {
    await using server = await createApiServer({ background: false });
    const { port, written } = recordWrites(server.client);
    await expect(port.delete(resources.endpoints, { namespace: 'default', name: 'none' })).rejects.toThrow('not found');
    expect(written()).toEqual([]);
  });
});

describe('the load balancer column', () => {
  const metadata = { namespace: 'shop', name: 'web' };
  const status = (ingress: object[]): object => ({ status: { loadBalancer: { ingress } } });

  test('shows the addresses that a Service status is patched with', async () => {
    const spec = { type: 'LoadBalancer', ports: [{ port: 80 }] };
    await using server = await createApiServer({ background: false, objects: [{ apiVersion: 'v1', kind: 'Service', metadata, spec }] });
    const { port, written } = recordWrites(server.client);
    const options = { type: 'strategic', subresource: 'status' } as const;
    await port.patch(resources.services, metadata, status([{ ip: '10.9.0.1' }, { hostname: 'lb.example' }]), options);
    const lines = (): string[] => reportWrites(written(), { planned: false }).text(plain);
    expect(lines()[1]).toBe('shop        services/web   updated   load balancer at 10.9.0.1, lb.example');
    await port.patch(resources.services, metadata, { status: { loadBalancer: { ingress: null } } }, options);
    expect(lines().slice(1)).toEqual(['shop        services/web   updated   no load balancer', '', '0 created, 1 updated, 0 deleted.']);
  });

  test.each<[string, object, readonly Effect[], string | undefined]>([
    ['to be made', {}, ['patch', 'ensure'], 'load balancer to be created'],
    ['to be made, though nothing is written before', {}, ['get', 'ensure', 'patch'], 'load balancer to be created'],
    ['to be deleted', status([{ ip: '10.9.0.1' }]), ['delete', 'patch'], 'load balancer to be deleted'],
    ['that are made sure of', status([{ ip: '10.9.0.1' }]), ['ensure', 'event'], undefined],
    ['that only a word is changed about', status([{ ip: '10.9.0.1' }]), ['ensure', 'patch'], '<none>'],
  ])('shows a load balancer %s', (_, more, effects, text) => {
    let written: RecordedWrite | undefined;
    for (const what of effects) {
      const effect = { do: what, service: { metadata, ...more } } as never;
      written = plannedServiceWrite({ kind: 'effect', key: 'shop/web', effect, dryRun: true }, written);
    }
    const lines = reportWrites(written ? [written] : [], { planned: true }).text(plain);
    if (text === undefined) expect(lines).toHaveLength(1);
    else expect(lines[1]).toBe(`shop        services/web   updated (dry run)   ${text}`);
  });
});

test('derives the writes of a dry run from its plans', () => {
  const object = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web', namespace: 'shop' }, subsets: [] } as const;
  const given = { kind: 'planned', controller: 'endpoints', key: 'shop/web', reasons: [] } as const;
  const plan = {
    ...emptyPlan,
    create: [{ ...slice('', 'web'), metadata: { namespace: 'shop', generateName: 'web-' } }],
    delete: [slice('web-1', 'web')],
  } as never;
  const planned: RecordedWrite[] = [
    ...plannedWrites({ ...given, action: 'create', object: object as never }),
    ...plannedWrites({ ...given, key: 'shop/db', action: 'none' }),
    ...plannedWrites({ ...given, key: 'shop/gone', action: 'delete' }),
    ...plannedWrites(plannedSlices({ plan }) as never),
  ];
  expect(reportWrites(planned, { planned: true }).text(plain)).toEqual([
    'NAMESPACE   OBJECT                 ACTION              ENDPOINTS',
    'shop        endpoints/gone         deleted (dry run)   <none>',
    'shop        endpoints/web          created (dry run)   <none>',
    'shop        endpointslices/web-*   created (dry run)   <unset>',
    'shop        endpointslices/web-1   deleted (dry run)   <none>',
    '',
    'Dry run, nothing was written; planned: 2 created, 0 updated, 2 deleted.',
  ]);
});

test('heads the last column after its contents', () => {
  const service: RecordedWrite = { action: 'updated', resource: 'services', object: { metadata: { namespace: 'shop', name: 'web' } } };
  const made: RecordedWrite = { action: 'created', resource: 'endpoints', object: endpoints('web') };
  const headingOf = (...all: RecordedWrite[]): string | undefined => reportWrites(all, { planned: false }).text(plain)[0];
  expect(headingOf(service)).toMatch(/ACTION {4}LOAD BALANCER$/);
  expect(headingOf(service, made)).toMatch(/ACTION {4}ENDPOINTS, LOAD BALANCER$/);
});
