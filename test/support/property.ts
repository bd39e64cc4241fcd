import fc from 'fast-check';

/**
 * fast-check for every test here. Each run draws values of its own, unless PROPERTY_SEED says which: the same seed draws the same values,
 * wherever and whenever.
 */
const seed = process.env['PROPERTY_SEED'];
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

export { fc };

/** How often a property runs: `count` times, or as many times that as PROPERTY_RUNS says. */
export const runs = (count: number): number => Math.ceil(count * Number(process.env['PROPERTY_RUNS'] ?? 1));
