/**
 * How much of the long tests a run takes: all of it in `npm run test:full`, a sample in `npm test`. The sample follows from the seed, which
 * vitest.config.ts derives from the tree: each change is tested on a sample of its own, and again on the same one.
 */
export const isFull: boolean = process.env['KUBE_ENDPOINTS_FULL'] === '1';

const seed = Number(process.env['PROPERTY_SEED'] ?? 0);

/** The number of runs out of `count`: all of them, or a tenth. */
export const runs = (count: number, fraction = 0.1): number => (isFull ? count : Math.max(1, Math.ceil(count * fraction)));

/** A list, or every tenth of it, beginning at a place that follows from the seed. */
export function sampled<T>(list: readonly T[], step = 10): readonly T[] {
  return isFull ? list : list.filter((_, place) => place % step === seed % Math.min(step, Math.max(1, list.length)));
}
