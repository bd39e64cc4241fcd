import type { ListOptions, ObjectList } from 'kube-endpoints/port';
import type { Scope, TestedKind } from './kinds.ts';
import type { Random } from './random.ts';
import type { ListRecord } from './record.ts';
import type { RunContext } from './run-context.ts';

/** Executes random gets and lists in sequence. */
export async function read(context: RunContext, random: Random, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await context.yieldRandomly(random);
    const kind = random.pick(context.kinds);
    if (random.chance(0.5)) await get(context, kind, random);
    else await list(context, kind, random.pick(kind.scopes), random);
  }
}

async function get(context: RunContext, kind: TestedKind, random: Random): Promise<void> {
  const name = random.pick(['a', 'b', 'c', 'd']);
  const key = kind.resource.namespaced ? { namespace: random.pick(['one', 'two']), name } : { name };
  const options = random.chance(0.3) ? { resourceVersion: String(random.chance(0.5) ? 0 : context.newestVersion()) } : {};
  const { span, value, failure } = await context.call(() => context.subject.port.get(kind.resource, key, options));
  if (failure && failure.code !== 404) context.records.problems.push(`get failed: ${failure.message}`);
  else context.records.gets.push({ resource: kind.resource, key, span, object: value });
  if (value) context.cache(kind.resource, value);
}

/** Lists and records page by page during concurrent writes. Returns the version of the last page; undefined if a page was refused. */
export async function list(
  context: RunContext,
  kind: TestedKind,
  scope: Scope,
  random: Random,
  withoutOptions: boolean = false,
): Promise<number | undefined> {
  const { matches: _, hasNoSelector: __, ...selection } = scope;
  const requestOptions: ListOptions = withoutOptions ? {} : randomListOptions(context, random);
  const requestedVersion = requestOptions.resourceVersionMatch === 'Exact' ? Number(requestOptions.resourceVersion) : undefined;
  const pages: ListRecord['pages'][number][] = [];
  let options: ListOptions = { ...selection, ...requestOptions };
  const low = context.newestVersion();
  for (;;) {
    const result: Awaited<ReturnType<typeof context.call<ObjectList>>> = await context.call(() =>
      context.subject.port.list(kind.resource, options),
    );
    const span = { low, high: result.span.high };
    const commonFields = { kind, scope, span, requestedVersion, pages };
    if (result.failure) {
      if (result.failure.code !== 410) context.records.problems.push(`list failed: ${result.failure.message}`);
      else context.records.lists.push({ ...commonFields, isComplete: false, expiry: { compactedVersion: context.subject.compacted?.() } });
      return undefined;
    }
    const { items, metadata } = result.value;
    const version = Number(metadata.resourceVersion);
    pages.push({ version, items, remainingItemCount: metadata.remainingItemCount });
    context.noteVersion(version);
    if (!metadata.continue) {
      context.records.lists.push({ ...commonFields, isComplete: true, expiry: undefined });
      return version;
    }
    await context.yieldRandomly(random);
    options = { ...selection, ...(requestOptions.limit !== undefined && { limit: requestOptions.limit }), continue: metadata.continue };
  }
}

function randomListOptions(context: RunContext, random: Random): ListOptions {
  const limit = random.chance(0.6) ? { limit: 1 + random.below(4) } : {};
  switch (random.below(4)) {
    case 0:
      return { resourceVersion: '0', ...limit };
    case 1:
      return { resourceVersion: String(random.pick(context.versions)), resourceVersionMatch: 'Exact', ...limit };
    case 2:
      return { resourceVersion: String(random.pick(context.versions)), resourceVersionMatch: 'NotOlderThan', ...limit };
    default:
      return limit;
  }
}
