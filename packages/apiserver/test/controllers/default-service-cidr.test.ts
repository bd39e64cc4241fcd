import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createApiServer } from '../../src/index.ts';

const networking = { group: 'networking.k8s.io', version: 'v1', namespaced: false };
const serviceCIDRs = { ...networking, plural: 'servicecidrs', kind: 'ServiceCIDR' };
const ipAddresses = { ...networking, plural: 'ipaddresses', kind: 'IPAddress' };
const ready = { type: 'Ready', status: 'True', message: 'Kubernetes default Service CIDR is ready' };

const createRange = (name: string, ...cidrs: string[]): ApiObject => ({ metadata: { name }, spec: { cidrs } }) as ApiObject;

const createAddress = (name: string, parentRef?: object): ApiObject => ({ metadata: { name }, spec: { parentRef } }) as ApiObject;

const messageOf = async (write: Promise<unknown>): Promise<string> =>
  write.then(
    () => '',
    (error: Error) => error.message.replace(/^.*is invalid: /, ''),
  );

describe('the ServiceCIDR kubernetes', () => {
  test.each([
    { background: true, serviceClusterIPRanges: undefined, cidrs: ['10.96.0.0/16', 'fd00:10:96::/112'] },
    { background: false, serviceClusterIPRanges: ['10.1.0.0/24'], cidrs: ['10.1.0.0/24'] },
  ])('has the ranges of a listening server, and is created again: $cidrs', async ({ cidrs, serviceClusterIPRanges, background }) => {
    await using server = await createApiServer({ background, ...(serviceClusterIPRanges && { serviceClusterIPRanges }) });
    expect((await server.client.list(serviceCIDRs)).items).toStrictEqual([]);
    await server.listen({ tls: false });
    const expected = { spec: { cidrs }, status: { conditions: [ready] } };
    expect(await server.client.get(serviceCIDRs, { name: 'kubernetes' })).toMatchObject(expected);
    await server.client.delete(serviceCIDRs, { name: 'kubernetes' });
    await server.settle();
    expect(await server.client.get(serviceCIDRs, { name: 'kubernetes' })).toMatchObject(expected);
  });

  test('is left without a condition if it has other ranges', async () => {
    await using server = await createApiServer({
      objects: [{ ...createRange('kubernetes', '10.9.0.0/16'), apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR' }],
    });
    await server.listen({ tls: false });
    expect(await server.client.get(serviceCIDRs, { name: 'kubernetes' })).not.toHaveProperty('status.conditions');
  });
});

const oneFamily = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';

describe('validation', () => {
  test.each<[string[], string]>([
    [[], 'spec.cidrs: Required value: at least one CIDR required'],
    [
      ['10.0.0.0/8', 'fd00::/64', '10.1.0.0/16'],
      'spec.cidrs: Invalid value: {"CIDRs":["10.0.0.0/8","fd00::/64","10.1.0.0/16"]}: may only hold up to 2 values',
    ],
    [['10.0.0.0/8', '11.0.0.0/8'], `spec.cidrs: Invalid value: ["10.0.0.0/8","11.0.0.0/8"]: ${oneFamily}`],
    [['10.0.0.1/8'], 'spec.cidrs[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length'],
    [['fd00:0::/64'], 'spec.cidrs[0]: Invalid value: "fd00:0::/64": must be in canonical form ("fd00::/64")'],
    [['10.0.0.0/8', 'fd00::/64'], ''],
  ])('of a ServiceCIDR with %j', async (cidrs, message) => {
    await using server = await createApiServer();
    expect(await messageOf(server.client.create(serviceCIDRs, createRange('a', ...cidrs)))).toBe(message);
  });

  test('of a changed ServiceCIDR allows only a second range', async () => {
    await using server = await createApiServer();
    const created = await server.client.create(serviceCIDRs, createRange('a', '10.0.0.0/8'));
    const update = (...cidrs: string[]): Promise<string> =>
      messageOf(server.client.update(serviceCIDRs, { ...created, spec: { cidrs } } as ApiObject));
    expect(await update('11.0.0.0/8')).toBe('spec.cidrs[0]: Invalid value: "11.0.0.0/8": field is immutable');
    expect(await update()).toBe('spec.cidrs: Invalid value: []: field is immutable');
    expect(await update('10.0.0.0/8', '11.0.0.0/8')).toContain(oneFamily);
    expect(await update('10.0.0.0/8', 'fd00::/64')).toBe('');
  });

  const service = { resource: 'services', namespace: 'default', name: 'web' };

  test.each<[string, object | undefined, string]>([
    ['fe80::42:1dff:fe84:f9e2', service, ''],
    ['10.0.0.1', { ...service, group: 'example.com' }, ''],
    ['10.0.0.01', service, 'metadata.name: Invalid value: "10.0.0.01": must not have leading 0s'],
    ['web', service, 'metadata.name: Invalid value: "web": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ['fd00:0::1', service, 'metadata.name: Invalid value: "fd00:0::1": must be in canonical form ("fd00::1")'],
    ['10.0.0.1', undefined, 'spec.parentRef: Required value'],
    [
      '10.0.0.1',
      { resource: 'a/b', namespace: '..', name: '' },
      '[spec.parentRef.resource: Invalid value: "a/b": may not contain \'/\', spec.parentRef.name: Required value, spec.parentRef.namespace: Invalid value: "..": may not be \'..\']',
    ],
  ])('of an IPAddress %s of %j', async (name, parentRef, message) => {
    await using server = await createApiServer();
    expect(await messageOf(server.client.create(ipAddresses, createAddress(name, parentRef)))).toBe(message);
  });

  test('of a changed IPAddress refuses another parent', async () => {
    await using server = await createApiServer();
    const created = await server.client.create(ipAddresses, createAddress('10.0.0.1', service));
    const changed = { ...created, spec: { parentRef: { ...service, name: 'db' } } } as ApiObject;
    expect(await messageOf(server.client.update(ipAddresses, changed))).toBe(
      'spec.parentRef: Invalid value: {"resource":"services","namespace":"default","name":"db"}: field is immutable',
    );
  });
});
