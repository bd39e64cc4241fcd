import type { RuntimeEvent } from '@kube-endpoints/controllers';
import { type Resource, resources } from 'kube-endpoints/port';
import type { Sent, Witness } from './replica/network.ts';
import type { Trace } from './trace.ts';
import type { View } from './views.ts';

/** Observes one process and checks its actions against what it knew. */
export interface StrictWitness extends Witness {
  /** The current view of the resources. */
  readonly view: View;
  hears(happening: RuntimeEvent): void;
}

/** Events and Leases, which every controller writes and from which nothing follows. */
export const isBookkeeping = ({ plural }: Resource): boolean => plural === resources.events.plural || plural === resources.leases.plural;

export const sayWrite = ({ verb, resource, namespace, name, object }: Sent): string =>
  `${verb} ${resource.plural} ${namespace}/${name ?? `${object?.metadata.generateName}*`}`;

/** Traces the hosting events of any controller. */
export function noteHosting({ name, trace }: { readonly name: string; readonly trace: Trace }, happening: RuntimeEvent): void {
  const { kind } = happening;
  if (kind === 'informer' && happening.state !== 'watching')
    trace.note(name, happening.resource, 'is', happening.state, happening.error ?? '');
  if (kind === 'leadership') trace.note(name, happening.leads ? 'leads' : 'does not lead', happening.error ?? '');
  if (kind === 'shards') trace.note(name, 'shares with', happening.members);
}
