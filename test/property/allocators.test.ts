import { expect, it } from 'vitest';
import { countStaticAddresses } from '../../src/allocators/addresses/allocator.ts';
import {
  type AllocatableService,
  type BeginResult,
  beginCreate,
  beginDelete,
  beginUpdate,
  createIPBitmap,
  createPortAllocator,
  createServiceCIDRs,
  type Draw,
  type IPAllocator,
  type ServiceAllocators,
} from '../../src/allocators/index.ts';
import { parseCIDR } from '../../src/apimachinery/index.ts';
import { fc } from '../support/property.ts';

/** Returns a function that draws pseudo-random numbers from a seed. */
const createDraw = (seed: number): Draw => {
  let state = seed | 0;
  return (bound) => {
    if (!(Number.isInteger(bound) && bound > 0 && bound <= 2 ** 32)) throw new RangeError(`a number is drawn below ${bound}`);
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return Math.floor(((state >>> 0) / 2 ** 32) * bound);
  };
};

const openAllocator = (kind: string, cidr: string, seed: number): IPAllocator =>
  kind === 'bitmap' ? createIPBitmap({ cidr, draw: createDraw(seed) }) : createServiceCIDRs({ cidrs: [cidr], draw: createDraw(seed) });

const cidrs = fc.constantFrom('10.0.0.0/29', '10.0.0.0/28', '10.0.0.0/27', '10.0.4.0/24', '10.0.0.0/22', 'fd00::/125', 'fd00::/120');
const kinds = fc.constantFrom('bitmap', 'objects');
const seeds = fc.integer();

const listOf = <T>(each: { forEach(visit: (value: T) => void): void }): T[] => {
  const list: T[] = [];
  each.forEach((value) => {
    list.push(value);
  });
  return list;
};

it('IP allocators allocate every address once, the upper band first, and are empty after all are released', () => {
  fc.assert(
    fc.property(kinds, cidrs, seeds, (kind, cidr, seed) => {
      const range = openAllocator(kind, cidr, seed);
      const size = range.free();
      const addresses = Array.from({ length: size }, () => range.allocateNext().value as string);
      expect(new Set(addresses).size).toBe(size);
      expect(addresses.every((address) => range.has(address))).toBe(true);
      expect([range.allocateNext().refusal?.code, range.free(), range.used()]).toEqual(['full', 0, size]);
      const lowerBandAddresses = new Set(listOf(range).slice(0, countStaticAddresses(parseCIDR(cidr))));
      expect(addresses.findIndex((address) => lowerBandAddresses.has(address))).toBe(
        lowerBandAddresses.size === 0 ? -1 : size - lowerBandAddresses.size,
      );
      expect(addresses.flatMap((address) => range.release(address) ?? [])).toStrictEqual([]);
      expect([range.free(), listOf(range)]).toEqual([size, []]);
    }),
    { numRuns: 60 },
  );
});

const steps = fc.array(
  fc.record({ action: fc.constantFrom('allocate', 'next', 'release', 'store'), port: fc.integer({ min: 29998, max: 30020 }) }),
  {
    maxLength: 60,
  },
);

it('the port allocator behaves like a set under allocations, releases, snapshots and restores', () => {
  fc.assert(
    fc.property(steps, seeds, (sequence, seed) => {
      let ports = createPortAllocator({ range: '30000-30018', draw: createDraw(seed) });
      const model = new Set<number>();
      for (const { action, port } of sequence) {
        if (action === 'allocate') {
          const expected = port < 30000 || port > 30018 ? 'not-in-range' : model.has(port) ? 'allocated' : undefined;
          expect(ports.allocate(port)?.code).toBe(expected);
          if (!expected) model.add(port);
        } else if (action === 'next') {
          const { value } = ports.allocateNext();
          if (value === undefined) expect(model.size).toBe(19);
          else {
            expect(model.has(value)).toBe(false);
            model.add(value);
          }
        } else if (action === 'release') {
          ports.release(port);
          model.delete(port);
        } else {
          const copy = createPortAllocator({ range: '30000-30018', draw: createDraw(seed) });
          copy.restore(ports.snapshot());
          ports = copy;
        }
        expect([ports.used(), listOf(ports)]).toEqual([model.size, [...model].sort()]);
      }
    }),
    { numRuns: 150 },
  );
});

const specs = fc.record({
  type: fc.constantFrom('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'),
  ipFamilyPolicy: fc.constantFrom(undefined, 'SingleStack', 'PreferDualStack', 'RequireDualStack'),
  clusterIP: fc.constantFrom(undefined, undefined, undefined, 'None', '10.0.0.1', 'fd00::2'),
  selector: fc.constantFrom(undefined, { app: 'web' }),
  externalTrafficPolicy: fc.constantFrom('Cluster', 'Local'),
  allocateLoadBalancerNodePorts: fc.boolean(),
  ports: fc.array(
    fc.record({ name: fc.constantFrom('a', 'b'), port: fc.constantFrom(53, 80), nodePort: fc.constantFrom(0, 0, 30001, 30017) }),
    {
      maxLength: 3,
    },
  ),
});
const writes = fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c'), spec: fc.option(specs), isCommitted: fc.boolean() }), {
  maxLength: 25,
});

it('Service allocations roll back completely, match the stored Services, and are empty after all deletions', () => {
  fc.assert(
    fc.property(writes, seeds, fc.constantFrom('1.17', '1.20', '1.22', '1.36'), (sequence, seed, version) => {
      const allocators = createAllocators(seed, version);
      const storedServices = new Map<string, AllocatableService>();
      for (const { name, spec, isCommitted } of sequence) {
        const before = stateOf(allocators);
        const old = storedServices.get(name);
        const operation = begin(spec && { metadata: { name }, spec }, old, allocators, version);
        if (operation && !operation.failure && isCommitted && isWritable(operation.service, old)) {
          operation.commit();
          if (spec) storedServices.set(name, operation.service);
          else storedServices.delete(name);
          expect(stateOf(allocators)).toEqual(valuesOf([...storedServices.values()]));
        } else {
          if (operation && !operation.failure) operation.rollback();
          expect(stateOf(allocators)).toEqual(before);
        }
      }
      for (const service of storedServices.values()) beginDelete(service, allocators, { version }).commit();
      expect(stateOf(allocators)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

const createAllocators = (seed: number, version: string): ServiceAllocators => ({
  clusterIPs: {
    IPv4: createIPBitmap({ cidr: '10.0.0.0/29', draw: createDraw(seed), version }),
    IPv6: createIPBitmap({ cidr: 'fd00::/125', draw: createDraw(seed + 1), version }),
  },
  defaultFamily: 'IPv4',
  nodePorts: createPortAllocator({ range: '30000-30019', draw: createDraw(seed + 2), version }),
});

function begin(
  service: AllocatableService | null,
  old: AllocatableService | undefined,
  allocators: ServiceAllocators,
  version: string,
): BeginResult<AllocatableService> | undefined {
  if (service) return old ? beginUpdate(service, old, allocators, { version }) : beginCreate(service, allocators, { version });
  return old && beginDelete(old, allocators, { version });
}

const stateOf = ({ clusterIPs, nodePorts }: ServiceAllocators): string[] =>
  [...Object.values(clusterIPs).flatMap((each) => listOf<string>(each)), ...listOf<number>(nodePorts).map(String)].sort();

/** Whether API validation, which is not part of the allocators, would accept a write: cluster IPs stay unchanged, and fields fit the type. */
function isWritable({ spec }: AllocatableService, old: AllocatableService | undefined): boolean {
  const isExternalName = spec?.type === 'ExternalName';
  const hasNodePort = (spec?.ports ?? []).some(({ nodePort }) => nodePort);
  if (isExternalName && (spec.clusterIP || hasNodePort)) return false;
  if (spec?.type === 'ClusterIP' && hasNodePort) return false;
  const needsHealthCheckPort = spec?.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
  if (!needsHealthCheckPort && spec?.healthCheckNodePort) return false;
  if (!old || isExternalName || old.spec?.type === 'ExternalName') return true;
  return old.spec?.clusterIP === spec?.clusterIP;
}

/** The addresses and node ports of Services; ports of one Service may share a node port. */
function valuesOf(services: readonly AllocatableService[]): string[] {
  return services
    .flatMap(({ spec }) => {
      const ips = spec?.clusterIPs ?? [spec?.clusterIP ?? ''];
      const ports = [...(spec?.ports ?? []).map(({ nodePort }) => nodePort), spec?.healthCheckNodePort];
      return [...ips.filter((ip) => ip && ip !== 'None'), ...new Set(ports.filter(Boolean).map(String))];
    })
    .sort();
}
