import { describe, expect, it } from 'vitest';
import { readinessSettings } from '../../src/readiness/gates.ts';
import { addressesOf } from '../../src/readiness/generate.ts';
import { makePod } from './pods.ts';

const [v4, v6] = ['192.0.2.1', '2001:db8::1'];
const addresses = (version: string, network: 'pod' | 'host', podIPs: string[] = [], hostIPs: string[] = [v4, v6]) =>
  addressesOf({ pod: makePod({ hostNetwork: network === 'host' }), podIPs, hostIPs }, readinessSettings({ version }));
const podIPsOf = (version: string, ...rest: ['pod' | 'host', string[]?, string[]?]) =>
  addresses(version, ...rest).podIPs?.map(({ ip }) => ip);

describe('addressesOf', () => {
  it('returns the addresses of the pod and of its node', () => {
    expect(addresses('1.37', 'pod', ['10.0.0.1', 'fd00::1'])).toEqual({
      hostIP: v4,
      hostIPs: [{ ip: v4 }, { ip: v6 }],
      podIP: '10.0.0.1',
      podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }],
    });
    expect(addresses('1.28', 'pod')).toEqual({ hostIP: v4 });
    expect(addresses('1.37', 'pod', [], [])).toEqual({});
  });

  it('returns the node addresses for a hostNetwork pod', () => {
    expect(addresses('1.17', 'host')).toEqual({ hostIP: v4, podIP: v4 });
    expect(podIPsOf('1.18', 'host')).toEqual([v4]);
    expect(podIPsOf('1.20', 'host')).toEqual([v4]);
    expect(podIPsOf('1.21', 'host')).toEqual([v4, v6]);
    expect(addresses('1.37', 'host', [], [])).toEqual({});
  });

  it('keeps the first address and adds a missing second one', () => {
    expect(podIPsOf('1.22', 'host', [v4])).toEqual([v4]);
    expect(podIPsOf('1.23.3', 'host', [v4])).toEqual([v4]);
    expect(podIPsOf('1.23.4', 'host', [v4])).toEqual([v4, v6]);
    expect(podIPsOf('1.37', 'host', ['192.0.2.9'])).toEqual(['192.0.2.9', v6]);
  });

  it('adds no second address of the same family from 1.28 on', () => {
    expect(podIPsOf('1.27', 'host', [v6])).toEqual([v6, v6]);
    expect(podIPsOf('1.28', 'host', [v6])).toEqual([v6]);
  });
});
