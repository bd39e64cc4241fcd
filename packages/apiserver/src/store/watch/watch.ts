import type { Resource, WatchEvent } from 'kube-endpoints/port';
import { awaited } from '../clock.ts';
import { expired } from '../errors.ts';
import type { StoreState } from '../state.ts';
import { planOfWatch, type WatchParameters } from './plan.ts';
import { createSource, type WatchSource } from './source.ts';
import { createStream } from './stream.ts';

/**
 * Watches a resource. What happens after this call is not missed, however late the iteration begins.
 * @throws ApiError at once where the options are wrong. An answer that the real server gives as an event of the type ERROR, such
 * as Expired, is thrown by the iteration.
 */
export function watch(state: StoreState, resource: Resource, options: WatchParameters): AsyncIterableIterator<WatchEvent> {
  if (state.depth > 0) throw new Error('a watch cannot begin within a transaction');
  const plan = planOfWatch(state, resource, options);
  const { compacted } = state.log;
  const tooOld = !plan.initial && plan.from < compacted;
  const source = tooOld ? failing(expired(`too old resource version: ${plan.from} (${compacted})`)) : createSource(state, plan);
  // Nobody waits for a mere bookmark: only an end that is sure to come keeps the process alive.
  const ends = plan.deadline !== undefined || (plan.initial && plan.required.value > state.revision);
  return createStream(source, ends ? awaited(state.clock) : state.clock, options.signal);
}

const failing = (error: Error): WatchSource => ({
  take() {
    throw error;
  },
  waiting: () => new Set(),
  dueAt: () => undefined,
});
