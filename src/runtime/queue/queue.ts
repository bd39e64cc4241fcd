/** Why a key comes back. */
export type Delay = 'now' | 'later' | 'retry';

/**
 * The keys that are to be synced. A key is handed to one worker at a time; one that is added while it is being worked on comes again
 * afterwards; one that waits already is not added twice. Mirrors k8s.io/client-go/util/workqueue (1.36).
 */
export interface Queue {
  /** How many keys wait to be taken, without those that are delayed. */
  readonly length: number;
  /** How many keys are being worked on. */
  readonly processing: number;
  /** How many keys are delayed. */
  readonly delayed: number;
  add(key: string): void;
  /** After so many milliseconds; the earlier of two delays holds. */
  addAfter(key: string, milliseconds: number): void;
  /** After a delay that grows with each failure of this key, and with the rate of all. */
  addRateLimited(key: string): void;
  /** Forgets the failures of a key. */
  forget(key: string): void;
  /** How often the key has failed since it was last forgotten. */
  failures(key: string): number;
  /** The next key, as soon as there is one; undefined once the queue is shut down and empty. */
  take(): Promise<string | undefined>;
  /** The work on a key that was taken has ended. */
  done(key: string): void;
  /** Takes nothing in any more, drops what is delayed; what waits is still handed out. Resolves when all that was taken is done. */
  shutDown(): Promise<void>;
}
