export { type Feature, type FeatureGates, type FeatureName, features, type ReleaseOptions } from './features.ts';
export { type FeatureSwitch, type Gate, type GateName, gates } from './gates.ts';
export { newest, type Profile, profileFor } from './profile.ts';
