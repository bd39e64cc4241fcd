import {
  type ClusterZone,
  createClusterZone,
  type DnsConfig,
  type DnsQuestion,
  type DnsRecord,
  type DnsReply,
  formatRecord,
  withOutside,
} from 'kube-endpoints/dns';
import type { DnsCase, DnsCaseAnswer, DnsOutcome } from './case.ts';

/** The serial of every SOA, instead of the time of the last change. */
const serial = 1_767_225_600;

/** Returns the library's answers to a case. */
export function replayDns(release: string, testCase: DnsCase): DnsCaseAnswer {
  const zone = createClusterZone(configOf(release, testCase), { objects: testCase.objects, now: () => serial * 1000 });
  const upstream = createUpstream(testCase.upstream ?? []);
  const transfers = testCase.transfers?.map((name) => ({ zone: name, records: formatRecords([...zone.transfer(name)]) }));
  return {
    id: testCase.id,
    answers: testCase.queries.map((question) => outcomeOf(question, replyTo(zone, question, upstream))),
    ...(transfers?.length && { transfers }),
  };
}

/** Converts a case's options to the library's form. */
export const configOf = (release: string, testCase: DnsCase): DnsConfig => ({
  release,
  zones: testCase.zones ?? [testCase.zone, 'in-addr.arpa', 'ip6.arpa'],
  pods: testCase.podMode,
  endpointPodNames: testCase.endpointNameMode,
  ttl: testCase.ttl,
  ...(testCase.namespaces && { namespaces: testCase.namespaces }),
  ...(testCase.ignoreEmptyService !== undefined && { ignoreEmptyService: testCase.ignoreEmptyService }),
  ...(testCase.noEndpoints !== undefined && { noEndpoints: testCase.noEndpoints }),
  ...(testCase.endpointSliceApi !== undefined && { endpointSliceApi: testCase.endpointSliceApi }),
  ...(testCase.fallthrough !== undefined && { fallthrough: testCase.fallthrough }),
  ...(testCase.localIPs && { localIPs: testCase.localIPs }),
});

type Upstream = (question: DnsQuestion) => DnsReply;

function replyTo(zone: ClusterZone, question: DnsQuestion, upstream: Upstream): DnsReply {
  const answer = zone.answer(question);
  if (answer.outside) return withOutside(answer, upstream(answer.outside), ...(answer.alsoOutside ?? []).map(upstream));
  return answer.reply ?? upstream(question);
}

/** Creates an upstream server that follows aliases, and answers NXDOMAIN for a name without records. */
function createUpstream(lines: readonly string[]): Upstream {
  const records = lines.map(parseRecord);
  return ({ name, type }) => {
    const answer: DnsRecord[] = [];
    let exists = false;
    for (let owner: string | undefined = toAbsolute(name), hops = 0; owner !== undefined && hops < 8; hops++) {
      const matches: DnsRecord[] = records.filter((record) => record.name === owner);
      exists ||= matches.length > 0;
      answer.push(...matches.filter((record) => record.type === type || record.type === 'CNAME'));
      const alias = matches.find((record) => record.type === 'CNAME' && type !== 'CNAME');
      owner = alias?.type === 'CNAME' ? toAbsolute(alias.target) : undefined;
    }
    return { rcode: exists ? 'NOERROR' : 'NXDOMAIN', authoritative: false, answer, authority: [], additional: [] };
  };
}

const toAbsolute = (name: string): string => `${name}.`.replace(/\.\.$/, '.').toLowerCase();

function parseRecord(line: string): DnsRecord {
  const [name = '', ttl, , type, value = ''] = line.split(' ');
  const owner = { name, ttl: Number(ttl) };
  return type === 'CNAME' ? { ...owner, type, target: value } : { ...owner, type: type as 'A' | 'AAAA', address: value };
}

const outcomeOf = ({ name, type }: DnsQuestion, { rcode, authoritative, answer, authority, additional }: DnsReply): DnsOutcome => ({
  name,
  type,
  rcode,
  aa: authoritative,
  answer: formatRecords(answer),
  ns: formatRecords(authority),
  extra: formatRecords(additional),
});

const formatRecords = (records: readonly DnsRecord[]): string[] => records.map(formatRecord).sort();
