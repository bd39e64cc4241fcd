import type { Cause, Delay, hops as hopTable, ObjectVersion, Transition } from '@kube-endpoints/simulator/internal';
import { formatBounds, formatSeconds } from '../print/times.ts';

/** Describes why pods ceased to be endpoints, one sentence for each kind of change and writer. */
export function describeLosses(
  losses: readonly Transition[],
  versions: readonly ObjectVersion[],
  causes: ReadonlyMap<number, Cause>,
): string[] {
  const groups = new Map<string, Transition[]>();
  for (const loss of losses) {
    const key = `${changeOf(loss.version)}, ${loss.version.writer?.component.replace(/^kubelet\/.*/, 'kubelet') ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), loss]);
  }
  return [...groups.values()].map((group) => describeGroup(group, versions, causes));
}

type ChangeName = 'service' | 'evicted' | 'deleted' | 'notReady' | 'changed';

function changeOf({ kind, change, isEviction, object }: ObjectVersion): ChangeName {
  if (kind === 'Service') return 'service';
  if (isEviction || conditionOf(object, 'DisruptionTarget')?.status === 'True') return 'evicted';
  if (change === 'delete' || object?.metadata.deletionTimestamp !== undefined) return 'deleted';
  return conditionOf(object, 'Ready')?.status === 'False' ? 'notReady' : 'changed';
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

const conditionOf = (object: ObjectVersion['object'], type: string): Condition | undefined =>
  ((object?.['status'] ?? {}) as { readonly conditions?: readonly Condition[] }).conditions?.find((each) => each.type === type);

/** What happened to one pod, or to several. */
const verbs: Readonly<Record<Exclude<ChangeName, 'service'>, readonly [string, string]>> = {
  evicted: ['was evicted', 'were evicted'],
  deleted: ['was deleted', 'were deleted'],
  notReady: ['ceased to be ready', 'ceased to be ready'],
  changed: ['was changed so that it is no endpoint', 'were changed so that they are no endpoints'],
};

function describeGroup(group: readonly Transition[], versions: readonly ObjectVersion[], causes: ReadonlyMap<number, Cause>): string {
  const [{ version }] = group as [Transition, ...Transition[]];
  const change = changeOf(version);
  const by = version.writer ? ` by ${version.writer.component}` : '';
  const when = describeTimes(group);
  if (change === 'service') return `the Service was ${describeServiceChange(version, versions)}${by} ${when}`;
  const pods = [...new Set(group.map(({ pod }) => pod))];
  const names = pods.length > 3 ? '' : ` (${pods.join(', ')})`;
  const subject = pods.length === 1 ? `pod ${pods[0]} ${verbs[change][0]}` : `${pods.length} pods${names} ${verbs[change][1]}`;
  const message = change === 'notReady' ? conditionOf(version.object, 'Ready')?.message : undefined;
  return `${subject}${change === 'notReady' ? '' : by} ${when}${message ? ` (${message})` : ''}${describeRoot(version, versions, causes)}`;
}

function describeServiceChange({ id, change, object, namespace, name }: ObjectVersion, versions: readonly ObjectVersion[]): string {
  if (change === 'delete') return 'deleted';
  const before = versions.findLast((each) => each.kind === 'Service' && each.namespace === namespace && each.name === name && each.id < id);
  const changes = ['selector', 'ports'].flatMap((field) => {
    const [old, now] = [before?.object, object].map((each) => JSON.stringify((each?.['spec'] as Record<string, unknown>)?.[field] ?? null));
    return old === now ? [] : [`${field} ${old} to ${now}`];
  });
  return `changed${changes.length > 0 ? ` (${changes.join(', ')})` : ''}`;
}

function describeTimes(group: readonly Transition[]): string {
  const sorted = group.toSorted((a, b) => a.version.time.latest - b.version.time.latest);
  const [first, last] = [sorted[0] as Transition, sorted.at(-1) as Transition].map(({ version }) => formatBounds(version.time));
  return first === last ? `at ${first}` : `between ${first} and ${last}`;
}

/** The first change in the chain of owners that led to a version. */
function describeRoot(version: ObjectVersion, versions: readonly ObjectVersion[], causes: ReadonlyMap<number, Cause>): string {
  let root = version;
  for (let cause = causes.get(root.id); cause; cause = causes.get(root.id)) root = versions[cause.id] as ObjectVersion;
  if (root === version) return '';
  return `, after ${root.kind} ${root.name} was ${root.change === 'create' ? 'created' : 'changed'}${root.writer ? ` by ${root.writer.component}` : ''} at ${formatBounds(root.time)}`;
}

/** Describes a late hop and what is normal. */
export function describeLate({ hop, pod, isReady, min, max, to, from }: Delay, hops: typeof hopTable): string {
  const { component, lateAfter } = hops[hop];
  const state = isReady ? 'became ready' : 'ceased to be ready';
  const object = hop === 'statusWrite' ? 'the status' : 'the endpoints';
  const normal = `normal is less than ${lateAfter / 1000} s`;
  if (!to) return `the ${component} has not written ${object} ${formatSeconds(min, max)} after pod ${pod} ${state}; ${normal}`;
  return `the ${component} wrote ${object} ${formatSeconds(min, max)} after pod ${pod} ${state}, at ${formatBounds(to)} instead of ${formatBounds(from)}; ${normal}`;
}
