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
import { escapeUnprintable, wrap } from '../print/text.ts';

interface LookupRequest {
  readonly query: { readonly name: string; readonly types: readonly string[] };
  readonly search: Search;
}

/** Reports the records of a name, or the reason for an empty answer, with the names that were tried. */
export function reportLookups(lookups: readonly NameLookup[], request: LookupRequest): Report {
  const records = recordsOf(lookups);
  const additionalRecords = [
    ...new Map(lookups.flatMap(({ additional }) => additional).map((record) => [formatRecord(record), record])).values(),
  ];
  const outsideNames = [...new Set(lookups.flatMap(({ outside }) => outside ?? []))];
  return {
    hasFindings: records.length === 0,
    hints: [
      ...request.search.hints,
      ...outsideNames.map((name) => `${name} is outside of the cluster, and is not looked up here.`),
      ...(records.length === 0 ? createOutsideNameHints(lookups, request) : []),
    ],
    text: (style) => [
      ...(records.length > 0 ? [...formatRecordTable([...records, ...(style.wide ? additionalRecords : [])], style), ''] : []),
      ...formatReasonLines(lookups, request, style),
      '',
      ...formatLookupTable(lookups, style),
      ...formatSearchLines(request.search, style),
    ],
    data: () => ({
      name: request.query.name,
      types: request.query.types,
      found: records.length > 0,
      records,
      additional: additionalRecords,
      search: { from: request.search.client, searches: request.search.searches, ndots: request.search.ndots },
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

/** Returns a hint that a name of several labels was not looked up, because it may exist outside of the cluster. */
function createOutsideNameHints(lookups: readonly NameLookup[], { query }: LookupRequest): readonly string[] {
  const outsideLookup = lookups.find(({ rcode, question }) => rcode === 'REFUSED' && question.name.split('.').length > 2);
  return outsideLookup && lookups.length > query.types.length
    ? [`${outsideLookup.question.name} itself is outside of the cluster, and is not looked up here.`]
    : [];
}

/** Collects the records of all answers. A record that answers several questions, such as a CNAME, is included once. */
const recordsOf = (lookups: readonly NameLookup[]): readonly DnsRecord[] => [
  ...new Map(lookups.flatMap(({ answer }) => answer).map((record) => [formatRecord(record), record])).values(),
];

const formatRecordTable = (records: readonly DnsRecord[], style: Style): string[] =>
  formatTable(
    ['NAME', 'TTL', 'TYPE', 'VALUE'],
    records.map((record) => [cell(record.name, 'green'), cell(record.ttl), cell(record.type), cell(contentOf(record))]),
    style,
  );

/** Returns the record data in text form. */
const contentOf = (record: DnsRecord): string => formatRecord(record).slice(`${record.name} ${record.ttl} IN ${record.type} `.length);

/** Formats the reason for the records; without records, the most relevant reason for the empty answer, and its fix. */
function formatReasonLines(lookups: readonly NameLookup[], request: LookupRequest, style: Style): string[] {
  const answeredLookup = lookups.findLast(({ answer }) => answer.length > 0);
  if (answeredLookup) return wrap(escapeUnprintable(answeredLookup.reason), style.width);
  const mostRelevantLookup = findMostRelevantLookup(lookups, request);
  if (!mostRelevantLookup) return [];
  const { reason, remedy, rcode } = mostRelevantLookup;
  const prefix = verdictPrefixes[rcode] ?? `${rcode}: `;
  return [
    ...wrap(escapeUnprintable(`${prefix}${reason}`), style.width).map((line) => style.paint(line, 'red')),
    ...(remedy === undefined ? [] : wrap(escapeUnprintable(remedy), style.width)),
  ];
}

const verdictPrefixes: Readonly<Record<string, string>> = {
  NOERROR: 'No such record (NODATA): ',
  NXDOMAIN: 'Not found (NXDOMAIN): ',
  REFUSED: 'Outside of the cluster: ',
};

/**
 * Finds the most relevant failed lookup, in this order: of an existing name, of a name of an existing Service, of the expansion that a name
 * with this number of dots usually means. "web" is in the namespace of the pod, "web.shop" in the namespace "shop".
 */
function findMostRelevantLookup(lookups: readonly NameLookup[], { query, search }: LookupRequest): NameLookup | undefined {
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

/** Formats the lookups. Record types with the same result share one row. */
function formatLookupTable(lookups: readonly NameLookup[], style: Style): string[] {
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
        createAnswerCell(group[0] as NameLookup),
        cell(reason),
      ];
    }),
    style,
  );
}

function createAnswerCell({ rcode, answer }: NameLookup): Cell {
  if (answer.length > 0) return cell('found', 'green');
  if (rcode === 'REFUSED') return cell('left to others', 'dim');
  return cell(rcode === 'NOERROR' ? 'NODATA' : rcode, 'red');
}

const formatSearchLines = ({ client, searches, ndots, names }: Search, style: Style): string[] =>
  names.length > 1
    ? [
        '',
        ...wrap(`Search path of ${escapeUnprintable(client)}: ${searches.map(escapeUnprintable).join(' ')}; ndots ${ndots}.`, style.width),
      ]
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
  /** The client pod; without a pod, the namespace of the client. */
  readonly client: string;
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

/** Creates the search path of a pod. Without a pod, assumes a pod with default DNS settings in the namespace. */
export function createSearch(name: string, { pod, namespace, zone }: SearchOptions): Search {
  // Validation of the input has ensured the DNS fields.
  const { searches, ndots, nameservers, policy } = resolverOf(pod as TracePod | undefined, namespace, zone);
  const client = pod ? `pod ${objectKey(pod)}` : `namespace ${namespace}`;
  const otherResolver =
    nameservers === 'node' ? 'the resolver of its node' : `its own servers (${nameservers === 'cluster' ? '' : nameservers.join(', ')})`;
  return {
    client,
    searches,
    ndots,
    names: candidatesOf(name, { searches, ndots }),
    hints:
      nameservers === 'cluster'
        ? []
        : [`With dnsPolicy ${policy}, ${client} asks ${otherResolver}: this is what the cluster's DNS would answer it.`],
  };
}
