import type { NodeFact, RouteFact, TargetFact, TimelineEntry } from '../engine/timeline.ts';
import { type ClientSettings, isComponent } from './drop.ts';
import { createPeriods, type Failure, type Period } from './periods.ts';
import { createPodTracker, hasReadinessProbe, type PodTracker, type TrackedPod } from './pods.ts';
import { createViews, diffSorted, type View, type Views } from './views.ts';

/**
 * Sweeps a timeline once and returns the periods in which connections or requests fail, in the order in which they begin. The cost of an
 * entry is the size of its change: the list of a changed route, or the views of the Services of a changed listener.
 * @param onView receives a view after each entry that may have changed its addresses or its failures
 */
export function findFailures(
  timeline: readonly TimelineEntry[],
  clients: ClientSettings,
  onView: (entry: TimelineEntry, view: View) => void = () => undefined,
): readonly Period[] {
  const pods = createPodTracker();
  const sweep: Sweep = { clients, pods, views: createViews(), periods: createPeriods(), leftAt: new Map(), removed: new Map(), onView };
  for (const entry of timeline) {
    const wasAccepting = entry.type === 'listener' && pods.stateOf(entry) === 'open';
    pods.apply(entry);
    if (entry.type === 'route' && isComponent(entry.actor, clients.components)) applyRoute(sweep, entry);
    else if (entry.type === 'target' && isComponent(entry.actor, clients.components)) applyTarget(sweep, entry);
    else if (entry.type === 'listener') applyListener(sweep, entry, wasAccepting);
    else if (entry.type === 'node') applyNode(sweep, entry);
  }
  return sweep.periods.list();
}

interface Sweep {
  readonly clients: ClientSettings;
  readonly pods: PodTracker;
  readonly views: Views;
  readonly periods: ReturnType<typeof createPeriods>;
  /** When an address left a route last, in milliseconds since the epoch. */
  readonly leftAt: Map<string, number>;
  /** The removed targets of load balancers, by `targetKey`. */
  readonly removed: Map<string, RemovedTarget>;
  onView(entry: TimelineEntry, view: View): void;
}

interface RemovedTarget {
  readonly pod: TrackedPod | undefined;
  /** When it was removed, in milliseconds since the epoch. */
  readonly at: number;
  /** Whether its connections were cut. */
  isCut: boolean;
}

const targetKey = ({ actor, service, port }: Pick<TargetFact, 'actor' | 'service' | 'port'>, address: string): string =>
  `${actor} ${service} ${port} ${address}`;

/** Applies the loss of a node to connections to its pods, and to the clients on it; or its restoration. */
function applyNode(sweep: Sweep, entry: TimelineEntry & NodeFact): void {
  const { pods, views } = sweep;
  if (entry.what === 'lost') for (const pod of pods.onNode(entry.node)) recordLostRequests(sweep, pod, entry);
  const addresses = new Set([...pods.onNode(entry.node).flatMap((pod) => pod.addresses), `node/${entry.node}`]);
  for (const view of views.all()) {
    const isClientLost = nodeOfClient(view) === entry.node;
    for (const address of view.addresses) if (isClientLost || addresses.has(address)) checkAddress(sweep, view, address, entry);
    if (isClientLost) checkEmpty(sweep, view, entry);
    updateShares(sweep, view);
  }
}

/** Records the requests that are cut because their pod's node is lost. */
function recordLostRequests(sweep: Sweep, pod: TrackedPod, entry: TimelineEntry): void {
  const { pods, periods, views } = sweep;
  for (const address of pod.addresses) {
    if (pods.at(address) !== pod) continue;
    for (const view of views.containing(address)) {
      if (isClientLost(sweep, view) || pods.listenerOf(pod, view.service, view.port)?.state !== 'open') continue;
      periods.end(periods.begin({ kind: 'cut', service: view.service, pod: pod.key, node: pod.node }, entry, view.actor), entry);
    }
  }
}

/** The node on which the clients of a view are; undefined if they are on none. */
function nodeOfClient({ actor }: View): string | undefined {
  const [kind, name] = actor.split('/');
  return kind === 'kube-proxy' || kind === 'dns' ? name : undefined;
}

const isClientLost = ({ pods }: Sweep, view: View): boolean => pods.isLost(nodeOfClient(view) ?? '');

type ListenerEntry = Extract<TimelineEntry, { type: 'listener' }>;

function applyRoute(sweep: Sweep, entry: TimelineEntry & RouteFact): void {
  const view = sweep.views.of(entry);
  const { added, removed } = diffSorted(view.addresses, entry.addresses);
  view.addresses = entry.addresses;
  view.wasUsed ||= entry.addresses.length > 0;
  for (const address of removed) {
    sweep.leftAt.set(address, entry.at);
    endFailure(sweep, view, address, entry);
  }
  for (const address of added) {
    sweep.views.add(view, address);
    checkAddress(sweep, view, address, entry);
  }
  checkEmpty(sweep, view, entry);
  updateShares(sweep, view);
  sweep.onView(entry, view);
}

function applyListener(sweep: Sweep, entry: ListenerEntry, wasAccepting: boolean): void {
  const pod = sweep.pods.byUid(entry.podUid);
  if (!pod) return;
  for (const address of pod.addresses) {
    if (sweep.pods.at(address) !== pod) continue;
    const views = sweep.views
      .containing(address)
      .filter(({ service, port }) => sweep.pods.containerOf(pod, service, port) === entry.container);
    if (entry.state === 'closed') recordCuts(sweep, { entry, pod, address, views, wasAccepting });
    for (const view of views) {
      checkAddress(sweep, view, address, entry);
      updateShares(sweep, view);
      sweep.onView(entry, view);
    }
  }
}

/** Begins or ends the failure of connections to an address. */
function checkAddress(sweep: Sweep, view: View, address: string, entry: TimelineEntry): void {
  const failure = isClientLost(sweep, view) ? undefined : failureOf(sweep, view, address);
  const known = view.failing.get(address);
  if (known && known.kind !== failure?.kind) endFailure(sweep, view, address, entry);
  if (failure && known?.kind !== failure.kind) view.failing.set(address, sweep.periods.begin(failure, entry, view.actor));
}

function endFailure({ periods }: Sweep, view: View, address: string, entry: TimelineEntry): void {
  const period = view.failing.get(address);
  if (!period) return;
  view.failing.delete(address);
  periods.end(period, entry);
}

/** Why new connections to an address fail; undefined if they work, or if the address belongs to no pod. */
function failureOf({ pods }: Sweep, { service, port }: View, address: string): Failure | undefined {
  if (address.startsWith('node/')) return failureOfNode(pods, service, address.slice('node/'.length));
  const pod = pods.at(address);
  if (!pod) return undefined;
  if (pods.isLost(pod.node)) return { kind: 'nodeLost', service, pod: pod.key, node: pod.node };
  const listener = pods.listenerOf(pod, service, port);
  if (listener?.state === 'open') return undefined;
  const lacksReadinessProbe = !hasReadinessProbe(pod, pods.containerOf(pod, service, port));
  return { kind: listener ? 'closed' : 'notOpen', service, pod: pod.key, ...(lacksReadinessProbe && { lacksReadinessProbe }) };
}

const failureOfNode = (pods: PodTracker, service: string, node: string): Failure =>
  pods.isLost(node) ? { kind: 'nodeLost', service, pod: undefined, node } : { kind: 'noLocalEndpoints', service, pod: undefined };

/** Begins a period without endpoints if a view loses its last one. */
function checkEmpty(sweep: Sweep, view: View, entry: TimelineEntry): void {
  const { periods } = sweep;
  const isEmpty = view.addresses.length === 0 && view.wasUsed && !isClientLost(sweep, view);
  if (isEmpty && !view.empty) {
    view.empty = periods.begin({ kind: 'noEndpoints', service: view.service, pod: undefined }, entry, view.actor);
    view.empty.share = 1;
  } else if (!isEmpty && view.empty) {
    periods.end(view.empty, entry);
    view.empty = undefined;
  }
}

/** Raises the shares of the periods of a view: each try of a client chooses among all endpoints at random. */
function updateShares({ clients }: Sweep, { failing, addresses }: View): void {
  if (failing.size === 0) return;
  const share = (failing.size / addresses.length) ** (1 + clients.retries);
  for (const period of failing.values()) {
    period.share = Math.max(period.share, share);
    period.endpoints = Math.max(period.endpoints, addresses.length);
  }
}

/** Applies the state of a load balancer's target. At the end of its deregistration delay, requests to a pod that still serves are cut. */
function applyTarget({ clients, pods, periods, removed }: Sweep, entry: TimelineEntry & TargetFact): void {
  const { actor, service, port, address, state } = entry;
  const key = targetKey(entry, address);
  if (state === 'draining') removed.set(key, { pod: pods.at(address), at: entry.at, isCut: false });
  else if (state !== 'unused') removed.delete(key);
  const target = removed.get(key);
  if (state !== 'unused' || !target) return;
  target.isCut = true;
  const { pod } = target;
  if (!pod || pods.isLost(pod.node)) return;
  const listener = pods.listenerOf(pod, service, port);
  if (!listener || listener.state === 'closed') return;
  const isOpen = listener.state === 'open';
  const last = Math.min(clients.keepAlive ? entry.at : target.at, listener.closedAt ?? entry.at);
  if (last + clients.requestMs <= entry.at && !(clients.keepAlive && isOpen)) return;
  periods.end(periods.begin({ kind: 'cut', service, pod: pod.key }, entry, actor), entry);
}

interface Closing {
  readonly entry: ListenerEntry;
  readonly pod: TrackedPod;
  readonly address: string;
  readonly views: readonly View[];
  readonly wasAccepting: boolean;
}

/**
 * Records the requests that end with their process: it stopped while it accepted connections, or it was killed while it ended its requests.
 * A client with a new connection per request has running ones only if its route led to the pod shortly before.
 */
function recordCuts(sweep: Sweep, { entry, pod, address, views, wasAccepting }: Closing): void {
  const { clients, pods, periods, leftAt, removed } = sweep;
  if (!wasAccepting && !pods.isKilled(entry)) return;
  for (const { service, actor, port } of views.length > 0 ? views : sweep.views.everContaining(address)) {
    if (removed.get(targetKey({ actor, service, port }, address))?.isCut) continue;
    const acceptedUntil = wasAccepting ? entry.at : (pods.listenerOf(pod, service, port)?.closedAt ?? entry.at);
    const routedUntil = views.length > 0 || clients.keepAlive ? entry.at : (leftAt.get(address) ?? Number.NEGATIVE_INFINITY);
    if (Math.min(acceptedUntil, routedUntil) + clients.requestMs <= entry.at && !(clients.keepAlive && wasAccepting)) continue;
    periods.end(periods.begin({ kind: 'cut', service, pod: pod.key }, entry, actor), entry);
  }
}
