import { cleanupFinalizer } from '../../../../src/load-balancer/index.ts';
import { resources } from '../../../../src/port/index.ts';
import type { Ownership } from '../../../../src/runtime/election/ownership.ts';
import type { Happening } from '../../../../src/runtime/happening.ts';
import type { Sent, Witness } from '../../replica/network.ts';
import type { Trace } from '../../trace.ts';
import type { Fate } from '../cloud/link.ts';
import { createCloudWitness, type StrictCloudWitness } from './cloud-witness.ts';
import { createViews, type View } from './views.ts';
import type { Wishes } from './wishes.ts';

/** Looks on at one process, and holds what it asks of the cloud and of the API server against what it knew. */
export interface StrictWitness extends Witness {
  readonly cloud: StrictCloudWitness;
  readonly view: View;
  hears(happening: Happening): void;
}

export interface WitnessParts {
  readonly name: string;
  readonly scheduler: { readonly turns: number };
  readonly wishes: Wishes;
  /** The uids of Services that have ever held the finalizer. */
  readonly secured: Set<string>;
  readonly trace: Trace;
  readonly ownership: () => Ownership;
  readonly hasEnded: () => boolean;
  /** Whether the process dies of a write that it is about to send. */
  readonly diesOfWrite: () => 'dies' | 'dies and sends' | undefined;
  readonly diesOfCall: () => Fate | undefined;
  /** Something was changed, or tried, in the cluster or in the cloud. */
  readonly acted: (what: string) => void;
  readonly blame: (problem: string) => void;
}

const others: readonly string[] = [resources.events.plural, resources.leases.plural];

export function createWitness(parts: WitnessParts): StrictWitness {
  const { name, trace, blame } = parts;
  const views = createViews(parts.scheduler);
  const cloud = createCloudWitness(parts, views);
  return {
    cloud,
    get view() {
      return views.newest;
    },
    sees(resource, version, { namespace, labelSelector } = {}) {
      if (labelSelector === undefined && namespace === undefined) views.sees(resource, version);
    },
    hears(happening) {
      if (happening.kind === 'taken') views.begins(happening.key);
      note(parts, happening);
    },
    sends(sent) {
      const { plural } = sent.resource;
      if (plural === resources.services.plural) {
        parts.acted('write');
        const problem = judgeWrite(parts, views.missing, cloud, sent);
        if (problem !== undefined) blame(`${name} sends ${say(sent)}: ${problem}`);
      } else if (!others.includes(plural)) blame(`${name} sends ${say(sent)}: nobody asked it to`);
      if (parts.hasEnded()) blame(`${name} sends ${say(sent)}: it has ended`);
      if (plural !== resources.leases.plural && plural !== resources.events.plural) trace.note(name, 'sends', say(sent), sent.object ?? '');
      const fate = plural === resources.events.plural ? undefined : parts.diesOfWrite();
      if (fate) trace.note(name, fate, 'at', say(sent));
      return fate;
    },
    lands(sent, answer) {
      if (sent.resource.plural !== resources.services.plural) return;
      trace.note(name, 'has done', say(sent), answer.metadata.resourceVersion);
      if (answer.metadata.finalizers?.includes(cleanupFinalizer)) parts.secured.add(answer.metadata.uid ?? '');
    },
    learns() {},
  };
}

const say = ({ verb, resource, namespace, name }: Sent): string => `${verb} ${resource.plural} ${namespace}/${name}`;

/** What is worth a line. */
function note({ name, trace }: WitnessParts, happening: Happening): void {
  const { kind } = happening;
  if (kind === 'synced') trace.note(name, 'synced', happening.key, happening.outcome, happening.error ?? '');
  if (kind === 'orphan') trace.note(name, 'orphan', happening.key, happening.uid, happening.outcome, happening.error ?? '');
  if (kind === 'nodes') trace.note(name, 'looks at nodes', happening.state, happening.services, happening.failed);
  if (kind === 'informer' && happening.state !== 'watching')
    trace.note(name, happening.resource, 'is', happening.state, happening.error ?? '');
  if (kind === 'leadership') trace.note(name, happening.leads ? 'leads' : 'does not lead', happening.error ?? '');
  if (kind === 'shards') trace.note(name, 'shares with', happening.members);
}

type ServicePatch = { readonly metadata?: Readonly<Record<string, unknown>>; readonly status?: unknown };

/** What is wrong with a write of a Service. */
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
