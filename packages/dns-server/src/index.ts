/** A DNS server over UDP and TCP for the records of a cluster, and a resolver for what is outside of it. */
export type { DnsHappening, DnsTransport, TellDns } from './happening.ts';
export { createDnsMetrics, type DnsMetrics, type DnsMetricsOptions } from './metrics.ts';
export { type DnsLimits, type DnsServerOptions, defaultDnsLimits } from './options.ts';
export { createDnsServer, type DnsPlace, type DnsServer } from './server.ts';
export { createUpstreamResolver, type UpstreamOptions, type UpstreamResolver } from './upstream/resolver.ts';
