import type { DnsAnswer, DnsQuestion, DnsReply, Resolver } from 'kube-endpoints/dns';
import type { DnsSettings } from './options.ts';

/**
 * Looks up the names outside that an answer leads to, all at the same time; a reply for each, undefined where it could not be looked up
 * within the time there is. Those beyond the limit are not looked up. Mirrors A and AAAA (CoreDNS 1.14, plugin/backend_lookup.go), which
 * have no such limits, and ask for one after the other.
 */
export async function lookUpOutside(
  { outside, alsoOutside = [] }: DnsAnswer,
  { resolver, limits, clock, tell }: Pick<DnsSettings, 'limits' | 'clock' | 'tell'> & { readonly resolver: Resolver },
  signal: AbortSignal,
): Promise<readonly (DnsReply | undefined)[]> {
  const questions = outside ? [outside, ...alsoOutside].slice(0, limits.outside) : [];
  const end = new AbortController();
  // A resolver need not heed the signal.
  const over = new Promise<never>((_, reject) => {
    end.signal.addEventListener('abort', () => reject(end.signal.reason), { once: true });
  });
  over.catch(() => {});
  const stop = (): void => end.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const call = clock.schedule(() => end.abort(new Error(`no answer within ${limits.outsideMs} ms`)), limits.outsideMs);
  const lookUp = async (question: DnsQuestion): Promise<DnsReply | undefined> => {
    try {
      return await Promise.race([resolver.resolve(question, end.signal), over]);
    } catch (error) {
      tell({ kind: 'failed', what: 'outside', error });
      return undefined;
    }
  };
  try {
    return await Promise.all(questions.map(lookUp));
  } finally {
    call.cancel();
    signal.removeEventListener('abort', stop);
  }
}
