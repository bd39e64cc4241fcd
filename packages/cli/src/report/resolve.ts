import {
  type ClusterZone,
  type DnsAnswer,
  type DnsQuestion,
  type DnsRecord,
  explainAnswer,
  formatRecord,
  suggestRemedy,
} from 'kube-endpoints/dns';
import { candidatesOf, type DnsRcode, resolverOf, type TracePod } from 'kube-endpoints/internal';
import { objectKey } from 'kube-endpoints/internal/apimachinery';
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
export function reportLookups(lookups: readonly NameLookup[], question: Question): Report {
  const records = recordsOf(lookups);
  const additionalRecords = [
    ...new Map(lookups.flatMap(({ additional }) => additional).map((record) => [formatRecord(record), record])).values(),
  ];
  const outsideNames = [...new Set(lookups.flatMap(({ outside }) => outside ?? []))];
  return {
    hasFindings: records.length === 0,
    hints: [
      ...question.search.hints,
      ...outsideNames.map((name) => `${name} is outside of the cluster, and is not looked up here.`),
      ...(records.length === 0 ? outsideNameHint(lookups, question) : []),
    ],
    text: (style) => [
      ...(records.length > 0 ? [...recordTable([...records, ...(style.wide ? additionalRecords : [])], style), ''] : []),
      ...reasonLines(lookups, question, style),
      '',
      ...lookupTable(lookups, style),
      ...searchLines(question.search, style),
    ],
    data: () => ({
      name: question.query.name,
      types: question.query.types,
      found: records.length > 0,
      records,
      additional: additionalRecords,
      search: { from: question.search.from, searches: question.search.searches, ndots: question.search.ndots },
      tried: lookups.map(({ question: { name, type }, rcode, answer, additional: _, code, ...explanation }) => ({
        name,
        type,
        rcode,
        records: answer.length,
        code,
        ...explanation,
      })),
    }),
  };
}

/** A name of several labels may exist outside of the cluster, so a hint says that it was not looked up. */
function outsideNameHint(lookups: readonly NameLookup[], { query }: Question): readonly string[] {
  const outsideLookup = lookups.find(({ rcode, question }) => rcode === 'REFUSED' && question.name.split('.').length > 2);
  return outsideLookup && lookups.length > query.types.length
    ? [`${outsideLookup.question.name} itself is outside of the cluster, and is not looked up here.`]
    : [];
}

/** A record that answers several questions, such as a CNAME, is shown once. */
const recordsOf = (lookups: readonly NameLookup[]): readonly DnsRecord[] => [
  ...new Map(lookups.flatMap(({ answer }) => answer).map((record) => [formatRecord(record), record])).values(),
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
function reasonLines(lookups: readonly NameLookup[], question: Question, style: Style): string[] {
  const answeredLookup = lookups.findLast(({ answer }) => answer.length > 0);
  if (answeredLookup) return wrap(printable(answeredLookup.reason), style.width);
  const mostRelevant = findMostRelevant(lookups, question);
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
 * The most relevant failed name: an existing name, then a name of an existing Service, then the expansion that a name with this number of
 * dots usually means: "web" is in the namespace of the pod, "web.shop" in the namespace "shop".
 */
function findMostRelevant(lookups: readonly NameLookup[], { query, search }: Question): NameLookup | undefined {
  const usualName = search.names[Math.min(query.name.split('.').length - 1, search.names.length - 1)];
  const clusterLookups = lookups.filter(({ rcode }) => rcode !== 'REFUSED');
  return (
    clusterLookups.find(({ rcode }) => rcode === 'NOERROR') ??
    clusterLookups.find(({ code }) => !noServiceCodes.has(code)) ??
    clusterLookups.find(({ question }) => question.name === usualName) ??
    clusterLookups.find(({ code }) => code === 'ServiceNotFound') ??
    clusterLookups[0] ??
    lookups[0]
  );
}

/** Codes for names that do not match any Service. */
const noServiceCodes: ReadonlySet<string> = new Set([
  'ServiceNotFound',
  'NamespaceNotFound',
  'NameTooDeep',
  'NameNotOfCluster',
  'NameMalformed',
]);

/** Types with the same result share one row. */
function lookupTable(lookups: readonly NameLookup[], style: Style): string[] {
  const rows = Map.groupBy(lookups, ({ question, rcode, answer, reason }) =>
    JSON.stringify([question.name, rcode, answer.length > 0, reason]),
  );
  return formatTable(
    ['TRIED', 'TYPE', 'ANSWER', 'WHY'],
    [...rows.values()].map((group) => {
      const { question, reason } = group[0] as NameLookup;
      return [
        cell(question.name),
        cell(group.map(({ question: { type } }) => type).join(',')),
        answerCell(group[0] as NameLookup),
        cell(reason),
      ];
    }),
    style,
  );
}

function answerCell({ rcode, answer }: NameLookup): Cell {
  if (answer.length > 0) return cell('found', 'green');
  if (rcode === 'REFUSED') return cell('left to others', 'dim');
  return cell(rcode === 'NOERROR' ? 'NODATA' : rcode, 'red');
}

const searchLines = ({ from, searches, ndots, names }: Search, style: Style): string[] =>
  names.length > 1
    ? ['', ...wrap(`Search path of ${printable(from)}: ${searches.map(printable).join(' ')}; ndots ${ndots}.`, style.width)]
    : [];

/** A question and the answer of the cluster's DNS. */
export interface NameLookup {
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
export function lookUpAll(zone: Pick<ClusterZone, 'answer'>, names: readonly string[], types: readonly string[]): readonly NameLookup[] {
  const lookups: NameLookup[] = [];
  for (const name of names) {
    const answers = types.map((type) => toNameLookup({ name, type }, zone.answer({ name, type })));
    lookups.push(...answers);
    if (answers.some(({ answer }) => answer.length > 0)) break;
  }
  return lookups;
}

function toNameLookup(question: DnsQuestion, { reply, reason, outside, alsoOutside = [] }: DnsAnswer): NameLookup {
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
export function createSearch(name: string, { pod, namespace, zone }: SearchOptions): Search {
  // Validation of the input has ensured the DNS fields.
  const { searches, ndots, nameservers, policy } = resolverOf(pod as TracePod | undefined, namespace, zone);
  const client = pod ? `pod ${objectKey(pod)}` : `namespace ${namespace}`;
  const otherResolver =
    nameservers === 'node' ? 'the resolver of its node' : `its own servers (${nameservers === 'cluster' ? '' : nameservers.join(', ')})`;
  return {
    from: client,
    searches,
    ndots,
    names: candidatesOf(name, { searches, ndots }),
    hints:
      nameservers === 'cluster'
        ? []
        : [`With dnsPolicy ${policy}, ${client} asks ${otherResolver}: this is what the cluster's DNS would answer it.`],
  };
}
