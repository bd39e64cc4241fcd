import type { ObjectReference } from 'kube-endpoints/types';
import { type CoreEvent, makeEvent, type Occurrence } from '../../src/events/event.ts';
import type { ManualClock } from '../queue/clock.ts';

export const web: ObjectReference = { apiVersion: 'v1', kind: 'Endpoints', namespace: 'shop', name: 'web', uid: 'u1' };

export type MakeEvent = (changes?: Partial<Occurrence>) => CoreEvent;

/** Creates Events at the clock's time, with numbered names. */
export function eventsAt(clock: ManualClock): MakeEvent {
  let number = 0;
  return (changes = {}) => {
    const occurrence: Occurrence = { object: web, type: 'Warning', reason: 'FailedToCreateEndpoint', message: 'no', ...changes };
    return makeEvent(occurrence, { component: 'endpoint-controller' }, `${occurrence.object.name}.${++number}`, clock.now());
  };
}
