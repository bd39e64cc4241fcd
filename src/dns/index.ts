/** The records of a cluster as a pure function of its objects: what CoreDNS' kubernetes plugin answers, by release, and why. */

export type { DnsAnswer, DnsQuestion, DnsRcode, DnsRecord, DnsRecordType, DnsReply, Resolver } from './answer.ts';
export { withOutside } from './answer.ts';
export { formatRecord } from './format.ts';
export { type DnsGate, type DnsGateName, dnsGates } from './gates.ts';
export { type NameKind, type ParsedName, type ParsedRequest, parseName } from './grammar.ts';
export type { DnsNamespace, DnsObjects, DnsService } from './objects.ts';
export { type DnsReason, type DnsReasonCode, dnsMends, dnsReasons, explainAnswer, mendAnswer } from './reasons.ts';
export type { DnsConfig, PodMode } from './settings.ts';
export type { ClusterZone, ZoneObjects } from './zone-of-cluster.ts';
export { answerQuestion, createClusterZone, type ZoneOptions } from './zone-of-cluster.ts';
