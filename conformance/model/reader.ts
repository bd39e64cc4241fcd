import type { ListOptions, ObjectList } from 'kube-endpoints/port';
import type { PlayKind, Scope } from './kinds.ts';
import type { Random } from './random.ts';
import type { ListRecord } from './record.ts';
import type { World } from './world.ts';

/** Executes random gets and lists in sequence. */
export async function read(world: World, random: Random, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await world.yieldRandomly(random);
    const kind = random.pick(world.kinds);
    if (random.chance(0.5)) await get(world, kind, random);
    else await list(world, kind, random.pick(kind.scopes), random);
  }
}

async function get(world: World, kind: PlayKind, random: Random): Promise<void> {
  const name = random.pick(['a', 'b', 'c', 'd']);
  const key = kind.resource.namespaced ? { namespace: random.pick(['one', 'two']), name } : { name };
  const options = random.chance(0.3) ? { resourceVersion: String(random.chance(0.5) ? 0 : world.now()) } : {};
  const { span, value, failure } = await world.call(() => world.subject.port.get(kind.resource, key, options));
  if (failure && failure.code !== 404) world.records.problems.push(`get failed: ${failure.message}`);
  else world.records.gets.push({ resource: kind.resource, key, span, object: value });
  if (value) world.remember(kind.resource, value);
}

/** Lists page by page with concurrent writes. Returns the version of a complete list. */
export async function list(
  world: World,
  kind: PlayKind,
  scope: Scope,
  random: Random,
  plain: boolean = false,
): Promise<number | undefined> {
  const { matches: _, whole: __, ...selection } = scope;
  const asked: ListOptions = plain ? {} : optionsOf(world, random);
  const exact = asked.resourceVersionMatch === 'Exact' ? Number(asked.resourceVersion) : undefined;
  const pages: ListRecord['pages'][number][] = [];
  let options: ListOptions = { ...selection, ...asked };
  const low = world.now();
  for (;;) {
    const called: Awaited<ReturnType<typeof world.call<ObjectList>>> = await world.call(() =>
      world.subject.port.list(kind.resource, options),
    );
    const span = { low, high: called.span.high };
    const common = { kind, scope, span, exact, pages };
    if (called.failure) {
      if (called.failure.code !== 410) world.records.problems.push(`list failed: ${called.failure.message}`);
      else world.records.lists.push({ ...common, whole: false, expired: { compacted: world.subject.compacted?.() } });
      return undefined;
    }
    const { items, metadata } = called.value;
    const version = Number(metadata.resourceVersion);
    pages.push({ version, items, remaining: metadata.remainingItemCount });
    world.saw(version);
    if (!metadata.continue) {
      // Only the first page has a version during the call; the others have the same version.
      world.records.lists.push({ ...common, whole: true, expired: undefined });
      return version;
    }
    await world.yieldRandomly(random);
    options = { ...selection, ...(asked.limit !== undefined && { limit: asked.limit }), continue: metadata.continue };
  }
}

function optionsOf(world: World, random: Random): ListOptions {
  const limit = random.chance(0.6) ? { limit: 1 + random.below(4) } : {};
  switch (random.below(4)) {
    case 0:
      return { resourceVersion: '0', ...limit };
    case 1:
      return { resourceVersion: String(random.pick(world.versions)), resourceVersionMatch: 'Exact', ...limit };
    case 2:
      return { resourceVersion: String(random.pick(world.versions)), resourceVersionMatch: 'NotOlderThan', ...limit };
    default:
      return limit;
  }
}
