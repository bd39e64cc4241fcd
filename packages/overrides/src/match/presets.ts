import type { RangePreset } from '../rule.ts';

/** The ranges of presets, as in what the API server itself refuses in Endpoints. */
export const presetRanges: Readonly<Record<Exclude<RangePreset, 'pods-of-other-namespaces'>, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  unspecified: ['0.0.0.0/32', '::/128'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
};
