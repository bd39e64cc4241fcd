import { canonicalIP, objectKey } from '../../apimachinery/index.ts';
import { type DnsConfig, type DnsRecord, explainAnswer, formatRecord, parseName, suggestRemedy } from '../../dns/index.ts';
import { type Cluster, familyOf } from '../cluster.ts';
import { type Destination, findDestination, primaryOf, roleOf } from '../destination.ts';
import type { TraceService } from '../objects.ts';
import { clause, enumerate, item, note } from '../reasons.ts';
import type { Target } from '../target.ts';
import { type Draft, draft, type TraceItem, type TraceNote } from '../trace.ts';
import type { Attempt, NameLookup } from './lookup.ts';
import { findForwardedName, suggestions } from './suggest.ts';

/** The step "record" and its destination. */
export interface RecordStep {
  readonly record: Draft;
  readonly destination: Destination;
  /** The port of the SRV record, if the answer has one. */
  readonly port?: string;
}

/** Creates the step from the results of the queries. */
export function createRecordStep({ attempts, found }: NameLookup, target: Target, cluster: Cluster, config: DnsConfig = {}): RecordStep {
  if (!found) {
    const own = findForwardedName(target, attempts, cluster);
    return own ? createForwardedStep(own, attempts) : createMissingStep(attempts, cluster, config);
  }
  const destination = destinationOfAnswer(found, target, cluster);
  const addresses = addressesIn(found.records);
  const families = new Set(addresses.map(familyOf));
  const followed = 'address' in destination ? familyOf(destination.address) : 'family' in destination ? destination.family : undefined;
  const isDeadEnd = destination.kind === 'nowhere' && destination.service?.spec?.type === 'ExternalName';
  const deadEnd = isDeadEnd ? deadEndNote(found.records) : undefined;
  const notes = [
    ...(deadEnd ? [deadEnd] : []),
    reasonNote(found),
    ...(families.size > 1 && followed ? [note('FamilyFollowed', { family: followed }, 'service.spec.ipFamilies')] : []),
    ...(destination.kind === 'endpoints' ? [note('AddressesOfPods')] : []),
    ...(destination.kind === 'outside' ? [note('LeadsOut', { name: destination.description }, 'service.spec.externalName')] : []),
  ];
  const port = found.records.find(({ type }) => type === 'SRV');
  return {
    record: draft('record', `Records of ${found.name}`, {
      notes,
      chosen: found.records.map(recordItem),
      leftOut: attempts.filter((each) => each !== found).map((each) => attemptItem(each, false)),
      ...(deadEnd && { outcome: 'error', blame: clause(deadEnd.message) }),
    }),
    destination,
    ...(port?.type === 'SRV' && { port: String(port.port) }),
  };
}

/** The name belongs to another DNS server, whose answer is unknown here; this is not an error. */
export function createForwardedStep(own: Attempt, attempts: readonly Attempt[]): RecordStep {
  const name = own.name.replace(/\.$/, '');
  const leftOut = attempts.filter((each) => each !== own).map((each) => attemptItem(each, false));
  const notes = [note('NameOfOthers', { name: own.name })];
  const record = draft('record', 'Not a name of the cluster', { notes, chosen: [item(`name/${own.name}`, own.name)], leftOut });
  return { record, destination: { kind: 'outside', description: name } };
}

function createMissingStep(attempts: readonly Attempt[], cluster: Cluster, config: DnsConfig): RecordStep {
  const meant = findMeantService(attempts, cluster);
  const closest = meant.attempt ?? closestAttempt(attempts);
  const loop = meant.service && loopNote(meant.service, cluster, config);
  const leftOut = attempts.map((each) => attemptItem(each, true, each === closest ? loop : undefined));
  const names = enumerate(attempts.map(({ name }) => name));
  const others = attempts.filter(({ isForwarded }) => isForwarded);
  const hints = meant.service ? [] : suggestions(attempts, cluster);
  const notes = [
    ...(loop ? [loop] : closest ? [reasonNote(closest)] : []),
    note('NameNotFound', { names }),
    ...others.slice(0, 1).map(({ name }) => note('NameOfOthers', { name })),
    ...hints,
  ];
  const [hint] = hints;
  const why = loop ? loop.message : closest ? explainAnswer(closest.reason) : (notes[0]?.message ?? '');
  const blame = clause(hint ? `${clause(why)}; ${hint.message.charAt(0).toLowerCase()}${hint.message.slice(1)}` : why);
  return {
    record: draft('record', 'No record', { outcome: 'error', notes, leftOut, blame }),
    destination: { kind: 'nowhere', ...(meant.service && { service: meant.service }) },
  };
}

/** An existing Service that one of the names refers to although it has no records; prefers names without an endpoint part. */
export function findMeantService(
  attempts: readonly Attempt[],
  cluster: Cluster,
): { readonly attempt?: Attempt; readonly service?: TraceService } {
  const candidates = attempts.flatMap((attempt) => {
    const { service: name = '', namespace = '' } = attempt.request ?? {};
    const service = cluster.service(namespace, name);
    return service ? [{ attempt, service }] : [];
  });
  return candidates.find(({ attempt: { request } }) => request?.endpoint === undefined) ?? candidates[0] ?? {};
}

/** Of names without records, the one closest to an existing object. */
const closestAttempt = (attempts: readonly Attempt[]): Attempt | undefined => {
  const own = attempts.filter(({ isForwarded }) => !isForwarded);
  const rank = ({ request, reason }: Attempt): number =>
    reason.code === 'ServiceNotFound' && request?.endpoint === undefined ? 0 : reason.code === 'NamespaceNotFound' ? 1 : 2;
  return own.toSorted((a, b) => rank(a) - rank(b))[0] ?? attempts[0];
};

const reasonNote = ({ reason }: Attempt, withRemedy = true): TraceNote => {
  const remedy = withRemedy ? suggestRemedy(reason) : undefined;
  return { code: reason.code, message: explainAnswer(reason), ...(remedy !== undefined && { remedy }) };
};

/** No fix is suggested for a name that is queried only on the way to another. */
const attemptItem = (attempt: Attempt, withRemedy: boolean, description = reasonNote(attempt, withRemedy)): TraceItem =>
  item(`name/${attempt.name}`, attempt.name, [description]);

const recordItem = (record: DnsRecord): TraceItem => item(`record/${formatRecord(record)}`, formatRecord(record));

const addressesIn = (records: readonly DnsRecord[]): string[] =>
  records.flatMap((record) => (record.type === 'A' || record.type === 'AAAA' ? [canonicalIP(record.address) ?? record.address] : []));

function destinationOfAnswer(found: Attempt, target: Target, cluster: Cluster): Destination {
  const addresses = addressesIn(found.records);
  const [first] = addresses;
  const service = serviceBehind(found, cluster);
  const outside = (found.outside ?? '').replace(/\.$/, '');
  // For an ExternalName Service without any target address the answer is only a CNAME.
  if (first === undefined)
    return outside === '' ? { kind: 'nowhere', ...(service && { service }) } : { kind: 'outside', description: outside };
  if (!service) return findDestination(first, target, cluster);
  const address = primaryOf(addresses, service) ?? first;
  const role = roleOf(address, service);
  if (role) return { kind: 'service', service, address, role };
  const family = familyOf(address) ?? 'IPv4';
  return { kind: 'endpoints', service, family, addresses: addresses.filter((each) => familyOf(each) === family) };
}

/** The Service at the end of the answer, after following CNAMEs. */
function serviceBehind({ request, final }: Attempt, cluster: Cluster): TraceService | undefined {
  const { namespace = '', service = '' } = final ?? request ?? {};
  return cluster.service(namespace, service);
}

const path = 'service.spec.externalName';

/** The note if ExternalName Services refer to each other in a loop. */
export function loopNote(service: TraceService, cluster: Cluster, config: DnsConfig): TraceNote | undefined {
  const passed = [objectKey(service)];
  for (let next = aliased(service, cluster, config); next; next = aliased(next, cluster, config)) {
    const key = objectKey(next);
    const isBack = passed.includes(key);
    passed.push(key);
    // An alias of itself has its own reason, ExternalNameIsItself.
    if (isBack && passed.length === 2) return undefined;
    if (isBack) return note('ExternalNamesLoop', { services: passed.join(', ') }, path);
  }
  return undefined;
}

/** The Service that an ExternalName Service refers to. */
function aliased({ spec }: TraceService, cluster: Cluster, config: DnsConfig): TraceService | undefined {
  if (spec?.type !== 'ExternalName') return undefined;
  const { namespace = '', service = '' } = parseName(`${(spec.externalName ?? '').replace(/\.$/, '')}.`, config).request ?? {};
  return cluster.service(namespace, service);
}

/** The note if the answer ends in a CNAME whose target has no address. */
export function deadEndNote(records: readonly DnsRecord[]): TraceNote | undefined {
  const last = records.findLast(({ type }) => type === 'CNAME');
  if (last?.type !== 'CNAME') return undefined;
  const target = last.target.replace(/\.$/, '');
  const values = { name: last.name, target: target === '' ? 'nothing' : target };
  return note(isName(target) ? 'AliasHasNoAddress' : 'AliasIsNoName', values, path);
}

const isName = (name: string): boolean => name.length <= 253 && name.split('.').every(({ length }) => length >= 1 && length <= 63);
