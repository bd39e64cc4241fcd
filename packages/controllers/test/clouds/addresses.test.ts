import { describe, expect, it } from 'vitest';
import { type AddressPool, createAddressPool } from '../../src/clouds/addresses.ts';
import { type Demand, formatPort, parseDemand } from '../../src/clouds/demand.ts';
import { makeService } from './objects.ts';

const demandOf = (name: string, loadBalancerIP?: string, port = 80): Demand =>
  parseDemand(makeService(name, { ports: [{ port, nodePort: 30_000 }], ...(loadBalancerIP !== undefined && { loadBalancerIP }) }));

/** Finds an address and reserves it. */
function reserve(pool: AddressPool, demand: Demand): string {
  const address = pool.find(demand);
  pool.hold(demand, [{ address, ports: demand.ports.map(formatPort) }]);
  return address;
}

describe('an address pool', () => {
  it('assigns each Service an address, never the first or last of the range, and reports exhaustion', () => {
    const pool = createAddressPool({ range: '10.0.0.0/29' });
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(names.map((name) => reserve(pool, demandOf(name)))).toEqual(names.map((_, i) => `10.0.0.${i + 1}`));
    expect(() => pool.find(demandOf('g'))).toThrow(/^Service shop\/g: all 6 addresses of 10\.0\.0\.0\/29 are taken/);
    expect(pool.usedCount).toBe(6);
    pool.hold(demandOf('c'), []);
    expect(reserve(pool, demandOf('g'))).toBe('10.0.0.3');
  });

  it('reuses a released address as late as possible', () => {
    const pool = createAddressPool({ range: '10.0.0.0/29' });
    reserve(pool, demandOf('a'));
    pool.hold(demandOf('a'), []);
    expect(pool.usedCount).toBe(0);
    expect(reserve(pool, demandOf('b'))).toBe('10.0.0.2');
  });

  it('keeps the address of a Service, and find() does not reserve an address', () => {
    const pool = createAddressPool({ range: '10.0.0.0/24' });
    expect([pool.find(demandOf('a')), pool.find(demandOf('b'))]).toEqual(['10.0.0.1', '10.0.0.1']);
    expect([reserve(pool, demandOf('a')), reserve(pool, demandOf('b')), reserve(pool, demandOf('a', undefined, 81))]).toEqual([
      '10.0.0.1',
      '10.0.0.2',
      '10.0.0.1',
    ]);
    expect(reserve(pool, demandOf('a', '10.0.0.9'))).toBe('10.0.0.9');
    expect(pool.usedCount).toBe(2);
  });

  it('prefers the address in the status unless it is in use or outside the range', () => {
    const pool = createAddressPool({ range: '10.0.0.0/24' });
    expect(reserve(pool, { ...demandOf('a'), previousAddress: '10.0.0.40' })).toBe('10.0.0.40');
    expect(reserve(pool, { ...demandOf('b'), previousAddress: '10.0.0.40' })).toBe('10.0.0.41');
    expect(reserve(pool, { ...demandOf('c'), previousAddress: '10.0.1.40' })).toBe('10.0.0.42');
  });

  it('shares a requested address between Services with different ports', () => {
    const pool = createAddressPool({ range: '10.0.0.0/24' });
    reserve(pool, demandOf('a', '10.0.0.7', 80));
    expect(reserve(pool, demandOf('b', '10.0.0.7', 81))).toBe('10.0.0.7');
    expect(() => pool.find(demandOf('c', '10.0.0.7', 81))).toThrow(
      /Service shop\/c: spec\.ports\[0] overlaps with Service shop\/b, which has 81\/TCP/,
    );
    pool.hold(demandOf('b'), []);
    expect(() => pool.find(demandOf('c', '10.0.0.7', 80))).toThrow(/Service shop\/a/);
    expect(reserve(pool, demandOf('c', '10.0.0.7', 81))).toBe('10.0.0.7');
  });

  it('rejects an address outside the range unless allowsOutsideRange is set', () => {
    expect(() => createAddressPool({ range: '10.0.0.0/24' }).find(demandOf('a', '10.0.1.1'))).toThrow(
      /10\.0\.1\.1 is not in 10\.0\.0\.0\/24/,
    );
    expect(() => createAddressPool({ range: '10.0.0.0/24' }).find(demandOf('a', '2001:db8::1'))).toThrow(/is not in/);
    expect(createAddressPool({ range: '10.0.0.0/24', allowsOutsideRange: true }).find(demandOf('a', '2001:db8::1'))).toBe('2001:db8::1');
  });

  it('holds the old and the new address of a Service that moves', () => {
    const pool = createAddressPool({ range: '10.0.0.0/24' });
    const addressPorts = ['10.0.0.1', '10.0.0.2'].map((address) => ({ address, ports: ['80/TCP'] }));
    pool.hold(demandOf('a'), addressPorts);
    expect(() => pool.find(demandOf('b', '10.0.0.1'))).toThrow(/shop\/a/);
    expect(() => pool.find(demandOf('b', '10.0.0.2'))).toThrow(/shop\/a/);
    pool.hold(demandOf('a'), addressPorts.slice(1));
    expect(pool.find(demandOf('b', '10.0.0.1'))).toBe('10.0.0.1');
  });

  it.each([
    ['10.0.0.4/32', ['10.0.0.4']],
    ['10.0.0.4/31', ['10.0.0.4', '10.0.0.5']],
    ['10.0.0.4/30', ['10.0.0.5', '10.0.0.6']],
  ])('assigns every usable address of %s', (range, addresses) => {
    const pool = createAddressPool({ range });
    expect(addresses.map((address) => reserve(pool, demandOf(address)))).toEqual(addresses);
    expect(() => pool.find(demandOf('other'))).toThrow(/are taken/);
  });

  it.each(['10.0.0.0', 'all', '10.0.0.0/8', '2001:db8::/120', '10.0.0.0/33'])('rejects the range %j', (range) => {
    expect(() => createAddressPool({ range })).toThrow(RangeError);
    expect(() => createAddressPool({ range })).toThrow(/: give an IPv4 range from \/16 to \/32, such as 10\.9\.0\.0\/24$/);
  });
});
