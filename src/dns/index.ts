/**
 * The DNS records of a cluster as a pure function of its objects: the answers that the kubernetes plugin of each CoreDNS release would
 * give, and why.
 */
export { type DnsAnswer, type DnsQuestion, type DnsRecord, type DnsReply, withOutside } from './answer.ts';
export { answerQuestion, type ClusterZone, createClusterZone } from './cluster-zone.ts';
export { compareRecords, coreDNSReleases, type RecordChange } from './compare.ts';
export { formatRecord } from './format.ts';
export { dnsGates } from './gates.ts';
export { parseName } from './grammar.ts';
export type { DnsObjects } from './objects.ts';
export { dnsReasons, explainAnswer, suggestRemedy } from './reasons.ts';
export type { DnsConfig } from './settings.ts';
