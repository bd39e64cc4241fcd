import { describe, expect, it } from 'vitest';
import { foundItems, type Item, nothing, srvOf, srvWeight } from '../../src/dns/found.ts';
import { hostOf } from '../../src/dns/name.ts';

const item = (address: string, port = 80, owner = 'web.shop.svc'): Item => ({ host: hostOf(address), port, owner });

describe('foundItems', () => {
  it('groups addresses by family without repeated texts, and keeps repeated names', () => {
    const found = foundItems(['10.0.0.1', 'fd00::1', '10.0.0.1', 'FD00::1', 'a.example.com', 'a.example.com'].map((text) => item(text)));
    expect(found).toMatchObject({ ipv4: ['10.0.0.1'], ipv6: ['fd00::1', 'fd00::1'], names: ['a.example.com.', 'a.example.com.'] });
    expect(foundItems([item('fd00::1')])).toMatchObject({ ipv4: [], ipv6: ['fd00::1'], names: [] });
    expect(nothing.items).toEqual([]);
  });
});

describe('srvOf', () => {
  it('lists each target and address once, and weights by all items', () => {
    const srv = srvOf(foundItems([item('10.0.0.1'), item('10.0.0.2'), item('10.0.0.1', 443), item('10.0.0.1', -1), item('a.example.com')]));
    expect(srv.weight).toBe(25);
    expect(srv.targets.map(({ port }) => port)).toEqual([80, 443]);
    expect(srv.glue.map(({ host }) => host.data)).toEqual(['10.0.0.1', '10.0.0.2']);
  });

  it('caches its result', () => {
    const found = foundItems([item('10.0.0.1')]);
    expect(srvOf(found)).toBe(srvOf(found));
  });
});

it('srvWeight is a share of 100, and at least 1', () => {
  expect([1, 2, 3, 7, 99, 100, 101, 5000].map(srvWeight)).toEqual([100, 50, 33, 14, 1, 1, 1, 1]);
});
