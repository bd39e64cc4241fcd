import {
  type ClusterZone,
  type DnsAnswer,
  type DnsQuestion,
  type DnsRecord,
  explainAnswer,
  formatRecord,
  suggestRemedy,
} from 'kube-endpoints/dns';
import { candidatesOf, type DnsRcode, objectKey, resolverOf, type TracePod } from 'kube-endpoints/internal';
import type { Pod } from 'kube-endpoints/types';
import type { Report } from '../print/report.ts';
import type { Style } from '../print/style.ts';
import { type Cell, cell, formatTable } from '../print/table.ts';
import { printable, wrap } from '../print/text.ts';

interface Question {
  readonly query: { readonly name: string; readonly types: readonly string[] };
  readonly search: Search;
}

/** Reports the records of a name, or the reason for an empty answer, with the names that were tried. */
export function reportResolved(tried: readonly Tried[], question: Question): Report {
  const records = recordsOf(tried);
  const beside = [...new Map(tried.flatMap(({ additional }) => additional).map((record) => [formatRecord(record), record])).values()];
  const outside = [...new Set(tried.flatMap((each) => each.outside ?? []))];
  return {
    found: records.length === 0,
    hints: [
      ...question.search.hints,
      ...outside.map((name) => `${name} is outside of the cluster, and is not looked up here.`),
      ...(records.length === 0 ? leftToOthers(tried, question) : []),
    ],
    text: (style) => [
      ...(records.length > 0 ? [...recordTable([...records, ...(style.wide ? beside : [])], style), ''] : []),
      ...reasonLines(tried, question, style),
      '',
      ...triedTable(tried, style),
      ...searchLines(question.search, style),
    ],
    data: () => ({
      name: question.query.name,
      types: question.query.types,
      found: records.length > 0,
      records,
      additional: beside,
      search: { from: question.search.from, searches: question.search.searches, ndots: question.search.ndots },
      tried: tried.map(({ question: { name, type }, rcode, answer, additional: _, code, ...why }) => ({
        name,
        type,
        rcode,
        records: answer.length,
        code,
        ...why,
      })),
    }),
  };
}

/** A name of several labels may exist outside of the cluster, so a hint says that it was not looked up. */
function leftToOthers(tried: readonly Tried[], { query }: Question): readonly string[] {
  const own = tried.find(({ rcode, question }) => rcode === 'REFUSED' && question.name.split('.').length > 2);
  return own && tried.length > query.types.length
    ? [`${own.question.name} itself is outside of the cluster, and is not looked up here.`]
    : [];
}

/** A record that answers several questions, such as a CNAME, is shown once. */
const recordsOf = (tried: readonly Tried[]): readonly DnsRecord[] => [
  ...new Map(tried.flatMap(({ answer }) => answer).map((record) => [formatRecord(record), record])).values(),
];

const recordTable = (records: readonly DnsRecord[], style: Style): string[] =>
  formatTable(
    ['NAME', 'TTL', 'TYPE', 'VALUE'],
    records.map((record) => [cell(record.name, 'green'), cell(record.ttl), cell(record.type), cell(contentOf(record))]),
    style,
  );

/** The record data in text form. */
const contentOf = (record: DnsRecord): string => formatRecord(record).slice(`${record.name} ${record.ttl} IN ${record.type} `.length);

/** The reason for the records; if there are none, the most relevant reason and its fix. */
function reasonLines(tried: readonly Tried[], question: Question, style: Style): string[] {
  const found = tried.findLast(({ answer }) => answer.length > 0);
  if (found) return wrap(printable(found.reason), style.width);
  const mostRelevant = nearest(tried, question);
  if (!mostRelevant) return [];
  const { reason, remedy, rcode } = mostRelevant;
  const verdict = verdicts[rcode] ?? `${rcode}: `;
  return [
    ...wrap(printable(`${verdict}${reason}`), style.width).map((line) => style.paint(line, 'red')),
    ...(remedy === undefined ? [] : wrap(printable(remedy), style.width)),
  ];
}

const verdicts: Readonly<Record<string, string>> = {
  NOERROR: 'No such record (NODATA): ',
  NXDOMAIN: 'Not found (NXDOMAIN): ',
  REFUSED: 'Outside of the cluster: ',
};

/**
 * The most relevant failed name: one that exists, then one with an existing Service, then the one that a name with so many dots usually
 * means ("web" in the namespace of the pod, "web.shop" in another namespace).
 */
function nearest(tried: readonly Tried[], { query, search }: Question): Tried | undefined {
  const meant = search.names[Math.min(query.name.split('.').length - 1, search.names.length - 1)];
  const ofCluster = tried.filter(({ rcode }) => rcode !== 'REFUSED');
  return (
    ofCluster.find(({ rcode }) => rcode === 'NOERROR') ??
    ofCluster.find(({ code }) => !vague.has(code)) ??
    ofCluster.find(({ question }) => question.name === meant) ??
    ofCluster.find(({ code }) => code === 'ServiceNotFound') ??
    ofCluster[0] ??
    tried[0]
  );
}

/** Codes for names that do not match any Service. */
const vague: ReadonlySet<string> = new Set(['ServiceNotFound', 'NamespaceNotFound', 'NameTooDeep', 'NameNotOfCluster', 'NameMalformed']);

/** Types with the same result share one row. */
function triedTable(tried: readonly Tried[], style: Style): string[] {
  const rows = Map.groupBy(tried, ({ question, rcode, answer, reason }) =>
    JSON.stringify([question.name, rcode, answer.length > 0, reason]),
  );
  return formatTable(
    ['TRIED', 'TYPE', 'ANSWER', 'WHY'],
    [...rows.values()].map((same) => {
      const { question, reason } = same[0] as Tried;
      return [cell(question.name), cell(same.map((each) => each.question.type).join(',')), answerCell(same[0] as Tried), cell(reason)];
    }),
    style,
  );
}

function answerCell({ rcode, answer }: Tried): Cell {
  if (answer.length > 0) return cell('found', 'green');
  if (rcode === 'REFUSED') return cell('left to others', 'dim');
  return cell(rcode === 'NOERROR' ? 'NODATA' : rcode, 'red');
}

const searchLines = ({ from, searches, ndots, names }: Search, style: Style): string[] =>
  names.length > 1
    ? ['', ...wrap(`Search path of ${printable(from)}: ${searches.map(printable).join(' ')}; ndots ${ndots}.`, style.width)]
    : [];

/** A question and the answer of the cluster's DNS. */
export interface Tried {
  readonly question: DnsQuestion;
  /** "REFUSED" if the name is outside of the cluster's zones. */
  readonly rcode: DnsRcode;
  readonly answer: readonly DnsRecord[];
  readonly additional: readonly DnsRecord[];
  readonly code: string;
  /** The reason, as a sentence. */
  readonly reason: string;
  readonly remedy?: string;
  /** Names outside of the cluster that the answer points to. */
  readonly outside?: readonly string[];
}

/** Looks up one name after the other, each for all types, until there are records, as glibc's resolver does. */
export function lookUpAll(zone: Pick<ClusterZone, 'answer'>, names: readonly string[], types: readonly string[]): readonly Tried[] {
  const tried: Tried[] = [];
  for (const name of names) {
    const answers = types.map((type) => triedOf({ name, type }, zone.answer({ name, type })));
    tried.push(...answers);
    if (answers.some(({ answer }) => answer.length > 0)) break;
  }
  return tried;
}

function triedOf(question: DnsQuestion, { reply, reason, outside, alsoOutside = [] }: DnsAnswer): Tried {
  const remedy = suggestRemedy(reason);
  return {
    question,
    rcode: reply?.rcode ?? 'REFUSED',
    answer: reply?.answer ?? [],
    additional: reply?.additional ?? [],
    code: reason.code,
    reason: explainAnswer(reason),
    ...(remedy !== undefined && { remedy }),
    ...(outside && { outside: [outside, ...alsoOutside].map(({ name }) => name) }),
  };
}

/** The names that a pod's resolver tries. */
export interface Search {
  /** The client pod, or the namespace it is assumed in. */
  readonly from: string;
  readonly searches: readonly string[];
  readonly ndots: number;
  /** Absolute names, in the order in which they are tried. */
  readonly names: readonly string[];
  readonly hints: readonly string[];
}

interface SearchOptions {
  readonly pod: Pod | undefined;
  readonly namespace: string;
  /** Such as "cluster.local". */
  readonly zone: string;
}

/** The search path of a pod; without a pod, that of a pod in the namespace with default DNS settings. */
export function searchOf(name: string, { pod, namespace, zone }: SearchOptions): Search {
  // Validation of the input has ensured the DNS fields.
  const { searches, ndots, asks, policy } = resolverOf(pod as TracePod | undefined, namespace, zone);
  const who = pod ? `pod ${objectKey(pod)}` : `namespace ${namespace}`;
  const others = asks === 'node' ? 'the resolver of its node' : `its own servers (${asks === 'cluster' ? '' : asks.join(', ')})`;
  return {
    from: who,
    searches,
    ndots,
    names: candidatesOf(name, { searches, ndots }),
    hints: asks === 'cluster' ? [] : [`With dnsPolicy ${policy}, ${who} asks ${others}: this is what the cluster's DNS would answer it.`],
  };
}
