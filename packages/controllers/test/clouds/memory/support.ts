import { createMemoryCloud, type Fault, type MemoryCloud } from '../../../src/clouds/index.ts';
import { createClock, type ManualClock } from '../../queue/clock.ts';
import { makeNode, makeService, withNodes } from '../objects.ts';

export const balancerUids = ({ held }: MemoryCloud): string[] => held.map(({ reference }) => reference.uid);

export interface FaultyCloudFixture {
  readonly clock: ManualClock;
  readonly cloud: MemoryCloud;
  readonly abortController: AbortController;
  /** Calls `ensure` for one Service, with the signal of `abortController`. */
  ensure(): Promise<unknown>;
}

/** Creates a memory cloud whose nth call gets the nth fault; undefined means no fault. */
export function createFaultyCloud(...faults: readonly (Fault | undefined)[]): FaultyCloudFixture {
  const clock = createClock();
  const cloud = createMemoryCloud({ clock, faults: ({ number }) => faults[number - 1] });
  const abortController = new AbortController();
  const request = withNodes(makeService(), [makeNode('n1')], abortController.signal);
  return { clock, cloud, abortController, ensure: () => cloud.balancers.ensure(request) };
}
