import { type ApiObjectMeta, type ClientPort, hasReason, resources, type SteadyClock } from 'kube-endpoints/port';
import { overridesDueAnnotation } from '../cache/projections/service.ts';
import { callWithin } from '../deadline.ts';

export interface Settings {
  readonly port: Pick<ClientPort, 'get' | 'patch'>;
  readonly clock: SteadyClock;
  readonly random: () => number;
  readonly slack: number;
  readonly gap: number;
}

export type Result =
  | { readonly outcome: 'kicked' | 'covered' | 'gone'; readonly error?: undefined; readonly milliseconds?: undefined }
  | { readonly outcome: 'delayed'; readonly error?: undefined; readonly milliseconds: number }
  | { readonly outcome: 'retried'; readonly error: unknown; readonly milliseconds?: undefined };

/** Writes the Service, unless another replica has. Does not throw. */
export async function attempt(key: string, due: number, settings: Settings, signal: AbortSignal): Promise<Result> {
  const { port, clock, slack, gap } = settings;
  const [namespace = '', name = ''] = key.split('/');
  const service = { namespace, name };
  const within = { clock, milliseconds: longestCall, signal };
  try {
    const { metadata } = await callWithin(within, (ended) => port.get(resources.services, service, { signal: ended }));
    const now = clock.now();
    const last = lastKick(metadata);
    // A time to come is one of a clock that is ahead: of what was held by this one it says nothing.
    if (last >= due && last <= now) return { outcome: 'covered' };
    if (last <= now && last + gap > now) return { outcome: 'delayed', milliseconds: last + gap - now };
    const patch = patchOf(metadata, Math.max(due, now - slack));
    await callWithin(within, (ended) => port.patch(resources.services, service, patch, { type: 'merge', signal: ended }));
    return { outcome: 'kicked' };
  } catch (error) {
    return hasReason(error, 'NotFound') ? { outcome: 'gone' } : { outcome: 'retried', error };
  }
}

const longestCall = 10_000;

/** Of this very version, so that of several replicas one writes, and the others find that it has. */
const patchOf = ({ resourceVersion }: ApiObjectMeta, until: number): unknown => ({
  metadata: { resourceVersion, annotations: { [overridesDueAnnotation]: new Date(until).toISOString() } },
});

function lastKick({ annotations }: ApiObjectMeta): number {
  const time = Date.parse(annotations?.[overridesDueAnnotation] ?? '');
  return Number.isFinite(time) ? time : Number.NEGATIVE_INFINITY;
}
