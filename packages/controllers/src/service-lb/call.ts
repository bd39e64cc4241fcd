import { type BalancedService, isCloudError } from 'kube-endpoints/load-balancer';
import { ApiError } from 'kube-endpoints/port';
import { OwnershipLost } from '../controllers/failures.ts';
import { callWithin } from '../deadline.ts';
import { Ending } from './ends.ts';
import type { Setup } from './options.ts';

/** One call of the cloud or the API server. */
export interface Call<T> {
  /** Of the Service that has to be this replica's; nothing of it where the call is `shared`. */
  readonly key: string;
  readonly shared?: boolean;
  /** After which it is given up. */
  readonly milliseconds: number;
  /** What it is to change something for, where it is. */
  readonly changes?: BalancedService;
  readonly act: (signal: AbortSignal) => Promise<T>;
}

export interface Maker {
  /** @throws OwnershipLost, Ending, NoAnswer, or what the call does */
  make<T>(call: Call<T>): Promise<T>;
  /** Ends the calls for Services that are another replica's now. */
  release(): void;
  /** Ends all calls, and lets no new ones begin. */
  end(): void;
}

/** Is told of a call that was to change something and has had no answer: when, and whether, it takes effect is not known. */
export type OnDoubt = (key: string, service: BalancedService, call: Promise<unknown>) => void;

/** There was no answer in time. */
export class NoAnswer extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds / 1000} s`);
    this.name = 'NoAnswer';
  }
}

export function createMaker({ clock, ownership }: Pick<Setup, 'clock' | 'ownership'>, onDoubt: OnDoubt): Maker {
  const underWay = new Map<AbortController, { readonly key: string; readonly shared: boolean }>();
  let ended = false;
  return {
    async make({ key, milliseconds, act, changes, shared = false }) {
      if (ended) throw new Ending();
      if (!shared && !ownership.owns(key)) throw new OwnershipLost(key);
      const end = new AbortController();
      underWay.set(end, { key, shared });
      const deadline = { clock, milliseconds, signal: end.signal, late: () => new NoAnswer(milliseconds) };
      let made: Promise<unknown> | undefined;
      try {
        return await callWithin(deadline, (signal) => {
          const call = act(signal);
          made = call;
          return call;
        });
      } catch (error) {
        if (made && changes && !isAnswer(error)) onDoubt(key, changes, made);
        throw error;
      } finally {
        underWay.delete(end);
      }
    },
    release() {
      for (const [end, { key, shared }] of underWay) if (!shared && !ownership.owns(key)) end.abort(new OwnershipLost(key));
    },
    end() {
      ended = true;
      for (const end of underWay.keys()) end.abort(new Ending());
    },
  };
}

/** What broke on the way may have arrived. */
const isAnswer = (error: unknown): boolean => isCloudError(error) || error instanceof ApiError;
