import type { Informer } from '@kube-endpoints/controllers';
import { callWithin } from '@kube-endpoints/controllers/internal';
import type { OverrideRequest, OverrideResult, Overrides, ReviewContext } from '@kube-endpoints/overrides';
import type { ReviewedRequest } from '@kube-endpoints/overrides/internal';
import { serviceNameLabel } from 'kube-endpoints/internal';
import { type ClientPort, type Clock, resources, type SteadyClock } from 'kube-endpoints/port';
import type { EndpointSliceInput, Optional } from 'kube-endpoints/types';
import { createIndex } from './pods.ts';
import { createReviewedSlices, newestSlices } from './reviewed-slices.ts';

/** The slices of Services, for rules that count across several slices. */
export interface OtherSlices {
  /** The known slices of a Service except one, including recent review results. */
  others(service: string, name: Optional<string>): readonly EndpointSliceInput[];
  /**
   * Completes the context of a review. If the result depends on other slices, waits for earlier reviews of the Service and then lists the
   * slices from the API server, since another replica may have changed them. If that fails or times out, none of the other slices counts as
   * ready.
   */
  completeContext(overrides: Overrides, question: Question): ReviewContext | Promise<ReviewContext>;
  /** Records an answered review. */
  note(request: ReviewedRequest, result: OverrideResult): void;
}

export interface Question {
  readonly request: ReviewedRequest;
  readonly object: OverrideRequest['object'];
  readonly found: ReviewContext;
}

export interface OtherSlicesOptions {
  readonly port: Pick<ClientPort, 'list'>;
  readonly clock: SteadyClock;
  readonly slices: Informer<EndpointSliceInput>;
  /** Cancels pending lookups. */
  readonly signal: AbortSignal;
}

export function createOtherSlices({ port, clock, slices, signal }: OtherSlicesOptions): OtherSlices {
  const answers = createReviewedSlices(clock);
  const mutex = createKeyedMutex(clock, 2 * lookupTimeoutMs);
  const index = createIndex(slices, (slice) => [ownerOf(slice)]);
  slices.listen(({ type, object }) => answers.observe(object, type === 'deleted'));
  const all = (service: string): readonly EndpointSliceInput[] => answers.mergeInto(service, index.get(service));
  const read = async ({ namespace, serviceName, name, uid, dryRun }: ReviewedRequest, end: AbortSignal) => {
    const service = `${namespace}/${serviceName}`;
    // A dry run does not acquire the key: its answer is never recorded, so the key would not be released.
    if (!dryRun) await mutex.acquire(service, uid);
    end.throwIfAborted();
    const labelSelector = `${serviceNameLabel}=${serviceName}`;
    const before = [...index.get(service)];
    const { items } = await port.list(resources.endpointSlices, { namespace, labelSelector, signal: end });
    const listed = (items as readonly EndpointSliceInput[]).filter((slice) => ownerOf(slice) === service);
    return withoutOne(answers.mergeInto(service, newestSlices({ listed, before, now: index.get(service) })), name);
  };
  return {
    others: (service, name) => withoutOne(all(service), name),
    completeContext(overrides, { request, object, found }) {
      const { kind, operation, namespace, name, serviceName } = request;
      if (kind !== 'EndpointSlice' || !overrides.needs.otherSlices) return found;
      const oldObject = all(`${namespace}/${serviceName}`).find(({ metadata }) => metadata?.name === name);
      if (!dependsOnOtherSlices(overrides, { operation, object, oldObject, ...found, now: new Date(clock.now()) })) return found;
      return callWithin({ clock, milliseconds: lookupTimeoutMs, signal }, (end) => read(request, end)).then(
        (otherSlices) => ({ ...found, otherSlices }),
        () => ({ ...found, otherSlices: found.otherSlices?.map(withNoneReady) }),
      );
    },
    note({ uid, kind, operation, namespace, name, serviceName }, { refused, object }) {
      if (kind === 'EndpointSlice' && name !== '' && serviceName !== undefined && !refused) {
        const slice = { ...object, metadata: { ...object.metadata, namespace, name } } as EndpointSliceInput;
        const created = operation === 'CREATE';
        answers.record({ service: `${namespace}/${serviceName}`, slice, created }, slices.cache.get(`${namespace}/${name}`));
      }
      mutex.end(uid);
    },
  };
}

/** In milliseconds; far below an API server's webhook timeout. */
const lookupTimeoutMs = 1000;

/** True if readiness in other slices changes the result. */
function dependsOnOtherSlices(overrides: Overrides, request: OverrideRequest): boolean {
  const { otherSlices = [] } = request;
  if (otherSlices.length === 0) return false;
  const [as, without] = [otherSlices, otherSlices.map(withNoneReady)].map(
    (each) => overrides.apply({ ...request, otherSlices: each }).patch,
  );
  return JSON.stringify(as) !== JSON.stringify(without);
}

const withoutOne = (slices: readonly EndpointSliceInput[], name: Optional<string>): readonly EndpointSliceInput[] =>
  slices.filter(({ metadata }) => metadata?.name !== name);

const withNoneReady = (slice: EndpointSliceInput): EndpointSliceInput => ({
  ...slice,
  endpoints: (slice.endpoints ?? []).map((endpoint) => ({ ...endpoint, conditions: { ...endpoint.conditions, ready: false } })),
});

/** "namespace/name" of the Service that a slice belongs to. */
export const ownerOf = ({ metadata }: EndpointSliceInput): string =>
  `${metadata?.namespace ?? ''}/${metadata?.labels?.[serviceNameLabel] ?? ''}`;

/** A keyed mutex: holders of the same key run one after the other. */
export interface KeyedMutex {
  /** Resolves when all earlier holders have released the key. */
  acquire(key: string, id: string): Promise<void>;
  /** Releases the key, even before it was acquired. */
  end(id: string): void;
}

/** @param maxHoldMs milliseconds after which a key is released by itself */
export function createKeyedMutex(clock: Clock, maxHoldMs: number): KeyedMutex {
  const last = new Map<string, Promise<void>>();
  const ends = new Map<string, () => void>();
  return {
    acquire(key, id) {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const before = last.get(key) ?? Promise.resolve();
      const over = before.then(() => ended);
      last.set(key, over);
      ends.set(id, end);
      void over.then(() => {
        if (last.get(key) === over) last.delete(key);
        if (ends.get(id) === end) ends.delete(id);
      });
      return before.then(() => {
        const alarm = clock.schedule(end, maxHoldMs);
        void ended.then(() => alarm.cancel());
      });
    },
    end: (id) => ends.get(id)?.(),
  };
}
