import type { ReleaseOptions } from '../../src/versions/index.ts';

/** The options of a release in which kube-controller-manager runs the EndpointSlice controller. In 1.17, a feature gate must be set. */
export const withSliceController = (version: string): ReleaseOptions & { readonly version: string } => ({
  version,
  ...(/^1\.17(\.|$)/.test(version) && { featureGates: { EndpointSlice: true } }),
});
