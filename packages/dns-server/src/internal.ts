/** Exports for packages of this repository only, which depend on this exact version. Semantic versioning does not cover them. */

export { createAddressList } from './options.ts';
export { encodeAddress } from './packet/address.ts';
export { parseRecordType } from './packet/types.ts';
export type { DnsServerObserver } from './server-event.ts';
export { parseServerAddress } from './upstream/resolver.ts';
