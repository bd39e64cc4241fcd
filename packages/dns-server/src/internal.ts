/** Exports for packages of this repository only, which depend on this exact version. Semantic versioning does not cover them. */

export { createAddressList } from './options.ts';
export { addressBytes } from './packet/address.ts';
export { typeCode } from './packet/types.ts';
export type { DnsServerObserver } from './server-event.ts';
export { readServer } from './upstream/resolver.ts';
