import { compareText } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Pod } from 'kube-endpoints/types';
import type { Story } from './story.ts';
import { batch } from './world.ts';

type Entry = Story['cluster']['timeline'][number];

interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions: { readonly ready: boolean };
  readonly targetRef?: { readonly name?: string };
}

/** The timeline in lines of "seconds since the replacement, actor, what happened". Lines that say the same as the line before are left out. */
export function describeStory(story: Story): string[] {
  const { cluster, drainedAt, replacedAt, undrainedAt, addresses } = story;
  const pods = cluster.list<Pod & ApiObject>('Pod').map(({ metadata, status }) => [status?.podIP ?? '', metadata.name ?? ''] as const);
  const names = new Map([
    ...pods.map(([address, name]) => [address, addresses.has(name) && addresses.get(name) !== address ? `${name} (new)` : name] as const),
    ...[...addresses].map(([name, address]) => [address, name] as const),
  ]);
  const steps = [
    { at: drainedAt, actor: 'deployer', text: `drains ${batch.join(' ')}` },
    { at: replacedAt, actor: 'deployer', text: `replaces the containers of ${batch.join(' ')}` },
    { at: undrainedAt, actor: 'deployer', text: 'ends the drain' },
  ];
  const facts = cluster.timeline
    .filter(({ at }) => at >= drainedAt)
    .flatMap((entry) => {
      const text = describeEntry(entry, names);
      return text === undefined ? [] : [{ at: entry.at, ...text }];
    });
  const lines = [...steps, ...facts].sort((a, b) => a.at - b.at);
  return lines
    .filter(({ actor, text }, i) => {
      const previous = lines.slice(0, i).findLast((line) => line.actor === actor);
      return previous?.text !== text;
    })
    .map(({ at, actor, text }) => `${((at - replacedAt) / 1000).toFixed(1).padStart(6)}  ${actor.padEnd(9)}  ${text}`);
}

function describeEntry(entry: Entry, names: ReadonlyMap<string, string>): { actor: string; text: string } | undefined {
  if (entry.type === 'route') return { actor: 'balancer', text: `in rotation: ${nameAll(entry.addresses, names)}` };
  if (entry.type === 'listener' && entry.state !== 'closed')
    return { actor: nameOf(entry.pod), text: entry.state === 'open' ? 'accepts connections' : 'refuses connections' };
  if (entry.type === 'container' && entry.what === 'exited') return { actor: nameOf(entry.pod), text: 'exits' };
  if ((entry.type !== 'update' && entry.type !== 'create') || entry.object.kind !== 'EndpointSlice') return undefined;
  return { actor: 'slice', text: `ready: ${nameAll(readyAddresses(entry.object), names)}` };
}

const nameOf = (key: string): string => key.slice(key.indexOf('/') + 1);

const readyAddresses = (slice: ApiObject): string[] =>
  ((slice['endpoints'] ?? []) as readonly Endpoint[]).filter(({ conditions }) => conditions.ready).flatMap(({ addresses }) => addresses);

const nameAll = (addresses: readonly string[], names: ReadonlyMap<string, string>): string =>
  addresses
    .map((address) => names.get(address) ?? address)
    .sort(compareText)
    .join(' ');
