import fc from 'fast-check';

/**
 * fast-check for all tests. With PROPERTY_SEED, each run generates the same values; without it, each run generates different ones.
 */
const seed = process.env['PROPERTY_SEED'];
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

export { fc };
