import type { ApiObject } from 'kube-endpoints/port';
import { parseNanos, type Requests } from '../scheduler/pod-requests.ts';
import { isMap } from './fields.ts';
import { addRequests, printAmount, requestsOf, sumRequests } from './requests.ts';
import type { World } from './world.ts';

/** The resources of the nodes of a world in billionths, as far as they are given. */
function sumAllocatable({ objects }: World): Requests {
  const sum = new Map<string, bigint>();
  for (const object of objects) addRequests(sum, allocatableOf(object), 1n);
  return sum;
}

const allocatableOf = ({ kind, ...node }: ApiObject): Requests => {
  const { allocatable } = (kind === 'Node' && isMap(node['status']) ? node['status'] : {}) as { readonly allocatable?: unknown };
  return new Map(isMap(allocatable) ? Object.entries(allocatable).map(([name, text]) => [name, parseNanos(String(text))]) : []);
};

/**
 * Leaves on the nodes of a world what other workloads leave, which run in the whole world only.
 * @param whole a world with the same nodes
 */
export function occupyByOthers(world: World, whole: World): World {
  const [own, all] = [sumRequests(world), sumRequests(whole)];
  return scaleNodes(world, (name, sum) => sum - ((all.get(name) ?? 0n) - (own.get(name) ?? 0n)));
}

/** Gives the nodes of a smaller world resources in proportion to the requests of its pods. */
export function scaleWithRequests(small: World, whole: World): World {
  const [inSmall, inWhole, available] = [sumRequests(small), sumRequests(whole), sumAllocatable(whole)];
  return scaleNodes(small, (name, sum) => {
    const all = inWhole.get(name) ?? 0n;
    return all === 0n ? sum : ((available.get(name) ?? 0n) * (inSmall.get(name) ?? 0n)) / all;
  });
}

/** Changes what the nodes of a world have of each resource that its pods request, so that the sum is `targetOf` it. */
function scaleNodes(world: World, targetOf: (name: string, sum: bigint) => bigint): World {
  const nodes = world.objects.filter(({ kind }) => kind === 'Node');
  const requests = [...world.objects, ...world.change].map(requestsOf);
  const daemons = new Map<string, bigint>();
  for (const object of world.objects) if (object.kind === 'DaemonSet') addRequests(daemons, requestsOf(object), 1n);
  const changes = nodes.map(() => new Map<string, bigint>());
  for (const [name, sum] of sumAllocatable(world)) {
    const unit = requests.reduce((largest, each) => max(largest, each.get(name) ?? 0n), 0n);
    const target = max(targetOf(name, sum), 0n);
    if (unit === 0n || sum === 0n || target === sum) continue;
    const amounts = nodes.map((node) => allocatableOf(node).get(name) ?? 0n);
    const scaled = scale(amounts, { sum, target, unit, least: daemons.get(name) ?? 0n });
    for (const [i, amount] of scaled.entries()) changes[i]?.set(name, amount);
  }
  const changed = new Map(nodes.map((node, i) => [node, withAllocatable(node, changes[i] as Requests)]));
  return { ...world, objects: world.objects.map((object) => changed.get(object) ?? object) };
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

interface Scaling {
  readonly sum: bigint;
  readonly target: bigint;
  /** The largest request of a pod. */
  readonly unit: bigint;
  /** What each node keeps, for the pods of DaemonSets. */
  readonly least: bigint;
}

/** Amounts with another sum. Smaller ones are multiples of the largest request, except for a rest, because a pod has to fit on one node. */
function scale(amounts: readonly bigint[], { sum, target, unit, least }: Scaling): bigint[] {
  if (target > sum) return amounts.map((amount) => (amount * target) / sum);
  const free = target - least * BigInt(amounts.length);
  if (free <= 0n) return amounts.map(() => least);
  const shares = amounts.map((amount) => (amount * free) / sum);
  const result = shares.map((share) => least + (share / unit) * unit);
  let rest = free - shares.reduce((total, share) => total + (share / unit) * unit, 0n);
  const byRemainder = shares
    .map((share, i) => ({ i, remainder: share % unit }))
    .sort((a, b) => Number(b.remainder - a.remainder) || a.i - b.i);
  for (const { i } of byRemainder) {
    const added = rest > unit ? unit : rest;
    result[i] = (result[i] as bigint) + added;
    rest -= added;
  }
  return result;
}

function withAllocatable(node: ApiObject, changes: Requests): ApiObject {
  if (changes.size === 0) return node;
  const { status } = node as ApiObject & { readonly status: { readonly allocatable: object } };
  const changed = Object.fromEntries([...changes].map(([name, nanos]) => [name, printAmount(name, nanos)]));
  return { ...node, status: { ...status, allocatable: { ...status.allocatable, ...changed } } } as ApiObject;
}
