/** What the command line shares with the DNS server beyond the public entry. Not covered by semantic versioning: it pins this exact version. */
export { createAddressList } from './address-list.ts';
export { typeCode } from './packet/types.ts';
export { readServer } from './upstream/servers.ts';
