export { type Gate, type GateName, gates } from './gates.ts';
export { newest, type Profile, profileFor } from './profile.ts';
