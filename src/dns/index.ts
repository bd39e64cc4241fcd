/** The records of a cluster as a pure function of its objects: what CoreDNS' kubernetes plugin answers, by release, and why. */

export type { DnsAnswer, DnsQuestion, DnsRcode, DnsReply, Resolver } from './answer.ts';
export { answerQuestion } from './answer-question.ts';
export type { DnsConfig, PodMode } from './config.ts';
export { explainAnswer, mendAnswer } from './explain.ts';
export { formatRecord } from './format.ts';
export { type DnsGate, type DnsGateName, dnsGates } from './gates.ts';
export { type NameKind, type ParsedName, type ParsedRequest, parseName } from './grammar.ts';
export type { DnsNamespace, DnsObjects, DnsService } from './objects.ts';
export { withOutside } from './outside.ts';
export { type DnsReason, type DnsReasonCode, dnsMends, dnsReasons } from './reasons.ts';
export type { DnsRecord, DnsRecordType } from './records.ts';
export type { ClusterZone, ZoneObjects } from './zone.ts';
export { createClusterZone, type ZoneOptions } from './zone-of-cluster.ts';
