import type { ObjectReference } from 'kube-endpoints/types';
import { type CoreEvent, type EventContent, makeEvent } from '../../src/events/event.ts';
import type { ManualClock } from '../queue/clock.ts';

export const web: ObjectReference = { apiVersion: 'v1', kind: 'Endpoints', namespace: 'shop', name: 'web', uid: 'u1' };

export type MakeEvent = (changes?: Partial<EventContent>) => CoreEvent;

/** Creates Events at the clock's time, with numbered names. */
export function createEventFactory(clock: ManualClock): MakeEvent {
  let number = 0;
  return (changes = {}) => {
    const content: EventContent = { object: web, type: 'Warning', reason: 'FailedToCreateEndpoint', message: 'no', ...changes };
    return makeEvent(content, { component: 'endpoint-controller' }, `${content.object.name}.${++number}`, clock.now());
  };
}
