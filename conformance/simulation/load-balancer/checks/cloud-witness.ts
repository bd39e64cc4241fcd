import { hasCleanupFinalizer } from 'kube-endpoints/internal';
import type { BalancedService } from 'kube-endpoints/load-balancer';
import type { Asked, CloudWitness, Fate } from '../cloud/link.ts';
import type { DesiredState } from './desired-state.ts';
import type { View, Views } from './views.ts';
import type { WitnessParts } from './witness.ts';

/** Observes the cloud calls of a process. */
export interface StrictCloudWitness extends CloudWitness {
  /** Whether the cloud has reported no load balancer for a Service since the last call that changes it. */
  knowsNone(uid: string): boolean;
}

const everything = Number.POSITIVE_INFINITY;

export function createCloudWitness(parts: WitnessParts, views: Views): StrictCloudWitness {
  const { name, trace } = parts;
  /** The pending call that changes each Service's load balancer. */
  const underway = new Map<string, Asked>();
  const clean = new Set<string>();
  return {
    knowsNone: (uid) => clean.has(uid),
    asks(asked) {
      const { verb, service, nodes } = asked;
      trace.note(name, 'asks', say(asked), service ? uidOf(service) : '', nodes ?? '');
      parts.acted(verb);
      const problem = judge(parts, views, underway, asked);
      if (problem !== undefined) parts.reportProblem(`${name} asks ${say(asked)}: ${problem}`);
      if (service && verb !== 'get') underway.set(keyOf(service), asked);
      if (service && verb === 'ensure') clean.delete(uidOf(service));
      return fateOf(parts, asked);
    },
    hears(asked, answer) {
      const { verb, service } = asked;
      trace.note(name, 'hears of', say(asked), 'value' in answer ? (answer.value ?? 'nothing') : answer.error);
      if (!service) return;
      if (verb !== 'get') underway.delete(keyOf(service));
      if ('value' in answer && (verb === 'delete' || (verb === 'get' && !answer.value))) clean.add(uidOf(service));
    },
    drops(asked) {
      trace.note(name, 'gives up', say(asked));
      if (asked.service && asked.verb !== 'get') underway.delete(keyOf(asked.service));
    },
  };
}

const say = ({ verb, service }: Asked): string => (service ? `${verb} ${keyOf(service)}` : verb);

function fateOf({ name, trace, diesOfCall }: WitnessParts, asked: Asked): Fate | undefined {
  const fate = diesOfCall();
  if (fate) trace.note(name, fate, 'at', say(asked));
  return fate;
}

/** The problem of a call, if any. */
function judge(parts: WitnessParts, views: Views, underway: ReadonlyMap<string, Asked>, asked: Asked): string | undefined {
  const { verb, service } = asked;
  if (parts.hasEnded()) return 'it has stopped';
  if (views.missing.length > 0) return `its caches of ${views.missing.join(', ')} are not complete`;
  if (!service) return undefined;
  const key = keyOf(service);
  if (!parts.ownership().owns(key)) return 'it does not own the Service';
  const other = underway.get(key);
  return other && verb !== 'get' ? `${other.verb} is still in flight` : judgements[verb]?.(parts, views, { ...asked, service }, key);
}

const keyOf = ({ metadata }: BalancedService): string => `${metadata?.namespace}/${metadata?.name}`;
const uidOf = ({ metadata }: BalancedService): string => metadata?.uid ?? '';

type Judgement = (
  parts: WitnessParts,
  views: Views,
  asked: Asked & { readonly service: BalancedService },
  key: string,
) => string | undefined;

const judgements: Readonly<Partial<Record<Asked['verb'], Judgement>>> = {
  ensure({ desired, secured }, views, { service, nodes }, key) {
    const uid = uidOf(service);
    const known = views.since(key);
    const versions = [...known.map(({ services }) => services), everything];
    const states = versions.map((version) => desired.service(key, version)).filter((state) => state && uidOf(state) === uid);
    if (!secured.has(uid) && !states.some((state) => state && hasCleanupFinalizer(state))) return 'it has never held the finalizer';
    if (!states.some(desired.wants)) return 'the Service does not need a load balancer';
    return isAmong(desired, service, nodes ?? [], known) ? undefined : `unexpected nodes: ${nodes}`;
  },
  update({ desired }, views, { service, nodes }) {
    return isAmong(desired, service, nodes ?? [], views.now()) ? undefined : `unexpected nodes: ${nodes}`;
  },
  delete({ desired }, views, { service }, key) {
    const uid = uidOf(service);
    const versions = [...views.since(key).map(({ services }) => services), everything];
    return versions.every((version) => isOfUid(desired.service(key, version), uid, desired.wants)) ? 'it is wanted' : undefined;
  },
};

const isOfUid = (service: BalancedService | undefined, uid: string, wants: DesiredState['wants']): boolean =>
  service !== undefined && uidOf(service) === uid && wants(service);

function isAmong(desired: DesiredState, service: BalancedService, nodes: readonly string[], views: readonly View[]): boolean {
  const text = nodes.join(' ');
  return views.some((view) => desired.nodesOf(service, view.nodes).join(' ') === text);
}
