import { describe, expect, it } from 'vitest';
import { type AnswerItem, computeSrvWeight, createItemSet, emptyItemSet, getSrv } from '../../src/dns/answer-items.ts';
import { dnsProfile } from '../../src/dns/gates.ts';
import { parseHost } from '../../src/dns/name.ts';

const item = (address: string, port = 80, owner = 'web.shop.svc'): AnswerItem => ({ host: parseHost(address), port, owner });

describe('createItemSet', () => {
  it('groups addresses by family, drops repetitions of the same spelling, and keeps repeated names', () => {
    const itemSet = createItemSet(
      ['10.0.0.1', 'fd00::1', '10.0.0.1', 'FD00::1', 'a.example.com', 'a.example.com'].map((text) => item(text)),
    );
    expect(itemSet).toMatchObject({ ipv4: ['10.0.0.1'], ipv6: ['fd00::1', 'fd00::1'], names: ['a.example.com.', 'a.example.com.'] });
    expect(createItemSet([item('fd00::1')])).toMatchObject({ ipv4: [], ipv6: ['fd00::1'], names: [] });
    expect(emptyItemSet.items).toEqual([]);
  });
});

describe('getSrv', () => {
  it('lists each port and address once, and computes the weight from the number of all addresses', () => {
    const srv = getSrv(
      createItemSet([item('10.0.0.1'), item('10.0.0.2'), item('10.0.0.1', 443), item('10.0.0.1', -1), item('a.example.com')]),
      dnsProfile(),
    );
    expect(srv.weight).toBe(25);
    expect(srv.targets.map(({ port }) => port)).toEqual([80, 443]);
    expect(srv.glue.map(({ host }) => host.data)).toEqual(['10.0.0.1', '10.0.0.2']);
  });

  it('caches its result', () => {
    const itemSet = createItemSet([item('10.0.0.1')]);
    expect(getSrv(itemSet, dnsProfile())).toBe(getSrv(itemSet, dnsProfile()));
  });
});

it('computeSrvWeight is a share of 100, and at least 1 from CoreDNS 1.7 on', () => {
  const weights = (release: string) => [1, 2, 3, 7, 99, 100, 101, 5000].map((count) => computeSrvWeight(count, dnsProfile(release)));
  expect(weights('1.6')).toEqual([100, 50, 33, 14, 1, 1, 0, 0]);
  expect(weights('1.7.0')).toEqual([100, 50, 33, 14, 1, 1, 1, 1]);
});
