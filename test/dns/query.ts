import {
  answerQuestion,
  type DnsAnswer,
  type DnsConfig,
  type DnsObjects,
  type DnsReply,
  explainAnswer,
  formatRecord,
} from '../../src/dns/index.ts';
import { shop } from './cluster.ts';

/** An answer with its records as text. */
interface AskResult {
  readonly rcode: string | undefined;
  readonly answer: string[];
  readonly additional: string[];
  readonly authority: string[];
  readonly code: string;
  readonly why: string;
  readonly outside: DnsAnswer['outside'];
  readonly whole: DnsAnswer;
}

/** Asks a question such as "web.shop.svc.cluster.local. SRV"; the default type is A. */
export function ask(question: string, { objects = shop, ...config }: DnsConfig & { readonly objects?: DnsObjects } = {}): AskResult {
  const [name = '', type = 'A'] = question.split(' ');
  const answer = answerQuestion({ name, type }, objects, config);
  return {
    rcode: answer.reply?.rcode,
    answer: textsOf(answer.reply?.answer),
    additional: textsOf(answer.reply?.additional),
    authority: textsOf(answer.reply?.authority),
    code: answer.reason.code,
    why: explainAnswer(answer.reason),
    outside: answer.outside,
    whole: answer,
  };
}

/** A name below svc in the cluster's zone. */
export const svc = (name: string): string =>
  name.includes(' ') ? name.replace(' ', `.svc.cluster.local. `) : `${name}.svc.cluster.local.`;

export const textsOf = (records: DnsReply['answer'] = []): string[] => records.map(formatRecord);
