import { expect, it } from 'vitest';
import type { EndpointView } from '../../../src/proxy/index.ts';
import { createPortNamer } from '../../../src/proxy/nftables/names.ts';
import { makeWebService, portOf } from '../fixtures.ts';

const port = { ...portOf(makeWebService(), [{ ip: '10.180.0.1' }]), namespace: 'ns1', service: 'svc1', portName: 'p80' };
const endpoint = port.endpoints[0] as EndpointView;

it('createPortNamer starts names with a hash of the rest', () => {
  const names = createPortNamer()(port);
  expect(names).toMatchObject({
    cluster: 'service-ULMVA6XW-ns1/svc1/tcp/p80',
    local: 'local-ULMVA6XW-ns1/svc1/tcp/p80',
    external: 'external-ULMVA6XW-ns1/svc1/tcp/p80',
    firewall: 'firewall-ULMVA6XW-ns1/svc1/tcp/p80',
  });
  expect(names.endpoint({ ...endpoint, port: 80 })).toEqual({
    chain: 'endpoint-5OJB2KTY-ns1/svc1/tcp/p80__10.180.0.1/80',
    affinity: 'affinity-5OJB2KTY-ns1/svc1/tcp/p80__10.180.0.1/80',
  });
  expect(names.endpoint({ ...endpoint, ip: 'fd00::1' }).chain).toMatch(/^endpoint-\w{8}-ns1\/svc1\/tcp\/p80__fd00\.\.1\/8080$/);
});

it('createPortNamer truncates a long name, which the hash keeps unique', () => {
  const longPort = { ...port, namespace: 'n'.repeat(63), service: 's'.repeat(63), portName: 'p'.repeat(63) };
  const names = createPortNamer()(longPort);
  expect(names.cluster.length).toBeLessThan(256);
  const [one, other] = ['0001', '0002'].map(
    (end) => names.endpoint({ ...endpoint, ip: `2001:db8:1111:2222:3333:4444:5555:${end}`, port: 65_000 }).chain,
  );
  expect(one).toHaveLength('endpoint-'.length + 240);
  expect(one).toMatch(/\.\.\.$/);
  expect(one).not.toBe(other);
});
