/**
 * Long tests run completely in `npm run test:full` and as a sample in `npm test`. The sample depends on the seed, which
 * vitest.config.ts derives from the committed tree: a commit selects a different sample, a repeated run the same sample.
 */
export const isFull: boolean = process.env['KUBE_ENDPOINTS_FULL'] === '1';

const seed = Number(process.env['PROPERTY_SEED'] ?? 0);

/** The number of runs out of `count`: all in a full run, otherwise the given fraction, at least one. */
export const sampledRunCount = (count: number, fraction = 0.1): number => (isFull ? count : Math.max(1, Math.ceil(count * fraction)));

/** Returns the whole list in a full run, otherwise every `step`-th element, with an offset that depends on the seed. */
export function sampled<T>(list: readonly T[], step = 10): readonly T[] {
  return isFull ? list : list.filter((_, index) => index % step === seed % Math.min(step, Math.max(1, list.length)));
}
