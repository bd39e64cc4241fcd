import type { Check } from '@kube-endpoints/simulator';
import type { TimelineEntry } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';

type Worst = Check['worst'];

/** What the page must show at a time, computed from the timeline alone. */
export interface ExpectedState {
  /** The texts of the cells: name, phase, readiness, termination, listener. */
  readonly pods: readonly (readonly string[])[];
  /** The ready addresses of each EndpointSlice. */
  readonly slices: readonly { readonly name: string; readonly ready: readonly string[] }[];
  /** The endpoints of each kube-proxy by Service. */
  readonly routes: readonly { readonly actor: string; readonly service: string; readonly addresses: readonly string[] }[];
}

interface PodObject {
  readonly metadata: { readonly namespace?: string; readonly name?: string; readonly deletionTimestamp?: string };
  readonly status?: { readonly phase?: string; readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

interface SliceObject {
  readonly endpoints?: readonly { readonly addresses: readonly string[]; readonly conditions?: { readonly ready?: boolean } }[];
}

/** @param at milliseconds since the change */
export function expectState({ timeline, since }: Worst, at: number): ExpectedState {
  const past = timeline.filter((entry) => entry.at - since <= at);
  const listeners = new Map(past.flatMap((entry) => (entry.type === 'listener' ? [[entry.podUid, entry.state] as const] : [])));
  const pods = listObjects(past, 'Pod').map((object) => {
    const { metadata, status } = object as PodObject;
    const isReady = status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
    return [
      `${metadata.namespace}/${metadata.name}`,
      status?.phase ?? '',
      isReady ? 'ready' : 'not ready',
      metadata.deletionTimestamp === undefined ? 'no' : 'terminating',
      listeners.get(object.metadata.uid ?? '') ?? 'not open yet',
    ];
  });
  const slices = listObjects(past, 'EndpointSlice').map((object) => ({
    name: `EndpointSlice ${object.metadata.namespace}/${object.metadata.name}`,
    ready: ((object as SliceObject).endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .flatMap((each) => each.addresses)
      .sort(),
  }));
  const routes = new Map(
    past.flatMap((entry) => (entry.type === 'route' ? [[`${entry.actor} ${entry.service} ${entry.port}`, entry] as const] : [])),
  );
  return {
    pods,
    slices: slices.sort((a, b) => (a.name < b.name ? -1 : 1)),
    routes: [...routes.values()]
      .filter(({ actor }) => actor.startsWith('kube-proxy/'))
      .map(({ actor, service, port, addresses }) => ({ actor, service: port === '' ? service : `${service}:${port}`, addresses })),
  };
}

/** The objects of a kind that exist after some entries, in order of their creation. */
function listObjects(entries: readonly TimelineEntry[], kind: string): ApiObject[] {
  const objects = new Map<string, ApiObject>();
  for (const entry of entries) {
    if (!('object' in entry) || entry.type === 'event' || entry.object.kind !== kind) continue;
    if (entry.type === 'delete') objects.delete(entry.object.metadata.uid ?? '');
    else objects.set(entry.object.metadata.uid ?? '', entry.object);
  }
  return [...objects.values()];
}

/** The distinct times since the change at which the page steps by arrow keys, from the first one on. */
export const timesOf = ({ timeline, since }: Worst): number[] => [
  ...new Set(timeline.filter((entry) => entry.at >= since && !isHeartbeat(entry)).map(({ at }) => at - since)),
];

const isHeartbeat = (entry: TimelineEntry): boolean =>
  'object' in entry && entry.type === 'update' && (entry.object.kind === 'Lease' || (entry.object.kind === 'Node' && isSameSpec(entry)));

const isSameSpec = ({ object, previous }: { readonly object: ApiObject; readonly previous?: ApiObject }): boolean =>
  JSON.stringify(object['spec']) === JSON.stringify(previous?.['spec']);
