import type { TimelineEntry } from '@kube-endpoints/simulator/internal';
import { formatCount } from 'kube-endpoints/internal';
import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { endpointGroups, groupEndpoints, isEndpoints } from './endpoints.ts';
import { describePod, type Write } from './pods.ts';

type EntryOf<Type extends TimelineEntry['type']> = Extract<TimelineEntry, { readonly type: Type }>;

/** Creates a function that describes the entries of a timeline, which it must get in their order. */
export function createDescriber(): (entry: TimelineEntry) => string {
  const routes = new Map<string, readonly string[]>();
  return (entry) => {
    if (entry.type !== 'route') return cut((describers[entry.type] as (entry: TimelineEntry) => string)(entry));
    const { service, port, addresses } = entry;
    const key = JSON.stringify([entry.actor, service, port]);
    const before = routes.get(key) ?? [];
    routes.set(key, addresses);
    const changes = describeDifference(before, addresses);
    return `routes ${service}${port === '' ? '' : `:${port}`} to ${formatCount(addresses.length, 'endpoint')}${changes === '' ? '' : `: ${changes}`}`;
  };
}

/** The component of an entry, for example "kube-proxy/n1". */
export const actorOf = (entry: TimelineEntry): string => ('actor' in entry ? entry.actor : entry.node);

const maxTextLength = 300;

const cut = (text: string): string => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text);

const describeWrite = (entry: Write): string => {
  const { kind, metadata } = entry.object;
  const name = `${kind} ${metadata.namespace === undefined ? metadata.name : objectKey(entry.object)}`;
  if (entry.type !== 'update' || !entry.previous) return `${entry.type}s ${name}`;
  const changes = describeChanges(entry.previous, entry.object);
  return `updates ${name}${changes === '' ? '' : `: ${changes}`}`;
};

const describers: { readonly [Type in Exclude<TimelineEntry['type'], 'route'>]: (entry: EntryOf<Type>) => string } = {
  create: describeWrite,
  update: describeWrite,
  delete: describeWrite,
  event: ({ object, reason, message }) => `Event of ${object.kind} ${objectKey(object)}: ${reason}: ${message}`,
  container: ({ pod, container, what }) => `process of ${pod}, container ${container}: ${what}`,
  preStop: ({ pod, container, what }) => `preStop hook of ${pod}, container ${container}: ${what}`,
  listener: ({ pod, container, state }) => `listener of ${pod}, container ${container}: ${state}`,
  target: ({ service, port, address, state }) => `target ${address} of ${service}${port === '' ? '' : `:${port}`}: ${state}`,
  node: ({ node, what }) => `node ${node}: ${what}`,
  probe: ({ pod, container, probe, succeeded }) => `${probe} probe of ${pod}, container ${container}: ${succeeded ? 'succeeds' : 'fails'}`,
};

function describeChanges(before: ApiObject, after: ApiObject): string {
  if (after.kind === 'Pod') return describePodChanges(before, after);
  if (isEndpoints(after)) return describeEndpointChanges(before, after);
  return [...describeFields(before, after, 'spec'), ...describeFields(before, after, 'status')].join(', ');
}

function describePodChanges(before: ApiObject, after: ApiObject): string {
  const [old, now] = [describePod(before), describePod(after)];
  const fields = ['node', 'IP', 'phase', '', ''];
  return fields.flatMap((field, i) => (old[i] === now[i] ? [] : `${field} ${now[i]}`.trim())).join(', ');
}

function describeEndpointChanges(before: ApiObject, after: ApiObject): string {
  const [old, now] = [groupEndpoints(before), groupEndpoints(after)];
  const words = { ready: 'ready', serving: 'serving and terminating', terminating: 'terminating', notReady: 'not ready' };
  const changes = endpointGroups.flatMap((group) => {
    const difference = describeDifference(old[group], now[group]);
    return difference === '' ? [] : `${words[group]} ${difference}`;
  });
  return changes.join(', ');
}

/** The numbers and flags of an object's spec or status that differ. */
function describeFields(before: ApiObject, after: ApiObject, part: 'spec' | 'status'): string[] {
  const [old, now] = [before, after].map((object) => (object[part] ?? {}) as Readonly<Record<string, unknown>>);
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])].sort();
  return names.flatMap((name) => {
    const [was, is] = [old?.[name], now?.[name]];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    if (typeof (was ?? is) === 'object') return name === 'template' ? ['template changed'] : [];
    return `${name} ${was ?? 'unset'} → ${is ?? 'unset'}`;
  });
}

const maxListed = 4;

/** "+10.0.0.1 −10.0.0.2" */
function describeDifference(before: readonly string[], after: readonly string[]): string {
  const list = (sign: string, texts: readonly string[]): string[] => [
    ...texts.slice(0, maxListed).map((text) => sign + text),
    ...(texts.length > maxListed ? [`${sign}${texts.length - maxListed} more`] : []),
  ];
  const [old, now] = [new Set(before), new Set(after)];
  return [
    ...list(
      '+',
      [...now].filter((each) => !old.has(each)),
    ),
    ...list(
      '−',
      [...old].filter((each) => !now.has(each)),
    ),
  ].join(' ');
}
