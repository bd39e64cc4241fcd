import { describe, expect, it } from 'vitest';
import type { ProxyNode } from '../../../src/proxy/index.ts';
import { createNodeFragment } from '../../../src/proxy/nftables/node-fragment.ts';
import { readNftablesSettings } from '../../../src/proxy/nftables/settings.ts';
import { node } from '../fixtures.ts';

const fragment = (more: Partial<ProxyNode> = {}, family: 'IPv4' | 'IPv6' = 'IPv4') =>
  createNodeFragment(readNftablesSettings({ ...node, ...more }, family));

describe('createNodeFragment', () => {
  it.each<[string, ReturnType<typeof fragment>]>([
    ['for any node', fragment()],
    ['with nodePortAddresses', fragment({ nodePortAddresses: ['192.168.0.0/16'] })],
    ['for IPv6', fragment({}, 'IPv6')],
  ])('refers only to its own objects: %s', (_, { chains, sets, maps }) => {
    const names = new Set([...chains.map(({ name }) => name), ...[...sets, ...maps].map(({ name }) => `@${name}`)]);
    const words = chains
      .flatMap(({ rules }) => rules)
      .flatMap(({ text }) => [...text.matchAll(/@[\w-]+|(?<=jump )\S+/g)].map(([word]) => word));
    expect(words.length).toBeGreaterThan(15);
    expect(words.filter((word) => !names.has(word))).toEqual([]);
    expect(maps.map(({ name }) => `@${name}`).filter((name) => !words.includes(name))).toEqual([]);
  });

  it('checks sources before destinations are rewritten, and endpoints afterwards', () => {
    const bases = fragment().chains.filter(({ base }) => base);
    const priorityOf = (jump: string) =>
      bases.filter(({ rules }) => rules.some(({ text }) => text.endsWith(jump))).map(({ base }) => base?.priority);
    expect(priorityOf('jump firewall-check')).toEqual([-110, -110]);
    expect(priorityOf('jump services')).toEqual([-100, -100]);
    expect(priorityOf('jump service-endpoints-check')).toEqual([0, 0, 0]);
  });

  it('uses the keywords of its family', () => {
    const text = JSON.stringify(fragment({}, 'IPv6'));
    expect(text).toContain('ip6 daddr != ::1');
    expect(text).not.toMatch(/ipv4|\bip daddr|127\.0/);
  });
});
