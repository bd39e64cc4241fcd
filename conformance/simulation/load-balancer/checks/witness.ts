import type { RuntimeEvent } from '@kube-endpoints/controllers';
import { cleanupFinalizer } from 'kube-endpoints/internal';
import { resources } from 'kube-endpoints/port';
import type { Sent } from '../../harness/replica/network.ts';
import type { Suspect } from '../../harness/replica/replica.ts';
import type { Trace } from '../../harness/trace.ts';
import { createViews } from '../../harness/views.ts';
import { isBookkeeping, noteHosting, type StrictWitness, sayWrite } from '../../harness/witness.ts';
import type { Fate } from '../cloud/link.ts';
import { createCloudWitness, type StrictCloudWitness } from './cloud-witness.ts';
import type { DesiredState } from './desired-state.ts';
import { needed } from './views.ts';

/** Observes one process and checks its calls to the cloud and the API server against what it knew. */
export interface BalancerWitness extends StrictWitness {
  readonly cloud: StrictCloudWitness;
}

export interface WitnessParts extends Omit<Suspect, 'life' | 'kill'> {
  readonly scheduler: { readonly turns: number };
  readonly desired: DesiredState;
  /** The UIDs of Services that have ever had the finalizer. */
  readonly secured: Set<string>;
  readonly trace: Trace;
  /** Whether the process dies at the next call. */
  readonly diesOfCall: () => Fate | undefined;
  /** The cluster or the cloud was changed, or an attempt was made. */
  readonly acted: (what: string) => void;
  readonly reportProblem: (problem: string) => void;
}

export function createWitness(parts: WitnessParts): BalancerWitness {
  const { name, trace, reportProblem } = parts;
  const views = createViews(parts.scheduler, needed);
  const cloud = createCloudWitness(parts, views);
  return {
    cloud,
    get view() {
      return views.newest;
    },
    sees(resource, version, { namespace, labelSelector } = {}) {
      if (labelSelector === undefined && namespace === undefined) views.sees(resource, version);
    },
    hears(event) {
      if (event.kind === 'taken') views.begins(event.key);
      note(parts, event);
    },
    sends(sent) {
      const { plural } = sent.resource;
      if (plural === resources.services.plural) {
        parts.acted('write');
        const problem = judgeWrite(parts, views.missing, cloud, sent);
        if (problem !== undefined) reportProblem(`${name} sends ${sayWrite(sent)}: ${problem}`);
      } else if (!isBookkeeping(sent.resource)) reportProblem(`${name} sends ${sayWrite(sent)}: no sync is running for it`);
      if (parts.hasEnded()) reportProblem(`${name} sends ${sayWrite(sent)}: it has stopped`);
      if (!isBookkeeping(sent.resource)) trace.note(name, 'sends', sayWrite(sent), sent.object ?? '');
      const fate = plural === resources.events.plural ? undefined : parts.diesOfWrite();
      if (fate) trace.note(name, fate, 'at', sayWrite(sent));
      return fate;
    },
    lands(sent, answer) {
      if (sent.resource.plural !== resources.services.plural) return;
      trace.note(name, 'has done', sayWrite(sent), answer.metadata.resourceVersion);
      if (answer.metadata.finalizers?.includes(cleanupFinalizer)) parts.secured.add(answer.metadata.uid ?? '');
    },
    learns() {},
  };
}

/** Traces relevant events. */
function note(parts: WitnessParts, event: RuntimeEvent): void {
  const { name, trace } = parts;
  const { kind } = event;
  if (kind === 'synced') trace.note(name, 'synced', event.key, event.outcome, event.error ?? '');
  if (kind === 'orphan') trace.note(name, 'orphan', event.key, event.uid, event.outcome, event.error ?? '');
  if (kind === 'nodes') trace.note(name, 'looks at nodes', event.state, event.services, event.failed);
  noteHosting(parts, event);
}

type ServicePatch = { readonly metadata?: Readonly<Record<string, unknown>>; readonly status?: unknown };

/** The problem of a write of a Service, if any. */
function judgeWrite({ ownership }: WitnessParts, missing: readonly string[], cloud: StrictCloudWitness, sent: Sent): string | undefined {
  const { verb, namespace, name, object } = sent;
  if (missing.length > 0) return `its caches of ${missing.join(', ')} are not complete`;
  if (!ownership().owns(`${namespace}/${name}`)) return 'it is not responsible';
  if (verb !== 'patch') return 'that is no way to write it';
  const { metadata, status: _, ...more } = object as unknown as ServicePatch;
  if (Object.keys(more).length > 0) return `it writes ${Object.keys(more).join(', ')}`;
  const uid = metadata?.['uid'];
  if (typeof uid !== 'string') return 'it is for whatever Service has that name';
  return removesFinalizer(metadata) && !cloud.knowsNone(uid) ? 'for all that it knows the load balancer is still there' : undefined;
}

function removesFinalizer(metadata: ServicePatch['metadata'] = {}): boolean {
  const removed = metadata['$deleteFromPrimitiveList/finalizers'] as readonly string[] | undefined;
  return metadata['finalizers'] === null || (removed?.includes(cleanupFinalizer) ?? false);
}
