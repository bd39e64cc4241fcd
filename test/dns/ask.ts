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

/** An answer as tests look at it: records as text. */
interface Asked {
  readonly rcode: string | undefined;
  readonly answer: string[];
  readonly additional: string[];
  readonly authority: string[];
  readonly code: string;
  readonly why: string;
  readonly outside: DnsAnswer['outside'];
  readonly whole: DnsAnswer;
}

/** What is asked: "web.shop.svc.cluster.local. SRV"; A where no type is said. */
export function ask(question: string, { objects = shop, ...config }: DnsConfig & { readonly objects?: DnsObjects } = {}): Asked {
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

/** A name below the zone of the cluster. */
export const svc = (name: string): string =>
  name.includes(' ') ? name.replace(' ', `.svc.cluster.local. `) : `${name}.svc.cluster.local.`;

export const textsOf = (records: DnsReply['answer'] = []): string[] => records.map(formatRecord);
