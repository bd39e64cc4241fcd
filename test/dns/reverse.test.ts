import { describe, expect, it } from 'vitest';
import { parseReverseName, reverseName } from '../../src/dns/reverse.ts';
import { makeEndpoint, makeHeadlessService, makeNamespace, makeService, makeSlice, shopObjects } from './cluster.ts';
import { queryDns } from './query.ts';

const zeros = (count: number): string => '0.'.repeat(count);

describe('reverseName', () => {
  it.each([
    ['10.96.0.1', '1.0.96.10.in-addr.arpa.'],
    ['fd00::a', `a.${'0.'.repeat(27)}0.0.d.f.ip6.arpa.`],
  ])('converts %s to a name and back', (address, name) => {
    expect(reverseName(address)).toBe(name);
    expect(parseReverseName(name)).toBe(address);
  });

  it('rejects a text that is not an address', () => {
    expect(() => reverseName('web')).toThrow('"web" is not an IP address');
  });
});

describe('parseReverseName', () => {
  it.each([
    ['4.3.2.1.in-addr.arpa.', '1.2.3.4'],
    ['04.3.2.1.in-addr.arpa.', undefined],
    ['3.2.1.in-addr.arpa.', undefined],
    ['x.4.3.2.1.in-addr.arpa.', undefined],
    ['in-addr.arpa.', undefined],
    [`1.${zeros(30)}0.ip6.arpa.`, '::1'],
    // CoreDNS reads four labels at a time, so it ignores up to three extra labels.
    [`x.y.z.1.${zeros(31)}ip6.arpa.`, '::1'],
    [`w.x.y.z.1.${zeros(31)}ip6.arpa.`, undefined],
    [`1.${zeros(30)}ip6.arpa.`, undefined],
    [`4.0.3.0.2.0.1.0.f.f.f.f.${zeros(20)}ip6.arpa.`, '1.2.3.4'],
    ['web.shop.svc.cluster.local.', undefined],
  ])('maps %s to %s', (name, address) => {
    expect(parseReverseName(name)).toBe(address);
  });
});

describe('the reverse name of an address', () => {
  const reverse = (address: string): string => `${address.split('.').reverse().join('.')}.in-addr.arpa. PTR`;
  const lastFields = ({ answer }: { answer: string[] }): (string | undefined)[] => answer.map((text) => text.split(' ').at(-1));

  it('leads to the first of several Services, sorted by name', () => {
    const objects = { namespaces: [makeNamespace('shop')], services: [makeService('b'), makeService('a')] };
    expect(lastFields(queryDns(reverse('10.0.0.1'), { objects }))).toEqual(['a.shop.svc.cluster.local.']);
  });

  it('leads to each of several endpoints once', () => {
    const endpointSlices = [
      makeSlice('b', [makeEndpoint('10.1.0.1'), makeEndpoint('10.1.0.1')]),
      makeSlice('a', [makeEndpoint('10.1.0.1', { hostname: 'h' })]),
      makeSlice('c', [makeEndpoint('10.1.0.1')], { metadata: { name: 'c-1', namespace: 'shop' } }),
    ];
    expect(lastFields(queryDns(reverse('10.1.0.1'), { objects: { endpointSlices } }))).toEqual([
      'h.a.shop.svc.cluster.local.',
      '10-1-0-1.b.shop.svc.cluster.local.',
      // The slice c-1 has no label with the name of a Service.
      '10-1-0-1..shop.svc.cluster.local.',
    ]);
  });

  it('leads from an external address to the Service up to CoreDNS 1.9.3', () => {
    const services = [
      makeService(
        'lb',
        { externalIPs: ['192.0.2.1'] },
        { status: { loadBalancer: { ingress: [{ ip: '192.0.2.2' }, { hostname: 'lb.example.com' }] } } },
      ),
    ];
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      const answer = (release: string) => lastFields(queryDns(reverse(address), { objects: { services }, release }));
      expect([answer('1.9.3'), answer('1.9.4')]).toEqual([['lb.shop.svc.cluster.local.'], []]);
    }
  });

  it('leads only to endpoints with a hostname from CoreDNS 1.11.4 to 1.12.0', () => {
    const answers = ['1.11.3', '1.11.4', '1.12.0', '1.12.1'].map((release) => queryDns(reverse('10.1.0.1'), { release }).rcode);
    expect(answers).toEqual(['NOERROR', 'NXDOMAIN', 'NXDOMAIN', 'NOERROR']);
    expect(queryDns(reverse('10.1.0.2'), { release: '1.12.0' }).rcode).toBe('NOERROR');
  });

  it('leads to a Service in a missing namespace, unless namespaces are configured', () => {
    const objects = { services: [makeService('web')] };
    expect(queryDns(reverse('10.0.0.1'), { objects }).rcode).toBe('NOERROR');
    expect(queryDns(reverse('10.0.0.1'), { objects, namespaces: ['shop'] }).rcode).toBe('NXDOMAIN');
    expect(queryDns(reverse('10.0.0.1'), { objects: shopObjects, namespaces: ['shop'] }).rcode).toBe('NOERROR');
    expect(queryDns(reverse('10.1.0.1'), { objects: shopObjects, namespaces: ['back'] }).rcode).toBe('NXDOMAIN');
  });

  it('leads to a label that ends in a zero from CoreDNS 1.12.3 on, if the address ends in colons', () => {
    const objects = { services: [makeHeadlessService('db')], endpointSlices: [makeSlice('db', [makeEndpoint('fd00:0:1::')])] };
    const target = (release: string) => lastFields(queryDns(`${zeros(20)}1.0.0.0.0.0.0.0.0.0.d.f.ip6.arpa. PTR`, { objects, release }))[0];
    expect([target('1.12.2'), target('1.12.3')]).toEqual([
      'fd00-0-1--.db.shop.svc.cluster.local.',
      'fd00-0-1--0.db.shop.svc.cluster.local.',
    ]);
  });
});
