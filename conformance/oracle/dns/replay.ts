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

/** The library's answers to a case. */
export function replayDns(release: string, asked: DnsCase): DnsCaseAnswer {
  const zone = createClusterZone(configOf(release, asked), { objects: asked.objects, now: () => serial * 1000 });
  const outside = outsideOf(asked.upstream ?? []);
  const transfers = asked.transfers?.map((name) => ({ zone: name, records: texts([...zone.transfer(name)]) }));
  return {
    id: asked.id,
    answers: asked.queries.map((question) => outcomeOf(question, replyTo(zone, question, outside))),
    ...(transfers?.length && { transfers }),
  };
}

/** A case's options in the library's form. */
export const configOf = (release: string, asked: DnsCase): DnsConfig => ({
  release,
  zones: asked.zones ?? [asked.zone, 'in-addr.arpa', 'ip6.arpa'],
  pods: asked.podMode,
  endpointPodNames: asked.endpointNameMode,
  ttl: asked.ttl,
  ...(asked.namespaces && { namespaces: asked.namespaces }),
  ...(asked.ignoreEmptyService !== undefined && { ignoreEmptyService: asked.ignoreEmptyService }),
  ...(asked.noEndpoints !== undefined && { noEndpoints: asked.noEndpoints }),
  ...(asked.fallthrough !== undefined && { fallthrough: asked.fallthrough }),
  ...(asked.localIPs && { localIPs: asked.localIPs }),
});

type Outside = (question: DnsQuestion) => DnsReply;

function replyTo(zone: ClusterZone, question: DnsQuestion, outside: Outside): DnsReply {
  const answer = zone.answer(question);
  if (answer.outside) return withOutside(answer, outside(answer.outside), ...(answer.alsoOutside ?? []).map(outside));
  return answer.reply ?? outside(question);
}

/** Follows aliases; a name without records does not exist. */
function outsideOf(lines: readonly string[]): Outside {
  const records = lines.map(parseRecord);
  return ({ name, type }) => {
    const answer: DnsRecord[] = [];
    let exists = false;
    for (let owner: string | undefined = absolute(name), hops = 0; owner !== undefined && hops < 8; hops++) {
      const found: DnsRecord[] = records.filter((record) => record.name === owner);
      exists ||= found.length > 0;
      answer.push(...found.filter((record) => record.type === type || record.type === 'CNAME'));
      const alias = found.find((record) => record.type === 'CNAME' && type !== 'CNAME');
      owner = alias?.type === 'CNAME' ? absolute(alias.target) : undefined;
    }
    return { rcode: exists ? 'NOERROR' : 'NXDOMAIN', authoritative: false, answer, authority: [], additional: [] };
  };
}

const absolute = (name: string): string => `${name}.`.replace(/\.\.$/, '.').toLowerCase();

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
  answer: texts(answer),
  ns: texts(authority),
  extra: texts(additional),
});

const texts = (records: readonly DnsRecord[]): string[] => records.map(formatRecord).sort();
