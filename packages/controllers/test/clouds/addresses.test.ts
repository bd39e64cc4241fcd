import { describe, expect, it } from 'vitest';
import { type AddressPool, createAddressPool } from '../../src/clouds/addresses.ts';
import { type Demand, portText, readDemand } from '../../src/clouds/demand.ts';
import { makeService } from './objects.ts';

const ask = (name: string, loadBalancerIP?: string, port = 80): Demand =>
  readDemand(makeService(name, { ports: [{ port, nodePort: 30_000 }], ...(loadBalancerIP !== undefined && { loadBalancerIP }) }));

/** Finds an address and reserves it. */
function take(pool: AddressPool, demand: Demand): string {
  const address = pool.find(demand);
  pool.hold(demand, [{ address, ports: demand.ports.map(portText) }]);
  return address;
}

describe('an address pool', () => {
  it('assigns each Service an address except the ends of the range, and reports exhaustion', () => {
    const pool = createAddressPool({ range: '10.0.0.0/29' });
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(names.map((name) => take(pool, ask(name)))).toEqual(names.map((_, i) => `10.0.0.${i + 1}`));
    expect(() => pool.find(ask('g'))).toThrow(/^Service shop\/g: all 6 addresses of 10\.0\.0\.0\/29 are taken/);
    expect(pool.used).toBe(6);
    pool.hold(ask('c'), []);
    expect(take(pool, ask('g'))).toBe('10.0.0.3');
  });

  it('reuses a released address as late as possible', () => {
    const pool = createAddressPool({ range: '10.0.0.0/29' });
    take(pool, ask('a'));
    pool.hold(ask('a'), []);
    expect(pool.used).toBe(0);
    expect(take(pool, ask('b'))).toBe('10.0.0.2');
  });

  it('keeps the address of a Service, and find() reserves none', () => {
    const pool = createAddressPool({ range: '10.0.0.0/24' });
    expect([pool.find(ask('a')), pool.find(ask('b'))]).toEqual(['10.0.0.1', '10.0.0.1']);
    expect([take(pool, ask('a')), take(pool, ask('b')), take(pool, ask('a', undefined, 81))]).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.1']);
    expect(take(pool, ask('a', '10.0.0.9'))).toBe('10.0.0.9');
    expect(pool.used).toBe(2);
  });

  it('prefers the address in the status unless it is in use or outside the range', () => {
    const pool = createAddressPool({ range: '10.0.0.0/24' });
    expect(take(pool, { ...ask('a'), previousAddress: '10.0.0.40' })).toBe('10.0.0.40');
    expect(take(pool, { ...ask('b'), previousAddress: '10.0.0.40' })).toBe('10.0.0.41');
    expect(take(pool, { ...ask('c'), previousAddress: '10.0.1.40' })).toBe('10.0.0.42');
  });

  it('shares a requested address between Services with different ports', () => {
    const pool = createAddressPool({ range: '10.0.0.0/24' });
    take(pool, ask('a', '10.0.0.7', 80));
    expect(take(pool, ask('b', '10.0.0.7', 81))).toBe('10.0.0.7');
    expect(() => pool.find(ask('c', '10.0.0.7', 81))).toThrow(
      /Service shop\/c: spec\.ports\[0] overlaps with Service shop\/b, which has 81\/TCP/,
    );
    pool.hold(ask('b'), []);
    expect(() => pool.find(ask('c', '10.0.0.7', 80))).toThrow(/Service shop\/a/);
    expect(take(pool, ask('c', '10.0.0.7', 81))).toBe('10.0.0.7');
  });

  it('rejects an address outside the range unless foreign addresses are allowed', () => {
    expect(() => createAddressPool({ range: '10.0.0.0/24' }).find(ask('a', '10.0.1.1'))).toThrow(/10\.0\.1\.1 is not in 10\.0\.0\.0\/24/);
    expect(() => createAddressPool({ range: '10.0.0.0/24' }).find(ask('a', '2001:db8::1'))).toThrow(/is not in/);
    expect(createAddressPool({ range: '10.0.0.0/24', foreign: true }).find(ask('a', '2001:db8::1'))).toBe('2001:db8::1');
  });

  it('holds several addresses for a Service that moves', () => {
    const pool = createAddressPool({ range: '10.0.0.0/24' });
    const holds = ['10.0.0.1', '10.0.0.2'].map((address) => ({ address, ports: ['80/TCP'] }));
    pool.hold(ask('a'), holds);
    expect(() => pool.find(ask('b', '10.0.0.1'))).toThrow(/shop\/a/);
    expect(() => pool.find(ask('b', '10.0.0.2'))).toThrow(/shop\/a/);
    pool.hold(ask('a'), holds.slice(1));
    expect(pool.find(ask('b', '10.0.0.1'))).toBe('10.0.0.1');
  });

  it.each([
    ['10.0.0.4/32', ['10.0.0.4']],
    ['10.0.0.4/31', ['10.0.0.4', '10.0.0.5']],
    ['10.0.0.4/30', ['10.0.0.5', '10.0.0.6']],
  ])('assigns every usable address of %s', (range, addresses) => {
    const pool = createAddressPool({ range });
    expect(addresses.map((address) => take(pool, ask(address)))).toEqual(addresses);
    expect(() => pool.find(ask('more'))).toThrow(/are taken/);
  });

  it.each(['10.0.0.0', 'all', '10.0.0.0/8', '2001:db8::/120', '10.0.0.0/33'])('rejects the range %j', (range) => {
    expect(() => createAddressPool({ range })).toThrow(RangeError);
    expect(() => createAddressPool({ range })).toThrow(/: give an IPv4 range from \/16 to \/32, such as 10\.9\.0\.0\/24$/);
  });
});
