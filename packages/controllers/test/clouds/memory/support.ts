import { createMemoryCloud, type Fault, type MemoryCloud } from '../../../src/clouds/index.ts';
import { createClock, type ManualClock } from '../../queue/clock.ts';
import { makeNode, makeService, withNodes } from '../objects.ts';

export const balancerUids = ({ held }: MemoryCloud): string[] => held.map(({ reference }) => reference.uid);

export interface FaultyCloud {
  readonly clock: ManualClock;
  readonly cloud: MemoryCloud;
  readonly controller: AbortController;
  /** Ensures the load balancer of one Service with an abort signal. */
  ensure(): Promise<unknown>;
}

/** A cloud with one fault per call, in order. */
export function createFaultyCloud(...faults: readonly (Fault | undefined)[]): FaultyCloud {
  const clock = createClock();
  const cloud = createMemoryCloud({ clock, faults: ({ number }) => faults[number - 1] });
  const controller = new AbortController();
  return { clock, cloud, controller, ensure: () => cloud.balancers.ensure(withNodes(makeService(), [makeNode('n1')], controller.signal)) };
}
