import {
  answerQuestion,
  type DnsAnswer,
  type DnsConfig,
  type DnsObjects,
  type DnsReply,
  explainAnswer,
  formatRecord,
} from '../../src/dns/index.ts';
import { shopObjects } from './cluster.ts';

/** An answer with its records as text. */
interface QueryResult {
  readonly rcode: string | undefined;
  readonly answer: string[];
  readonly additional: string[];
  readonly authority: string[];
  readonly code: string;
  readonly explanation: string;
  readonly outside: DnsAnswer['outside'];
  readonly dnsAnswer: DnsAnswer;
}

/** Answers a question such as "web.shop.svc.cluster.local. SRV"; the default type is A. */
export function queryDns(
  question: string,
  { objects = shopObjects, ...config }: DnsConfig & { readonly objects?: DnsObjects } = {},
): QueryResult {
  const [name = '', type = 'A'] = question.split(' ');
  const answer = answerQuestion({ name, type }, objects, config);
  return {
    rcode: answer.reply?.rcode,
    answer: textsOf(answer.reply?.answer),
    additional: textsOf(answer.reply?.additional),
    authority: textsOf(answer.reply?.authority),
    code: answer.reason.code,
    explanation: explainAnswer(answer.reason),
    outside: answer.outside,
    dnsAnswer: answer,
  };
}

/** Appends ".svc.cluster.local." to the name in a question such as "web.shop" or "web.shop SRV". */
export const svc = (name: string): string =>
  name.includes(' ') ? name.replace(' ', `.svc.cluster.local. `) : `${name}.svc.cluster.local.`;

export const textsOf = (records: DnsReply['answer'] = []): string[] => records.map(formatRecord);
