import type { DelayRange } from '@kube-endpoints/simulator/internal';
import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject, type ClientPort, hasReason, resources, type SteadyClock } from 'kube-endpoints/port';
import { UsageError } from '../base/io.ts';

export interface WatchMeasurement {
  /** The namespace of the Lease. */
  readonly namespace: string;
  readonly clock: SteadyClock;
  /** Ends the measurement. It then rejects with the reason, after the Lease is deleted. */
  readonly signal: AbortSignal;
}

/** The number of writes that are measured. One more comes before them, because the first event also waits for the start of the watch. */
export const watchWrites = 50;

/** The time from one write to the next. */
const writePeriodMs = 100;

/** An event that has not arrived after this time is an error. */
const maxEventMs = 30_000;

/**
 * Measures how long writes take to arrive at a watch: creates a Lease, watches it, writes it and deletes it, also after an error. Each range
 * ends with the time from the request to the event, and begins with the time from the answer to the event, or 0 if the event arrived first: the
 * write took effect between the two.
 * @throws UsageError naming the verb that failed, and what the user needs
 */
export async function measureWatch(port: ClientPort, measurement: WatchMeasurement): Promise<readonly DelayRange[]> {
  const { namespace } = measurement;
  const draft = {
    ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
    metadata: { generateName: 'kube-endpoints-delays-', namespace },
    spec: { holderIdentity: 'kubectl-endpoints' },
  };
  // Without the signal: a Lease of an aborted request would stay.
  const lease = await port.create(resources.leases, draft).catch(fail('create', namespace));
  const [measured] = await Promise.allSettled([measureWrites(port, lease, measurement)]);
  const [deleted] = await Promise.allSettled([deleteLease(port, lease)]);
  const reasons = [measured, deleted].flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (measured.status === 'fulfilled' && deleted.status === 'fulfilled') return measured.value;
  throw new UsageError(reasons.map(messageOf).join('; '), { cause: reasons[0] });
}

async function measureWrites(port: ClientPort, created: ApiObject, { clock, signal }: WatchMeasurement): Promise<DelayRange[]> {
  const { namespace = '' } = created.metadata;
  const end = new AbortController();
  const events = followLease(port, created, { clock, signal: AbortSignal.any([signal, end.signal]) });
  const ranges: DelayRange[] = [];
  try {
    let lease = created;
    for (let i = 0; i <= watchWrites; i += 1) {
      const sent = clock.elapsed();
      const next = { ...lease, spec: { ...(lease['spec'] as object), leaseTransitions: i + 1 } };
      lease = await port.update(resources.leases, next, { signal }).catch(fail('update', namespace));
      const answered = clock.elapsed();
      const arrived = await events.arrivalOf(lease.metadata.resourceVersion ?? '');
      if (i > 0) ranges.push({ min: Math.max(0, arrived - answered), max: arrived - sent });
      if (i < watchWrites) await events.pause(sent + writePeriodMs - clock.elapsed());
    }
    return ranges;
  } finally {
    end.abort();
  }
}

interface LeaseEvents {
  /** When the event of a version arrived, by the elapsed time of the clock. @throws UsageError if the watch fails, or if the event does not arrive */
  arrivalOf(version: string): Promise<number>;
  /** @throws UsageError if the watch fails meanwhile */
  pause(milliseconds: number): Promise<void>;
}

function followLease(
  port: ClientPort,
  { metadata: { namespace = '', name = '', resourceVersion = '' } }: ApiObject,
  { clock, signal }: Pick<WatchMeasurement, 'clock' | 'signal'>,
): LeaseEvents {
  const arrivals = new Map<string, PromiseWithResolvers<number>>();
  const arrivalOf = (version: string): PromiseWithResolvers<number> => {
    const arrival = arrivals.get(version) ?? Promise.withResolvers<number>();
    arrivals.set(version, arrival);
    return arrival;
  };
  const follow = async (): Promise<never> => {
    const selection = { namespace, fieldSelector: `metadata.name=${name}`, resourceVersion, signal };
    for await (const { object } of port.watch(resources.leases, selection))
      arrivalOf(object.metadata.resourceVersion ?? '').resolve(clock.elapsed());
    throw new Error('the server ended the watch: try again');
  };
  const failed = follow().catch(fail('watch', namespace));
  // It fails at the latest at the end, when nothing waits for it.
  failed.catch(() => undefined);
  return {
    arrivalOf: (version) => {
      const late = Promise.withResolvers<never>();
      const message = `the event of a write did not arrive at the watch within ${maxEventMs / 1000} s`;
      const timer = clock.schedule(() => late.reject(new UsageError(message)), maxEventMs);
      return Promise.race([arrivalOf(version).promise, failed, late.promise]).finally(timer.cancel);
    },
    pause: (milliseconds) => {
      const end = Promise.withResolvers<void>();
      const timer = clock.schedule(end.resolve, milliseconds);
      return Promise.race([end.promise, failed]).finally(timer.cancel);
    },
  };
}

async function deleteLease(port: ClientPort, { metadata: { namespace = '', name = '' } }: ApiObject): Promise<void> {
  try {
    await port.delete(resources.leases, { namespace, name });
  } catch (error) {
    if (hasReason(error, 'NotFound')) return;
    throw new UsageError(`${describe('delete', namespace, error)}; delete it: kubectl delete lease -n ${namespace} ${name}`, {
      cause: error,
    });
  }
}

/** Returns a function that throws a UsageError for a failed call. */
const fail =
  (verb: string, namespace: string) =>
  (error: unknown): never => {
    throw error instanceof UsageError ? error : new UsageError(describe(verb, namespace, error), { cause: error });
  };

function describe(verb: string, namespace: string, error: unknown): string {
  const rights = error instanceof ApiError && error.code === 403 ? ' (it needs the verbs create, watch, update and delete)' : '';
  return `--measure-watch cannot ${verb} leases.coordination.k8s.io in namespace ${JSON.stringify(namespace)}: ${messageOf(error)}${rights}`;
}
