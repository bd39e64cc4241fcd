import type { RuntimeEvent } from '@kube-endpoints/controllers';
import { type Resource, resources } from 'kube-endpoints/port';
import type { Sent, Witness } from './replica/network.ts';
import type { Trace } from './trace.ts';
import type { View } from './views.ts';

/** Observes one process and checks its actions against what it knew. */
export interface StrictWitness extends Witness {
  /** The current view of the resources. */
  readonly view: View;
  hears(event: RuntimeEvent): void;
}

/** Events and Leases, which every controller writes and from which nothing follows. */
export const isBookkeeping = ({ plural }: Resource): boolean => plural === resources.events.plural || plural === resources.leases.plural;

export const sayWrite = ({ verb, resource, namespace, name, object }: Sent): string =>
  `${verb} ${resource.plural} ${namespace}/${name ?? `${object?.metadata.generateName}*`}`;

/** Traces the hosting events of any controller. */
export function noteHosting({ name, trace }: { readonly name: string; readonly trace: Trace }, event: RuntimeEvent): void {
  const { kind } = event;
  if (kind === 'informer' && event.state !== 'watching') trace.note(name, event.resource, 'is', event.state, event.error ?? '');
  if (kind === 'leadership') trace.note(name, event.leads ? 'leads' : 'does not lead', event.error ?? '');
  if (kind === 'shards') trace.note(name, 'shares with', event.members);
}
