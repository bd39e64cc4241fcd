import type { ProxyService } from 'kube-endpoints/proxy';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import { keepFirstPerName } from '../objects.ts';
import type { Random } from '../random.ts';
import type { ProxyWorld } from './case.ts';
import { oddNodes } from './generate-odd-nodes.ts';
import { oddServices } from './generate-odd-services.ts';
import { oddSlices } from './generate-odd-slices.ts';
import { conflictChanges } from './generate-shared.ts';
import { wildServices, wildSlices } from './generate-wild.ts';

/** Changes a world by one kind of oddity that a cache may contain. */
export function withOddities(random: Random, world: ProxyWorld): ProxyWorld {
  const oddity = random.pick(oddities);
  const changed = Array.from({ length: random.pick([1, 1, 2, 4]) }).reduce<ProxyWorld>((before) => oddity(random, before), world);
  return { ...changed, services: keepFirstPerName(changed.services), endpointSlices: keepFirstPerName(changed.endpointSlices) };
}

type Oddity = (random: Random, world: ProxyWorld) => ProxyWorld;

const makeOddService: Oddity = (random, world) => changeService(random, world, random.pick(oddServices));

const makeOddSlices: Oddity = (random, world) => changeSlices(random, world, random.pick(oddSlices));

const makeOddNode: Oddity = (random, world) => ({ ...world, ...random.pick(oddNodes)(random) });

/** Makes an object one that an API server refuses: only views are compared, not rules. */
const makeRefusedObjects: Oddity = (random, world) => ({
  ...(random.chance(0.5) ? changeService(random, world, random.pick(wildServices)) : changeSlices(random, world, random.pick(wildSlices))),
  rules: [],
});

/** Gives two Services conflicting addresses or ports. */
const makeConflict: Oddity = (random, world) => {
  const [from, to] = random.shuffle(world.services.map((_, index) => index));
  if (from === undefined || to === undefined) return makeOddService(random, world);
  const share = random.pick(conflictChanges);
  const services = world.services.with(to, share(random, at(world.services, to), at(world.services, from)));
  return { ...world, services };
};

/** Repeats an address in a second slice of its Service. */
const makeDuplicate: Oddity = (random, world) => {
  const slice = random.pick(world.endpointSlices);
  const endpoint = slice && random.pick(slice.endpoints ?? []);
  if (!slice?.metadata || !endpoint) return makeOddSlices(random, world);
  const flag = (): boolean | undefined => random.pick([true, false, undefined]);
  const copy: EndpointSliceInput = {
    ...slice,
    metadata: { ...slice.metadata, name: `${slice.metadata.name}-again` },
    endpoints: [
      {
        ...endpoint,
        conditions: { ready: flag(), serving: flag(), terminating: flag() },
        ...(random.chance(0.4) && { nodeName: random.pick([world.nodeName, 'n1', null]) }),
        ...(random.chance(0.3) && { hints: random.pick([null, { forZones: [{ name: 'z0' }] }, { forNodes: [{ name: world.nodeName }] }]) }),
      },
    ],
  };
  return {
    ...world,
    endpointSlices: [...world.endpointSlices, copy],
    rules: random.pick([[], ['nftables'], ['iptables'], ['ipvs']] as const),
  };
};

const oddities: readonly Oddity[] = [
  makeOddService,
  makeOddService,
  makeOddService,
  makeOddSlices,
  makeOddSlices,
  makeOddSlices,
  makeOddNode,
  makeRefusedObjects,
  makeConflict,
  makeDuplicate,
];

const at = <T>(list: readonly T[], index: number): T => list[index] as T;

function changeService(random: Random, world: ProxyWorld, change: (random: Random, service: ProxyService) => ProxyService): ProxyWorld {
  if (world.services.length === 0) return world;
  const index = random.int(world.services.length);
  return { ...world, services: world.services.with(index, change(random, at(world.services, index))) };
}

/** Changes one slice, or all of them. */
function changeSlices(
  random: Random,
  world: ProxyWorld,
  change: (random: Random, slice: EndpointSliceInput) => EndpointSliceInput,
): ProxyWorld {
  const target = random.chance(0.3) ? undefined : random.int(world.endpointSlices.length);
  const endpointSlices = world.endpointSlices.map((slice, index) =>
    target === undefined || index === target ? change(random, slice) : slice,
  );
  return { ...world, endpointSlices };
}
