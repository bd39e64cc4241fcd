import fc from 'fast-check';

/**
 * fast-check for all tests. Each run draws other values unless PROPERTY_SEED is set: the same seed draws the same values
 * everywhere.
 */
const seed = process.env['PROPERTY_SEED'];
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

export { fc };
