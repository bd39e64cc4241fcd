/** For packages of this repository only. Not covered by semantic versioning: they depend on this exact version. */

export { createAddressList } from './options.ts';
export { addressBytes } from './packet/address.ts';
export { typeCode } from './packet/types.ts';
export type { DnsServerObserver } from './server-event.ts';
export { readServer } from './upstream/resolver.ts';
