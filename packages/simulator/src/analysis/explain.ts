import { formatCount } from 'kube-endpoints/internal';
import type { Drop, DropKind } from './drop.ts';

/** Describes drops in sentences, one per drop. */
export const explainDrops = (drops: readonly Drop[]): string[] => drops.map(explainDrop);

function explainDrop(drop: Drop): string {
  const share =
    drop.share === undefined || drop.kind === 'noEndpoints' ? '' : ` (up to ${formatShare(drop.share)} of a client's connections)`;
  return `${formatTimes(drop)}: ${effects[drop.kind](drop)}${share}, because ${reasons[drop.kind](drop)}.`;
}

const effects: Readonly<Record<DropKind, (drop: Drop) => string>> = {
  closed: (drop) => `${countPods(drop)} of ${drop.service} still ${receive(drop)} connections after closing ${its(drop)} listener`,
  notOpen: (drop) =>
    `${countPods(drop)} of ${drop.service} ${receive(drop)} connections before ${isOne(drop) ? 'it listens' : 'they listen'}`,
  nodeLost: (drop) =>
    drop.pods.length > 0
      ? `${countPods(drop)} of ${drop.service} still ${receive(drop)} connections although ${its(drop)} node is lost`
      : `a load balancer forwards connections of ${drop.service} to a lost node`,
  noEndpoints: ({ service, actors }) => `${formatActors(actors)} ${have(actors)} no endpoint of ${service}, so that every connection fails`,
  noLocalEndpoints: ({ service }) => `a load balancer forwards connections to nodes without endpoints of ${service}`,
  cut: ({ service, pods }) => `running requests to ${formatCount(pods.length, 'pod')} of ${service} are cut`,
};

const reasons: Readonly<Record<DropKind, (drop: Drop) => string>> = {
  closed: explainClosed,
  notOpen: ({ lacksReadinessProbe }) =>
    lacksReadinessProbe
      ? 'without a readiness probe a pod is ready as soon as its containers run'
      : 'they were ready before their listener was open',
  nodeLost: explainLostNode,
  noEndpoints: ({ slicesWritten, isEndedByChecks, to }) =>
    isEndedByChecks
      ? `no target had passed its health checks until ${formatSeconds(to)} s`
      : slicesWritten
        ? `the EndpointSlice had no usable endpoint until ${formatSeconds(slicesWritten.to)} s`
        : 'the last endpoint was removed before another one was added',
  noLocalEndpoints: () => 'its health checks of these nodes have not failed often enough yet',
  cut: explainCut,
};

function explainCut({ nodes, isDeregistered, actors }: Drop): string {
  if (nodes) return `${joinWords(nodes)} stopped answering while they ran`;
  return isDeregistered
    ? `${formatActors(actors)} closed their connections at the end of the deregistration delay`
    : 'their process ended while they ran';
}

/** Until a lost node is noticed, its pods stay endpoints. */
function explainLostNode({ pods, nodes = [], isReopened, isOngoing, isEndedByChecks, slicesWritten, actors, to }: Drop): string {
  const lost = `${joinWords(nodes)} ${nodes.length === 1 ? 'stopped' : 'have stopped'} answering`;
  if (isReopened) return `${lost} until ${formatSeconds(to)} s`;
  if (pods.length === 0 || (isEndedByChecks && !slicesWritten)) return `${lost}, and its health checks have not failed often enough yet`;
  if (isOngoing && !slicesWritten) return `${lost}, and ${formatActors(actors)} never removed them`;
  if (!slicesWritten) return `${lost}, and ${formatActors(actors)} ${have(actors)} not removed them yet`;
  const times = formatRange(slicesWritten.from, slicesWritten.to);
  return `${lost}, which the node lifecycle controller notices after its grace period: the EndpointSlices without them were written at ${times}, and ${formatActors(actors)} applied them until ${formatSeconds(to)} s`;
}

function explainClosed({ pods, isReopened, isOngoing, isEndedByChecks, slicesWritten, actors, from, to }: Drop): string {
  if (isReopened)
    return pods.length === 1 ? 'the container restarted while its pod was ready' : 'the containers restarted while their pods were ready';
  if (isOngoing && !slicesWritten) return `${formatActors(actors)} never removed them`;
  if (isEndedByChecks && !slicesWritten) return `the health checks of ${formatActors(actors)} had not failed often enough yet`;
  if (!slicesWritten) return `${formatActors(actors)} ${have(actors)} not removed them yet`;
  if (slicesWritten.to <= from)
    return `${formatActors(actors)} ${have(actors)} not applied the EndpointSlice that was written at ${formatSeconds(slicesWritten.to)} s`;
  const times = formatRange(slicesWritten.from, slicesWritten.to);
  return `the EndpointSlices without them were written at ${times}, and ${formatActors(actors)} applied them until ${formatSeconds(to)} s`;
}

function countPods({ pods, endpoints }: Drop): string {
  return pods.length > endpoints ? formatCount(pods.length, 'pod') : `${pods.length} of ${formatCount(endpoints, 'endpoint')}`;
}

const isOne = ({ pods }: Drop): boolean => pods.length === 1;
const receive = (drop: Drop): string => (isOne(drop) ? 'receives' : 'receive');
const its = (drop: Drop): string => (isOne(drop) ? 'its' : 'their');
const have = (actors: readonly string[]): string => (actors.length === 1 ? 'has' : 'have');

function formatTimes({ kind, from, to, isOngoing }: Drop): string {
  if (isOngoing) return `from ${formatSeconds(from)} s on`;
  return kind === 'cut' && from === to ? `at ${formatSeconds(from)} s` : formatRange(from, to);
}

const formatRange = (from: number, to: number): string =>
  formatSeconds(from) === formatSeconds(to) ? `${formatSeconds(from)} s` : `${formatSeconds(from)}–${formatSeconds(to)} s`;

/** Seconds with one decimal. */
const formatSeconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);

const formatShare = (share: number): string => (share >= 0.01 ? `${Math.round(share * 100)}%` : 'less than 1%');

/** Names up to three components: "kube-proxy on n1 and n2", or their number. */
function formatActors(actors: readonly string[]): string {
  const byKind = new Map<string, string[]>();
  for (const actor of actors) {
    const [kind = '', name = ''] = actor.split('/');
    byKind.set(kind, [...(byKind.get(kind) ?? []), name]);
  }
  return joinWords([...byKind].map(([kind, names]) => formatKind(kind, names)));
}

function formatKind(kind: string, names: readonly string[]): string {
  const row = actorWords[kind] ?? { one: kind, many: kind, of: kind };
  if (names.length > 3) return `${row.many} ${formatCount(names.length, row.of)}`;
  return `${names.length === 1 ? row.one : row.many} ${joinWords(names)}`;
}

const actorWords: Readonly<Record<string, { readonly one: string; readonly many: string; readonly of: string }>> = {
  'kube-proxy': { one: 'the proxy of', many: 'the proxies of', of: 'node' },
  dns: { one: 'the resolver of', many: 'the resolvers of', of: 'node' },
  ingress: { one: 'the ingress proxy', many: 'the ingress proxies of', of: 'name' },
  'load-balancer': { one: 'the load balancer', many: 'the load balancers of', of: 'Service' },
};

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
