import type { Informer } from '@kube-endpoints/controllers';
import { callWithin } from '@kube-endpoints/controllers/internal';
import type { OverrideRequest, OverrideResult, Overrides, ReviewContext } from '@kube-endpoints/overrides';
import type { ReviewedRequest } from '@kube-endpoints/overrides/internal';
import { serviceNameLabel } from 'kube-endpoints/internal';
import { type ClientPort, type Clock, resources, type SteadyClock } from 'kube-endpoints/port';
import type { EndpointSliceInput, Optional } from 'kube-endpoints/types';
import { createObjectIndex } from './pods.ts';
import { createReviewedSlices, selectNewestSlices } from './reviewed-slices.ts';

/** The slices of Services, for rules that count across several slices. */
export interface OtherSlices {
  /** Returns the known slices of a Service, with the results of recent reviews, except the slice `name`. */
  otherSlicesOf(service: string, name: Optional<string>): readonly EndpointSliceInput[];
  /**
   * Completes the context of a review. If the result depends on other slices, waits for earlier reviews of the Service and then lists the
   * slices from the API server, since another replica may have changed them. If that fails or times out, none of the other slices counts as
   * ready.
   */
  completeContext(overrides: Overrides, input: ReviewInput): ReviewContext | Promise<ReviewContext>;
  /** Records an answered review, so that the next review of the Service can continue. */
  recordResult(request: ReviewedRequest, result: OverrideResult): void;
}

export interface ReviewInput {
  readonly request: ReviewedRequest;
  readonly object: OverrideRequest['object'];
  /** The cached objects. */
  readonly context: ReviewContext;
}

export interface OtherSlicesOptions {
  readonly port: Pick<ClientPort, 'list'>;
  readonly clock: SteadyClock;
  readonly slices: Informer<EndpointSliceInput>;
  /** Cancels pending lookups. */
  readonly signal: AbortSignal;
}

export function createOtherSlices({ port, clock, slices, signal }: OtherSlicesOptions): OtherSlices {
  const reviewedSlices = createReviewedSlices(clock);
  const mutex = createKeyedMutex(clock, 2 * lookupTimeoutMs);
  const index = createObjectIndex(slices, (slice) => [serviceKeyOf(slice)]);
  slices.listen(({ type, object }) => reviewedSlices.observe(object, type === 'deleted'));
  const knownSlicesOf = (service: string): readonly EndpointSliceInput[] => reviewedSlices.mergeInto(service, index.get(service));
  const listOtherSlices = async ({ namespace, serviceName, name, uid, dryRun }: ReviewedRequest, abortSignal: AbortSignal) => {
    const service = `${namespace}/${serviceName}`;
    // A dry run does not acquire the key: its result is never recorded, so the key would not be released.
    if (!dryRun) await mutex.acquire(service, uid);
    abortSignal.throwIfAborted();
    const labelSelector = `${serviceNameLabel}=${serviceName}`;
    const slicesWatchedBefore = [...index.get(service)];
    const { items } = await port.list(resources.endpointSlices, { namespace, labelSelector, signal: abortSignal });
    const listedSlices = (items as readonly EndpointSliceInput[]).filter((slice) => serviceKeyOf(slice) === service);
    return excludeSlice(
      reviewedSlices.mergeInto(service, selectNewestSlices({ listedSlices, slicesWatchedBefore, slicesWatchedNow: index.get(service) })),
      name,
    );
  };
  return {
    otherSlicesOf: (service, name) => excludeSlice(knownSlicesOf(service), name),
    completeContext(overrides, { request, object, context }) {
      const { kind, operation, namespace, name, serviceName } = request;
      if (kind !== 'EndpointSlice' || !overrides.needs.otherSlices) return context;
      const oldObject = knownSlicesOf(`${namespace}/${serviceName}`).find(({ metadata }) => metadata?.name === name);
      if (!dependsOnOtherSlices(overrides, { operation, object, oldObject, ...context, now: new Date(clock.now()) })) return context;
      return callWithin({ clock, milliseconds: lookupTimeoutMs, signal }, (abortSignal) => listOtherSlices(request, abortSignal)).then(
        (otherSlices) => ({ ...context, otherSlices }),
        () => ({ ...context, otherSlices: context.otherSlices?.map(markNotReady) }),
      );
    },
    recordResult({ uid, kind, operation, namespace, name, serviceName }, { refused, object }) {
      if (kind === 'EndpointSlice' && name !== '' && serviceName !== undefined && !refused) {
        const slice = { ...object, metadata: { ...object.metadata, namespace, name } } as EndpointSliceInput;
        const isCreate = operation === 'CREATE';
        reviewedSlices.record({ service: `${namespace}/${serviceName}`, slice, isCreate }, slices.cache.get(`${namespace}/${name}`));
      }
      mutex.release(uid);
    },
  };
}

/** Far below an API server's webhook timeout. */
const lookupTimeoutMs = 1000;

/** True if readiness in other slices changes the result. */
function dependsOnOtherSlices(overrides: Overrides, request: OverrideRequest): boolean {
  const { otherSlices = [] } = request;
  if (otherSlices.length === 0) return false;
  const [patch, patchWithoutReady] = [otherSlices, otherSlices.map(markNotReady)].map(
    (slices) => overrides.apply({ ...request, otherSlices: slices }).patch,
  );
  return JSON.stringify(patch) !== JSON.stringify(patchWithoutReady);
}

const excludeSlice = (slices: readonly EndpointSliceInput[], name: Optional<string>): readonly EndpointSliceInput[] =>
  slices.filter(({ metadata }) => metadata?.name !== name);

const markNotReady = (slice: EndpointSliceInput): EndpointSliceInput => ({
  ...slice,
  endpoints: (slice.endpoints ?? []).map((endpoint) => ({ ...endpoint, conditions: { ...endpoint.conditions, ready: false } })),
});

/** "namespace/name" of the Service that a slice belongs to. */
export const serviceKeyOf = ({ metadata }: EndpointSliceInput): string =>
  `${metadata?.namespace ?? ''}/${metadata?.labels?.[serviceNameLabel] ?? ''}`;

/** A keyed mutex: holders of the same key run one after the other. */
export interface KeyedMutex {
  /** Resolves when all earlier holders have released the key. */
  acquire(key: string, id: string): Promise<void>;
  /** Releases the key, even before it was acquired. */
  release(id: string): void;
}

/** @param maxHoldMs milliseconds after which a key is released by itself */
export function createKeyedMutex(clock: Clock, maxHoldMs: number): KeyedMutex {
  const lastCompletions = new Map<string, Promise<void>>();
  const releases = new Map<string, () => void>();
  return {
    acquire(key, id) {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const previousCompletion = lastCompletions.get(key) ?? Promise.resolve();
      const completed = previousCompletion.then(() => released);
      lastCompletions.set(key, completed);
      releases.set(id, release);
      void completed.then(() => {
        if (lastCompletions.get(key) === completed) lastCompletions.delete(key);
        if (releases.get(id) === release) releases.delete(id);
      });
      return previousCompletion.then(() => {
        const timeout = clock.schedule(release, maxHoldMs);
        void released.then(() => timeout.cancel());
      });
    },
    release: (id) => releases.get(id)?.(),
  };
}
