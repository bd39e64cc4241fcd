import { canonicalIP, objectKey } from '../../apimachinery/index.ts';
import { type DnsConfig, type DnsRecord, explainAnswer, formatRecord, parseName, suggestRemedy } from '../../dns/index.ts';
import { type Cluster, familyOf } from '../cluster.ts';
import { type Destination, findDestination, roleOf, selectPrimaryAddress } from '../destination.ts';
import type { TraceService } from '../objects.ts';
import { enumerate, item, note, withoutFullStop } from '../reasons.ts';
import type { Target } from '../target.ts';
import { createStep, type StepResult, type TraceItem, type TraceNote } from '../trace.ts';
import type { Attempt, NameLookup } from './lookup.ts';
import { findForwardedName, suggestServices } from './suggest.ts';

/** The step "record" and its destination. */
export interface RecordStep {
  readonly record: StepResult;
  readonly destination: Destination;
  /** The port of the SRV record, if the answer has one. */
  readonly port?: string;
}

/** Creates the step from the results of the queries. */
export function createRecordStep(
  { attempts, successfulAttempt }: NameLookup,
  target: Target,
  cluster: Cluster,
  config: DnsConfig = {},
): RecordStep {
  if (!successfulAttempt) {
    const forwarded = findForwardedName(target, attempts, cluster);
    return forwarded ? createForwardedStep(forwarded, attempts) : createMissingStep(attempts, cluster, config);
  }
  const destination = destinationOfAnswer(successfulAttempt, target, cluster);
  const addresses = addressesIn(successfulAttempt.records);
  const families = new Set(addresses.map(familyOf));
  const followedFamily =
    'address' in destination ? familyOf(destination.address) : 'family' in destination ? destination.family : undefined;
  const isDeadEnd = destination.kind === 'nowhere' && destination.service?.spec?.type === 'ExternalName';
  const deadEnd = isDeadEnd ? deadEndNote(successfulAttempt.records) : undefined;
  const notes = [
    ...(deadEnd ? [deadEnd] : []),
    reasonNote(successfulAttempt),
    ...(families.size > 1 && followedFamily ? [note('FamilyTraced', { family: followedFamily }, 'service.spec.ipFamilies')] : []),
    ...(destination.kind === 'endpoints' ? [note('AnswerBypassesRules')] : []),
    ...(destination.kind === 'outside' ? [note('NameLeadsOutside', { name: destination.description }, 'service.spec.externalName')] : []),
  ];
  const srvRecord = successfulAttempt.records.find(({ type }) => type === 'SRV');
  return {
    record: createStep('record', `Records of ${successfulAttempt.name}`, {
      notes,
      chosen: successfulAttempt.records.map(recordItem),
      leftOut: attempts.filter((each) => each !== successfulAttempt).map((each) => attemptItem(each, { withRemedy: false })),
      ...(deadEnd && { outcome: 'error', cause: withoutFullStop(deadEnd.message) }),
    }),
    destination,
    ...(srvRecord?.type === 'SRV' && { port: String(srvRecord.port) }),
  };
}

/** Creates the step for a name that another DNS server resolves. Its answer is unknown, which is not an error. */
export function createForwardedStep(forwarded: Attempt, attempts: readonly Attempt[]): RecordStep {
  const name = forwarded.name.replace(/\.$/, '');
  const leftOut = attempts.filter((each) => each !== forwarded).map((each) => attemptItem(each, { withRemedy: false }));
  const notes = [note('NameForwarded', { name: forwarded.name })];
  const record = createStep('record', 'Not a name of the cluster', {
    notes,
    chosen: [item(`name/${forwarded.name}`, forwarded.name)],
    leftOut,
  });
  return { record, destination: { kind: 'outside', description: name } };
}

function createMissingStep(attempts: readonly Attempt[], cluster: Cluster, config: DnsConfig): RecordStep {
  const reference = findReferencedService(attempts, cluster);
  const closestAttempt = reference.attempt ?? findClosestAttempt(attempts);
  const loop = reference.service && loopNote(reference.service, cluster, config);
  const leftOut = attempts.map((each) => attemptItem(each, { withRemedy: true, description: each === closestAttempt ? loop : undefined }));
  const names = enumerate(attempts.map(({ name }) => name));
  const forwardedAttempts = attempts.filter(({ isForwarded }) => isForwarded);
  const hints = reference.service ? [] : suggestServices(attempts, cluster);
  const notes = [
    ...(loop ? [loop] : closestAttempt ? [reasonNote(closestAttempt)] : []),
    note('NameNotFound', { names }),
    ...forwardedAttempts.slice(0, 1).map(({ name }) => note('NameForwarded', { name })),
    ...hints,
  ];
  const [hint] = hints;
  const reason = loop ? loop.message : closestAttempt ? explainAnswer(closestAttempt.reason) : (notes[0]?.message ?? '');
  const cause = withoutFullStop(
    hint ? `${withoutFullStop(reason)}; ${hint.message.charAt(0).toLowerCase()}${hint.message.slice(1)}` : reason,
  );
  return {
    record: createStep('record', 'No record', { outcome: 'error', notes, leftOut, cause }),
    destination: { kind: 'nowhere', ...(reference.service && { service: reference.service }) },
  };
}

/** Finds an existing Service that one of the names without records refers to; prefers names without an endpoint part. */
export function findReferencedService(
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

/** The name without records that is closest to an existing object. */
const findClosestAttempt = (attempts: readonly Attempt[]): Attempt | undefined => {
  const clusterNames = attempts.filter(({ isForwarded }) => !isForwarded);
  const rank = ({ request, reason }: Attempt): number =>
    reason.code === 'ServiceNotFound' && request?.endpoint === undefined ? 0 : reason.code === 'NamespaceNotFound' ? 1 : 2;
  return clusterNames.toSorted((a, b) => rank(a) - rank(b))[0] ?? attempts[0];
};

const reasonNote = ({ reason }: Attempt, withRemedy = true): TraceNote => {
  const remedy = withRemedy ? suggestRemedy(reason) : undefined;
  return { code: reason.code, message: explainAnswer(reason), ...(remedy !== undefined && { remedy }) };
};

interface AttemptItemOptions {
  /** False if a later name has records, because the earlier names without records then need no fix. */
  readonly withRemedy: boolean;
  /** By default, the reason for the answer. */
  readonly description?: TraceNote | undefined;
}

const attemptItem = (attempt: Attempt, { withRemedy, description = reasonNote(attempt, withRemedy) }: AttemptItemOptions): TraceItem =>
  item(`name/${attempt.name}`, attempt.name, [description]);

const recordItem = (record: DnsRecord): TraceItem => item(`record/${formatRecord(record)}`, formatRecord(record));

const addressesIn = (records: readonly DnsRecord[]): string[] =>
  records.flatMap((record) => (record.type === 'A' || record.type === 'AAAA' ? [canonicalIP(record.address) ?? record.address] : []));

function destinationOfAnswer(attempt: Attempt, target: Target, cluster: Cluster): Destination {
  const addresses = addressesIn(attempt.records);
  const [first] = addresses;
  const service = serviceOfAnswer(attempt, cluster);
  const outside = (attempt.outside ?? '').replace(/\.$/, '');
  // For an ExternalName Service without any target address the answer is only a CNAME.
  if (first === undefined)
    return outside === '' ? { kind: 'nowhere', ...(service && { service }) } : { kind: 'outside', description: outside };
  if (!service) return findDestination(first, target, cluster);
  const address = selectPrimaryAddress(addresses, service) ?? first;
  const role = roleOf(address, service);
  if (role) return { kind: 'service', service, address, role };
  const family = familyOf(address) ?? 'IPv4';
  return { kind: 'endpoints', service, family, addresses: addresses.filter((each) => familyOf(each) === family) };
}

/** The Service at the end of the answer, after following CNAMEs. */
function serviceOfAnswer({ request, finalRequest }: Attempt, cluster: Cluster): TraceService | undefined {
  const { namespace = '', service = '' } = finalRequest ?? request ?? {};
  return cluster.service(namespace, service);
}

const externalNamePath = 'service.spec.externalName';

/** The note if ExternalName Services refer to each other in a loop. */
export function loopNote(service: TraceService, cluster: Cluster, config: DnsConfig): TraceNote | undefined {
  const visitedKeys = [objectKey(service)];
  for (let next = aliasTargetOf(service, cluster, config); next; next = aliasTargetOf(next, cluster, config)) {
    const key = objectKey(next);
    const isLoop = visitedKeys.includes(key);
    visitedKeys.push(key);
    // An alias of itself is reported as ExternalNameIsItself.
    if (isLoop && visitedKeys.length === 2) return undefined;
    if (isLoop) return note('ExternalNameLoop', { services: visitedKeys.join(', ') }, externalNamePath);
  }
  return undefined;
}

/** The Service that an ExternalName Service refers to. */
function aliasTargetOf({ spec }: TraceService, cluster: Cluster, config: DnsConfig): TraceService | undefined {
  if (spec?.type !== 'ExternalName') return undefined;
  const { namespace = '', service = '' } = parseName(`${(spec.externalName ?? '').replace(/\.$/, '')}.`, config).request ?? {};
  return cluster.service(namespace, service);
}

/** The note if the answer ends in a CNAME whose target has no address. */
export function deadEndNote(records: readonly DnsRecord[]): TraceNote | undefined {
  const lastAlias = records.findLast(({ type }) => type === 'CNAME');
  if (lastAlias?.type !== 'CNAME') return undefined;
  const target = lastAlias.target.replace(/\.$/, '');
  const values = { name: lastAlias.name, target: target === '' ? 'nothing' : target };
  return note(isValidDnsName(target) ? 'AliasTargetHasNoAddress' : 'AliasTargetInvalid', values, externalNamePath);
}

const isValidDnsName = (name: string): boolean => name.length <= 253 && name.split('.').every(({ length }) => length >= 1 && length <= 63);
