import { describe, expect, it } from 'vitest';
import { compareEndpoints, createEntries, type Entry, type Home } from '../../../src/incremental/slices/entries.ts';
import type { Endpoint } from '../../../src/types/index.ts';
import { profileWith } from '../../spec/objects.ts';
import { makeEndpoint } from '../../spec/slices/objects.ts';

const byTarget = profileWith();
const byAddress = profileWith({ endpointKeyedByTarget: false });
const homeFor = (entry: Entry): Home => {
  const home = { resourceVersion: '1', endpoints: [], entries: [entry], spoilt: false, doubtful: false, placed: 0 };
  entry.home = home;
  return home;
};

describe('find', () => {
  it('finds an endpoint by its key, whether it was added before the first search or after', () => {
    const entries = createEntries(byTarget);
    const a = entries.add(makeEndpoint('a'));
    expect(entries.find(makeEndpoint('a'))).toBe(a);
    const b = entries.add(makeEndpoint('b'));
    const other = entries.add(makeEndpoint('c', '10.0.0.2'));
    expect(entries.find(makeEndpoint('b'))).toBe(b);
    expect(entries.find(makeEndpoint('a', '10.0.0.1', { conditions: {} }))).toBe(a);
    expect(entries.find(makeEndpoint('c', '10.0.0.2'))).toBe(other);
    expect(entries.find(makeEndpoint('c'))).toBeUndefined();
    expect(entries.find(makeEndpoint('a', '10.0.0.3'))).toBeUndefined();
  });

  it('does not look at the order of addresses, and writes to nothing', () => {
    const entries = createEntries(byTarget);
    const entry = entries.add(makeEndpoint('a', '', { addresses: ['10.0.0.1', '10.0.0.2'] }));
    const asked = Object.freeze({ ...makeEndpoint(), addresses: Object.freeze(['10.0.0.2', '10.0.0.1']) });
    expect(entries.find(asked)).toBe(entry);
    expect(entries.find({ ...asked, addresses: ['10.0.0.1'] })).toBeUndefined();
    expect(entries.find({ ...asked, addresses: null })).toBeUndefined();
  });

  it.each([
    ['a', 'b', 'c'],
    ['c', 'b', 'a'],
    ['b', 'c', 'a'],
  ])('of one key takes the last by target (added %s, %s, %s)', (...names) => {
    const entries = createEntries(byAddress);
    for (const name of names) entries.add(makeEndpoint(name));
    expect(entries.find(makeEndpoint('x'))?.endpoint.targetRef?.name).toBe('c');
    entries.add({ ...makeEndpoint('d'), hostname: 'h' });
    expect(entries.find(makeEndpoint('x'))?.endpoint.targetRef?.name).toBe('c');
    expect(entries.find(makeEndpoint('x', '10.0.0.1', { hostname: 'h' }))?.endpoint.targetRef?.name).toBe('d');
  });
});

describe('remove', () => {
  const names = ['a', 'b', 'c', 'd'];
  it.each(names)('takes %s of four with one address, and leaves the others', (name) => {
    for (const searched of [true, false]) {
      const entries = createEntries(byTarget);
      const added = new Map(names.map((each) => [each, entries.add(makeEndpoint(each))]));
      if (searched) entries.find(makeEndpoint('a'));
      entries.remove(added.get(name) as Entry);
      expect([...entries.loose].map(({ endpoint }) => endpoint.targetRef?.name)).toEqual(names.filter((each) => each !== name));
      for (const each of names) expect(entries.find(makeEndpoint(each))).toBe(each === name ? undefined : added.get(each));
    }
  });

  it('takes the only one', () => {
    const entries = createEntries(byTarget);
    const only = entries.add(makeEndpoint());
    expect(entries.find(makeEndpoint())).toBe(only);
    entries.remove(only);
    expect([...entries.loose]).toEqual([]);
    expect(entries.find(makeEndpoint())).toBeUndefined();
  });

  it('spoils the slice that the entry was found in', () => {
    const entries = createEntries(byTarget);
    const [a, b] = [entries.add(makeEndpoint('a')), entries.add(makeEndpoint('b'))];
    const [home, other] = [homeFor(a), homeFor(b)];
    entries.remove(a);
    expect([home.spoilt, other.spoilt]).toEqual([true, false]);
    expect(a.home).toBeUndefined();
  });
});

it('an addition spoils the slices of those with its key, and no others', () => {
  const entries = createEntries(byAddress);
  const homes = [makeEndpoint('a'), { ...makeEndpoint('b'), hostname: 'h' }, makeEndpoint('c', '10.0.0.2')].map((endpoint) =>
    homeFor(entries.add(endpoint)),
  );
  entries.find(makeEndpoint());
  for (const home of homes) home.spoilt = false;
  entries.add(makeEndpoint('d'));
  expect(homes.map(({ spoilt }) => spoilt)).toEqual([true, false, false]);
});

it('isFirstChoice is what find finds, once something was looked for', () => {
  const entries = createEntries(byAddress);
  const [a, b] = [entries.add(makeEndpoint('a')), entries.add(makeEndpoint('b'))];
  expect([a, b].map(entries.isFirstChoice)).toEqual([true, true]);
  entries.find(makeEndpoint());
  expect([a, b].map(entries.isFirstChoice)).toEqual([false, true]);
});

it('an entry has no place', () => {
  const entries = createEntries(byTarget);
  const entry = entries.add(makeEndpoint());
  expect(entry).toMatchObject({ placed: -1, home: undefined });
  expect([...entries.loose]).toEqual([entry]);
});

describe('compareEndpoints', () => {
  const endpoint = (name: string, addresses: string[], hostname?: string): Endpoint => ({
    ...makeEndpoint(name),
    addresses,
    ...(hostname !== undefined && { hostname }),
  });

  it.each([
    [endpoint('a', ['1']), endpoint('a', ['2'])],
    [endpoint('b', ['1', '1']), endpoint('a', ['1', '2'])],
    [endpoint('b', ['1']), endpoint('a', ['1'], 'h')],
    [endpoint('b', ['1'], 'g'), endpoint('a', ['1'], 'h')],
    [endpoint('a', ['1']), endpoint('b', ['1'])],
    [{ addresses: ['1'], conditions: {} }, endpoint('a', ['1'])],
  ])('%#', (a, b) => {
    expect(compareEndpoints(a, b)).toBeLessThan(0);
    expect(compareEndpoints(b, a)).toBeGreaterThan(0);
    expect(compareEndpoints(a, a)).toBe(0);
  });
});
