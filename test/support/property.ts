import fc from 'fast-check';

/**
 * fast-check for every test here. Each run draws values of its own, unless PROPERTY_SEED says which: the same seed draws the same values,
 * wherever and whenever.
 */
const seed = process.env['PROPERTY_SEED'];
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

export { fc };
