import fc from 'fast-check';

/**
 * fast-check for all tests. With PROPERTY_SEED, each run generates the same values; without it, each run generates different ones.
 */
const seed = process.env['PROPERTY_SEED'];
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  ...(seed !== undefined && { seed: Number(seed) }),
  // Finding the smallest failing value can take longer than all of CI. A run elsewhere with the same seed finds it.
  endOnFailure: process.env['CI'] !== undefined,
});

export { fc };
