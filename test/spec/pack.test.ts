import { describe, expect, it } from 'vitest';
import { chooseLesser, createPortSet, type Offer, pack } from '../../src/spec/subsets.ts';
import { profileFor } from '../../src/versions/index.ts';

const a = { ip: '10.0.0.1', targetRef: { uid: 'a' } };
const b = { ip: '10.0.0.2', targetRef: { uid: 'b' } };
const c = { ip: '10.0.0.3', targetRef: { uid: 'c' } };
const http = { name: 'http', port: 80, protocol: 'TCP' };

describe('pack', () => {
  const profile = profileFor();
  const createOffer = (address: Offer['address'], ports: number[], readiness: 'ready' | 'notReady' = 'ready'): Offer => ({
    address,
    rank: -1,
    ready: readiness === 'ready',
    ports,
  });

  it('separates groups of ports with similar members', () => {
    // Under a weak digest, the lists of the ports' members would collide.
    const ports = Array.from({ length: 40 }, (_, i) => ({ port: i + 1 }));
    const offers = ports.flatMap((_, i) =>
      ports.slice(0, i + 1).map((__, j) => createOffer({ ip: `10.0.${i}.${j}` }, [j], (i + j) % 2 === 0 ? 'ready' : 'notReady')),
    );
    const subsets = pack(offers, ports, profile);
    expect(subsets.length).toBe(40);
    expect(subsets.map((subset) => subset.ports?.length)).toEqual(Array(40).fill(1));
    for (const { addresses = [], notReadyAddresses = [], ports: [port] = [] } of subsets) {
      expect(addresses.length + notReadyAddresses.length).toBe(41 - (port?.port ?? 0));
    }
  });

  it('groups ports with equal members regardless of their positions', () => {
    const ports = Array.from({ length: 30 }, (_, i) => ({ port: i + 1 }));
    const evenIndexes = [...ports.keys()].filter((i) => i % 2 === 0);
    const oddIndexes = [...ports.keys()].filter((i) => i % 2 === 1);
    const subsets = pack(
      [createOffer(a, evenIndexes), createOffer(b, oddIndexes), createOffer(c, [...evenIndexes, ...oddIndexes])],
      ports,
      profile,
    );
    expect(subsets.map(({ addresses }) => addresses?.map(({ ip }) => ip).join()).sort()).toEqual([
      '10.0.0.1,10.0.0.3',
      '10.0.0.2,10.0.0.3',
    ]);
    expect(subsets.map((subset) => subset.ports?.length)).toEqual([15, 15]);
  });

  it('separates lists of members whose digests collide', () => {
    const ports = [{ port: 1 }, { port: 2 }];
    const addressAt = (index: number) => ({ ip: `10.0.0.${100 + index}` });
    const fillers = Array.from({ length: 40 }, (_, index) => createOffer(addressAt(index), [2]));
    const counts = (...tested: Offer[]) =>
      pack([...tested, ...fillers], [...ports, { port: 3 }], profile)
        .filter((subset) => subset.ports?.every(({ port }) => port < 3))
        .map(({ addresses = [], notReadyAddresses = [], ports: listedPorts = [] }) => [
          addresses.length,
          notReadyAddresses.length,
          listedPorts.length,
        ]);
    // The digest of a list of two values is 31 * first + second, plus a constant. A value is twice the index of the address, plus 1 if it
    // is ready. The digests collide because 31 * 0 + 63 is 31 * 1 + 32.
    const two = [
      createOffer(addressAt(0), [0], 'notReady'),
      createOffer(addressAt(31), [0]),
      createOffer(addressAt(0), [1]),
      createOffer(addressAt(16), [1], 'notReady'),
    ];
    expect(counts(...two)).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
    // The digests also collide after a shared member, because 31 * 2 + 65 is 31 * 3 + 34.
    const three = [
      createOffer(addressAt(0), [0, 1]),
      createOffer(addressAt(1), [0], 'notReady'),
      createOffer(addressAt(32), [0]),
      createOffer(addressAt(1), [1]),
      createOffer(addressAt(17), [1], 'notReady'),
    ];
    expect(counts(...three)).toEqual([
      [2, 1, 1],
      [2, 1, 1],
    ]);
  });

  it('lists an address that is both ready and not ready as not ready, whichever is offered first', () => {
    const subsets = pack(
      [
        createOffer(a, [0]),
        createOffer(b, [0]),
        createOffer({ ...b }, [0], 'notReady'),
        createOffer(c, [0], 'notReady'),
        createOffer({ ...c }, [0]),
      ],
      [{ port: 1 }],
      profile,
    );
    expect(subsets).toEqual([{ addresses: [a], notReadyAddresses: [b, c], ports: [{ port: 1 }] }]);
  });

  it('chooses among equal addresses with the given function', () => {
    const [x, y] = [
      { ...a, nodeName: 'x' },
      { ...a, nodeName: 'y' },
    ];
    for (const offers of [
      [x, y],
      [y, x],
      [y, x, y],
    ]) {
      const ports = [{ port: 1 }];
      const choose = (choice?: typeof chooseLesser) =>
        pack(
          offers.map((each) => createOffer(each, [0])),
          ports,
          profile,
          choice,
        );
      expect(choose(chooseLesser)).toEqual([{ addresses: [x], ports }]);
      expect(choose()).toEqual([{ addresses: [offers[0]], ports }]);
    }
  });

  it('counts a port once even if an offer contains it twice', () => {
    expect(pack([createOffer(a, [0, 0])], [{ port: 1 }], profile)).toEqual([{ addresses: [a], ports: [{ port: 1 }] }]);
  });

  it('leaves out a port without addresses', () => {
    expect(pack([createOffer(a, [1])], [{ port: 1 }, { port: 2 }, { port: 3 }], profile)).toEqual([
      { addresses: [a], ports: [{ port: 2 }] },
    ]);
  });

  it('gives the same subsets for addresses with the same IP and UID, whichever is offered first', () => {
    const ports = [{ port: 1 }, { port: 2 }];
    expect(pack([createOffer(a, [0]), createOffer({ ...a }, [1], 'notReady')], ports, profile)).toEqual(
      pack([createOffer({ ...a }, [1], 'notReady'), createOffer(a, [0])], ports, profile),
    );
  });
});

describe('chooseLesser', () => {
  it('returns the address whose JSON sorts first in UTF-8, whichever argument comes first', () => {
    const [x, y] = [
      { ip: '1', nodeName: '\uffee' },
      { ip: '1', nodeName: '\u{1f600}' },
    ];
    expect(chooseLesser(x, y)).toBe(x);
    expect(chooseLesser(y, x)).toBe(x);
    const twin = { ...x };
    expect(chooseLesser(x, twin)).toBe(x);
  });
});

describe('createPortSet', () => {
  it('distinguishes ports by name, number, protocol and the identity given to add', () => {
    const set = createPortSet();
    expect(set.size).toBe(1);
    expect(set.list[set.noPorts]).toEqual({ port: -1 });
    const first = set.add(http, '');
    expect(first).toBe(1);
    expect(set.add({ ...http }, '')).toBe(first);
    const others = [
      set.add({ ...http, name: 'x' }, ''),
      set.add({ ...http, port: 81 }, ''),
      set.add({ ...http, protocol: 'UDP' }, ''),
      set.add(http, '0'),
      set.add({ port: 80 }, ''),
    ];
    expect(others).toEqual([2, 3, 4, 5, 6]);
    expect(set.size).toBe(7);
    expect(set.list[first]).toEqual(http);
  });

  it('separates names and protocols that concatenate to the same text', () => {
    const set = createPortSet();
    expect(set.add({ name: 'a', port: 1, protocol: 'b' }, '')).not.toBe(set.add({ name: 'a","b', port: 1 }, ''));
  });
});
