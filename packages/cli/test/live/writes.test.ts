import { createApiServer } from '@kube-endpoints/apiserver';
import { resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { emptyPlan, plannedSlicesEvent } from '../../../controllers/test/operations/runtime-events.ts';
import { createWriteRecorder, type RecordedWrite, reportWrites, toPlannedServiceWrite, toPlannedWrites } from '../../src/live/writes.ts';
import { plainStyle, slice } from '../objects.ts';

type Effect = 'get' | 'ensure' | 'update' | 'delete' | 'patch' | 'event';

const endpoints = (name: string, ip = '10.0.0.1') => ({
  metadata: { name, namespace: 'default' },
  subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }],
});

describe('the record of writes through a port', () => {
  test('holds the final state of each object', async () => {
    await using server = await createApiServer({ background: false, objects: [] });
    const existing = await server.client.create(resources.endpoints, endpoints('existing'));
    const { port, writes } = createWriteRecorder(server.client);
    const created = await port.create(resources.endpoints, endpoints('new'));
    await port.update(resources.endpoints, { ...created, ...endpoints('new', '10.0.0.2'), metadata: created.metadata });
    await port.create(resources.endpoints, endpoints('temporary'));
    await port.delete(resources.endpoints, { namespace: 'default', name: 'temporary' });
    await port.update(resources.endpoints, { ...existing, ...endpoints('existing', '10.0.0.3'), metadata: existing.metadata });
    await port.delete(resources.endpoints, { namespace: 'default', name: 'existing' });
    await port.create(resources.pods, {
      metadata: { namespace: 'default', name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    expect(reportWrites(writes(), { planned: false }).text(plainStyle)).toEqual([
      'NAMESPACE   OBJECT               ACTION    ENDPOINTS',
      'default     endpoints/existing   deleted   <none>',
      'default     endpoints/new        created   10.0.0.2:80',
      '',
      '1 created, 0 updated, 1 deleted.',
    ]);
    expect((await port.list(resources.endpoints, { namespace: 'default' })).items).toHaveLength(1);
  });

  test('omits rejected writes', async () => {
    await using server = await createApiServer({ background: false });
    const { port, writes } = createWriteRecorder(server.client);
    await expect(port.delete(resources.endpoints, { namespace: 'default', name: 'none' })).rejects.toThrow('not found');
    expect(writes()).toEqual([]);
  });
});

describe('the load balancer column', () => {
  const metadata = { namespace: 'shop', name: 'web' };
  const status = (ingress: object[]): object => ({ status: { loadBalancer: { ingress } } });

  test('shows the addresses that a Service status is patched with', async () => {
    const spec = { type: 'LoadBalancer', ports: [{ port: 80 }] };
    await using server = await createApiServer({ background: false, objects: [{ apiVersion: 'v1', kind: 'Service', metadata, spec }] });
    const { port, writes } = createWriteRecorder(server.client);
    const options = { type: 'strategic', subresource: 'status' } as const;
    await port.patch(resources.services, metadata, status([{ ip: '10.9.0.1' }, { hostname: 'lb.example' }]), options);
    const lines = (): string[] => reportWrites(writes(), { planned: false }).text(plainStyle);
    expect(lines()[1]).toBe('shop        services/web   updated   load balancer at 10.9.0.1, lb.example');
    await port.patch(resources.services, metadata, { status: { loadBalancer: { ingress: null } } }, options);
    expect(lines().slice(1)).toEqual(['shop        services/web   updated   no load balancer', '', '0 created, 1 updated, 0 deleted.']);
  });

  test.each<[string, object, readonly Effect[], string | undefined]>([
    ['that will be created', {}, ['patch', 'ensure'], 'load balancer to be created'],
    ['that will be created before the status is patched', {}, ['get', 'ensure', 'patch'], 'load balancer to be created'],
    ['that will be deleted', status([{ ip: '10.9.0.1' }]), ['delete', 'patch'], 'load balancer to be deleted'],
    ['only if it changes', status([{ ip: '10.9.0.1' }]), ['ensure', 'event'], undefined],
    ['without a note if only the Service is patched', status([{ ip: '10.9.0.1' }]), ['ensure', 'patch'], '<none>'],
  ])('shows a load balancer %s', (_, fields, effects, text) => {
    let write: RecordedWrite | undefined;
    for (const kind of effects) {
      const effect = { do: kind, service: { metadata, ...fields } } as never;
      write = toPlannedServiceWrite({ kind: 'effect', key: 'shop/web', effect, dryRun: true }, write);
    }
    const lines = reportWrites(write ? [write] : [], { planned: true }).text(plainStyle);
    if (text === undefined) expect(lines).toHaveLength(1);
    else expect(lines[1]).toBe(`shop        services/web   updated (dry run)   ${text}`);
  });
});

test('toPlannedWrites derives the writes of a dry run from its plans', () => {
  const object = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web', namespace: 'shop' }, subsets: [] } as const;
  const event = { kind: 'planned', controller: 'endpoints', key: 'shop/web', reasons: [] } as const;
  const plan = {
    ...emptyPlan,
    create: [{ ...slice('', 'web'), metadata: { namespace: 'shop', generateName: 'web-' } }],
    delete: [slice('web-1', 'web')],
  } as never;
  const planned: RecordedWrite[] = [
    ...toPlannedWrites({ ...event, action: 'create', object: object as never }),
    ...toPlannedWrites({ ...event, key: 'shop/db', action: 'none' }),
    ...toPlannedWrites({ ...event, key: 'shop/gone', action: 'delete' }),
    ...toPlannedWrites(plannedSlicesEvent({ plan }) as never),
  ];
  expect(reportWrites(planned, { planned: true }).text(plainStyle)).toEqual([
    'NAMESPACE   OBJECT                 ACTION              ENDPOINTS',
    'shop        endpoints/gone         deleted (dry run)   <none>',
    'shop        endpoints/web          created (dry run)   <none>',
    'shop        endpointslices/web-*   created (dry run)   <unset>',
    'shop        endpointslices/web-1   deleted (dry run)   <none>',
    '',
    'Dry run, nothing was written; planned: 2 created, 0 updated, 2 deleted.',
  ]);
});

test('reportWrites names the last column after its contents', () => {
  const serviceWrite: RecordedWrite = { action: 'updated', resource: 'services', object: { metadata: { namespace: 'shop', name: 'web' } } };
  const endpointsWrite: RecordedWrite = { action: 'created', resource: 'endpoints', object: endpoints('web') };
  const headingOf = (...writes: RecordedWrite[]): string | undefined => reportWrites(writes, { planned: false }).text(plainStyle)[0];
  expect(headingOf(serviceWrite)).toMatch(/ACTION {4}LOAD BALANCER$/);
  expect(headingOf(serviceWrite, endpointsWrite)).toMatch(/ACTION {4}ENDPOINTS, LOAD BALANCER$/);
});
