import { pause } from '@kube-endpoints/controllers/internal';
import type { Clock } from 'kube-endpoints/port';

/**
 * Resolves when the caches are complete, nothing is left to do, and nothing new has come for a while: what was written comes back as an
 * event, and may be a reason to do something more.
 */
export async function untilQuiet(
  host: { readonly ready: boolean; readonly idle: boolean },
  progress: { readonly activity: number },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  let seen = -1;
  let quiet = 0;
  while (quiet < rounds && !signal.aborted) {
    await pause(clock, period, signal);
    quiet = host.ready && host.idle && progress.activity === seen ? quiet + 1 : 0;
    seen = progress.activity;
  }
}

/** A quarter of a second in all. */
const rounds = 5;
const period = 50;
