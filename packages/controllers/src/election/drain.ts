import { messageOf } from 'kube-endpoints/internal';
import type { Clock } from 'kube-endpoints/port';
import { callWithin } from '../deadline.ts';

/** What is still to be done when nothing is owned any more, and how long that may take. */
export interface Drain {
  readonly beforeRelease: (() => Promise<void>) | undefined;
  readonly drainTimeout: number;
}

/** Waits for the work to end. Answers with what kept it from ending; undefined when all has been done. */
export async function drain(clock: Clock, { beforeRelease, drainTimeout }: Drain): Promise<unknown> {
  if (!beforeRelease) return undefined;
  try {
    await callWithin({ clock, milliseconds: drainTimeout }, beforeRelease);
    return undefined;
  } catch (error) {
    return new Error(`the work did not end before its lease was to be released: ${messageOf(error)}`, { cause: error });
  }
}
