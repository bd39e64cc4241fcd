/** A DNS server over UDP and TCP for the records of a cluster, and a resolver for names outside of it. Needs Node.js. */

export { createDnsMetrics } from './metrics.ts';
export { type DnsLimits, type DnsServerOptions, defaultDnsLimits } from './options.ts';
export { createDnsServer, type DnsServer } from './server.ts';
export type { DnsServerEvent } from './server-event.ts';
export { createUpstreamResolver } from './upstream/resolver.ts';
