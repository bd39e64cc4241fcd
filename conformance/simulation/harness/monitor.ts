import type { RuntimeEvent } from '@kube-endpoints/controllers';
import { type Resource, resources } from 'kube-endpoints/port';
import type { Monitor, WriteRequest } from './replica/network.ts';
import type { Trace } from './trace.ts';
import type { View } from './views.ts';

/** Observes one process and checks the actions of the process against its caches. */
export interface ProcessMonitor extends Monitor {
  /** The current state of the caches. */
  readonly view: View;
  onEvent(event: RuntimeEvent): void;
}

/** Events and Leases: every controller writes them, and no other object depends on them. */
export const isBookkeeping = ({ plural }: Resource): boolean => plural === resources.events.plural || plural === resources.leases.plural;

export const formatWrite = ({ verb, resource, namespace, name, object }: WriteRequest): string =>
  `${verb} ${resource.plural} ${namespace}/${name ?? `${object?.metadata.generateName}*`}`;

/** Traces the events of informers, leader election and sharding. */
export function traceHostEvents({ name, trace }: { readonly name: string; readonly trace: Trace }, event: RuntimeEvent): void {
  const { kind } = event;
  if (kind === 'informer' && event.state !== 'watching') trace.log(name, event.resource, 'is', event.state, event.error ?? '');
  if (kind === 'leadership') trace.log(name, event.leads ? 'leads' : 'does not lead', event.error ?? '');
  if (kind === 'shards') trace.log(name, 'shares with', event.members);
}
