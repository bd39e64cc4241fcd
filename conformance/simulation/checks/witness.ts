import type { RuntimeEvent } from '@kube-endpoints/controllers';
import type { ControllerName } from '@kube-endpoints/controllers/internal';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { Chronicle } from '../harness/chronicle.ts';
import type { Sent } from '../harness/replica/network.ts';
import type { Suspect } from '../harness/replica/replica.ts';
import type { Trace } from '../harness/trace.ts';
import { createViews, type Views } from '../harness/views.ts';
import { isBookkeeping, noteHosting, type StrictWitness, sayWrite } from '../harness/witness.ts';
import type { Content } from './content.ts';
import { needed, type View } from './views.ts';

/** Observes one process and checks every write that it sends against what it knew. */
export interface EndpointsWitness extends StrictWitness {
  /** The process may have lost or gained ownership. */
  changesShare(): void;
}

export interface WitnessParts extends Omit<Suspect, 'life' | 'kill'> {
  readonly scheduler: { readonly turns: number };
  /** Whether this release tracks Endpoints that it has replaced itself. */
  readonly tracksEndpoints: boolean;
  readonly chronicle: Chronicle;
  readonly content: Content;
  readonly trace: Trace;
  /** Whether the process is alive and owns a Service. */
  readonly mayAnswerFor: (key: string) => boolean;
  /** A write has arrived whose sender is gone or has lost ownership. */
  readonly abandons: (object: ApiObject) => void;
  /** Endpoints or slices have changed. */
  readonly wrote: () => void;
  readonly reportProblem: (problem: string) => void;
}

const kept: Readonly<Record<string, ControllerName>> = {
  [resources.endpoints.plural]: 'endpoints',
  [resources.endpointSlices.plural]: 'endpointslices',
};

export function createWitness(parts: WitnessParts): EndpointsWitness {
  const { name, chronicle, trace } = parts;
  const views = createViews(parts.scheduler, needed);
  const memory = createMemory();
  /** The Service of a write when it was sent: another one may have its name when the answer arrives. */
  const asked = new WeakMap<Sent, { readonly key: string; readonly uid: string }>();
  const reportProblem = (sent: Sent, why: string): void => parts.reportProblem(`${name} sends ${sayWrite(sent)}: ${why}`);
  const asks = (sent: Sent): void => {
    const key = keyOfWrite(chronicle, views.newest, sent);
    if (key !== undefined) asked.set(sent, { key, uid: uidOf(parts, key, views.newest) });
  };
  return {
    changesShare: memory.lapses,
    get view() {
      return views.newest;
    },
    sees(resource, version, { namespace, labelSelector } = {}) {
      if (labelSelector === undefined && namespace === undefined) views.sees(resource, version);
      // a list of all slices of a Service is as good as a complete cache
      const name = /kubernetes\.io\/service-name=([^,]+)/.exec(labelSelector ?? '')?.[1];
      if (name !== undefined) memory.looks(`${namespace}/${name}`, uidOf(parts, `${namespace}/${name}`, views.newest));
    },
    hears(event) {
      if (event.kind === 'taken') {
        const { queue, key } = event;
        views.begins(workOn(queue, key));
        memory.begins(queue, key, uidOf(parts, key, views.newest));
      }
      note(parts, event);
    },
    sends(sent) {
      // omit Lease renewals from the trace
      if (sent.resource.plural !== resources.leases.plural) trace.note(name, 'sends', sayWrite(sent));
      const controller = kept[sent.resource.plural];
      if (controller) {
        asks(sent);
        const problem = judge(parts, views, memory, sent, controller);
        if (problem !== undefined) reportProblem(sent, problem);
      } else if (!isBookkeeping(sent.resource)) reportProblem(sent, 'no sync is running for it');
      if (parts.hasEnded()) reportProblem(sent, 'it has stopped');
      const fate = parts.diesOfWrite();
      if (fate) trace.note(name, fate, 'at', sayWrite(sent));
      return fate;
    },
    lands(sent, answer) {
      if (sent.resource.plural !== resources.leases.plural) trace.note(name, 'has done', sayWrite(sent));
      if (kept[sent.resource.plural]) arrives(parts, asked.get(sent)?.key, answer);
    },
    learns(sent, answer) {
      const about = asked.get(sent);
      if (answer && about && !keepsGeneration(chronicle, sent, answer)) memory.learns(about.key, about.uid, sent, answer);
    },
  };
}

function arrives({ wrote, mayAnswerFor, abandons }: WitnessParts, key: string | undefined, answer: ApiObject): void {
  wrote();
  if (key !== undefined && !mayAnswerFor(key)) abandons(answer);
}

/** Traces relevant events. */
function note(parts: WitnessParts, event: RuntimeEvent): void {
  const { name, trace } = parts;
  const { kind } = event;
  if (kind === 'synced') trace.note(name, 'synced', event.controller, event.key, event.outcome, event.error ?? '');
  noteHosting(parts, event);
}

/** Each controller processes a Service independently. */
const workOn = (controller: ControllerName, key: string): string => `${controller} ${key}`;

type Memory = ReturnType<typeof createMemory>;

/** The problem of a write of Endpoints or slices, if any. */
function judge(parts: WitnessParts, views: Views<keyof View>, memory: Memory, sent: Sent, controller: ControllerName): string | undefined {
  const { chronicle, ownership } = parts;
  const { missing } = views;
  if (missing.length > 0) return `its caches of ${missing.join(', ')} are not complete`;
  const key = keyOfWrite(chronicle, views.newest, sent);
  if (key === undefined) return 'the slice is not in its cache';
  if (!ownership().owns(key)) return 'it does not own the Service';
  const isTracked = controller === 'endpointslices' || parts.tracksEndpoints;
  const stale = isTracked ? memory.staleness(controller, key, uidOf(parts, key, views.newest), sent, views.newest) : undefined;
  if (stale !== undefined) return stale;
  let why = 'nothing is known';
  for (const view of views.since(workOn(controller, key)).toReversed()) {
    const problem = controller === 'endpoints' ? endpointsProblem(parts, key, sent, view) : sliceProblem(parts, key, sent, view);
    if (problem === undefined) return undefined;
    if (view === views.newest) why = problem;
  }
  return why;
}

/** The key of the Service of a write. */
function keyOfWrite(chronicle: Chronicle, view: View, { resource, namespace, name, object }: Sent): string | undefined {
  if (kept[resource.plural] === 'endpoints') return `${namespace}/${name}`;
  const slice = object ?? chronicle.last(resource, `${namespace}/${name}`, view.endpointslices);
  const service = slice?.metadata.labels?.['kubernetes.io/service-name'];
  return service === undefined ? undefined : `${namespace}/${service}`;
}

function endpointsProblem({ chronicle, content }: WitnessParts, key: string, { verb, object }: Sent, view: View): string | undefined {
  const there = chronicle.at(resources.endpoints, key, view.endpoints);
  const service = content.service(key, view);
  if (there?.metadata.annotations?.['control-plane.alpha.kubernetes.io/leader'] !== undefined && !service)
    return 'the Endpoints are not left over';
  if (verb === 'delete') return service ? 'the Service exists' : undefined;
  if (!service) return 'the Service does not exist';
  if (verb !== 'create' && verb !== 'update') return 'the verb is not allowed for Endpoints';
  return content.isRight(key, object as ApiObject, view)
    ? undefined
    : `the subsets are not the expected ones: ${JSON.stringify(object?.['subsets'])}`;
}

function sliceProblem({ chronicle, content }: WitnessParts, key: string, sent: Sent, view: View): string | undefined {
  const { verb, namespace, name, object } = sent;
  if (verb !== 'create') {
    const known = chronicle.at(resources.endpointSlices, `${namespace}/${name}`, view.endpointslices);
    const manager = known?.metadata.labels?.['endpointslice.kubernetes.io/managed-by'];
    if (known && manager !== 'endpointslice-controller.k8s.io') return `the slice is managed by ${manager ?? 'no controller'}`;
    if (!known) return 'the slice is not in its cache';
  }
  if (verb === 'delete') return undefined;
  if (verb !== 'create' && verb !== 'update') return 'the verb is not allowed for slices';
  return content.slicePart(key, object as ApiObject, view);
}

/**
 * Whether only the annotations of a slice changed: its generation stays the same, so the controllers, like those of Kubernetes,
 * cannot distinguish the versions, and the server refuses their next write.
 */
function keepsGeneration(chronicle: Chronicle, { verb, resource, namespace, name, object }: Sent, { metadata }: ApiObject): boolean {
  if (resource.plural !== resources.endpointSlices.plural || verb !== 'update') return false;
  const base = chronicle.at(resource, `${namespace}/${name}`, Number(object?.metadata.resourceVersion));
  return base?.metadata.generation === metadata.generation;
}

const uidOf = ({ content }: WitnessParts, key: string, view: View): string => content.service(key, view)?.metadata.uid ?? '';

/** What a process knows of its own writes, reset for a new Service with an old name. */
function createMemory() {
  const written = new Map<string, number>();
  const pendingWrites = new Map<string, { readonly uid: string; readonly version: number }>();
  const replaced = new Set<string>();
  return {
    begins(controller: ControllerName, key: string, uid: string): void {
      if (controller === 'endpointslices') pendingWrites.set(key, { uid, version: written.get(uid) ?? 0 });
    },
    learns(key: string, uid: string, { verb, resource, object }: Sent, answer: ApiObject): void {
      const controller = kept[resource.plural];
      const { resourceVersion, ownerReferences } = answer.metadata;
      const base = object?.metadata.resourceVersion;
      if (controller === 'endpoints' && verb === 'update' && base !== resourceVersion) replaced.add(`${key} ${uid} ${base}`);
      if (controller === 'endpointslices' && ownerReferences?.[0]?.['uid'] === uid) written.set(uid, Number(resourceVersion));
    },
    looks(key: string, uid: string): void {
      pendingWrites.delete(key);
      written.delete(uid);
    },
    /** Other clients may have written in the meantime, so its own writes no longer count. */
    lapses(): void {
      pendingWrites.clear();
      written.clear();
      replaced.clear();
    },
    /** Whether a write is based on a cache that is older than the process's own writes. */
    staleness(controller: ControllerName, key: string, uid: string, { verb, object }: Sent, view: View): string | undefined {
      if (controller === 'endpoints') {
        const base = object?.metadata.resourceVersion;
        return verb === 'update' && replaced.has(`${key} ${uid} ${base}`) ? `it has already replaced version ${base} itself` : undefined;
      }
      const known = pendingWrites.get(key);
      const last = known?.uid === uid ? known.version : 0;
      return view.endpointslices < last
        ? `its cache of slices is at ${view.endpointslices}, but it wrote one at ${last} itself`
        : undefined;
    },
  };
}
