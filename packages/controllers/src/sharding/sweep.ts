import { type ClientPort, resources } from 'kube-endpoints/port';
import { isStale } from '../election/observation.ts';
import type { Neighbour, Neighbours } from './neighbours.ts';

/**
 * The Leases that nobody will hold any more: given back, or run out for twice their duration. One that is held again meanwhile has another
 * resourceVersion, and stays. What no replica of this kind made is left alone.
 */
export const leftovers = (neighbours: Neighbours, moment: number): readonly Neighbour[] =>
  [...neighbours.values()].filter((each) => each.isKin && isStale(each.seen, (each.released ? 1 : 3) * each.duration, moment));

export async function removeLease(port: ClientPort, namespace: string, neighbour: Neighbour, signal: AbortSignal): Promise<void> {
  const { name, uid, resourceVersion } = neighbour;
  if (uid === undefined || resourceVersion === undefined) return;
  await port.delete(resources.leases, { namespace, name }, { preconditions: { uid, resourceVersion }, signal });
}
