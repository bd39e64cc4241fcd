import { canonicalIP, objectKey } from '../../apimachinery/index.ts';
import type { ParsedRequest } from '../../dns/grammar.ts';
import { type DnsConfig, type DnsRecord, explainAnswer, formatRecord, parseName, suggestRemedy } from '../../dns/index.ts';
import { type Cluster, familyOf } from '../cluster.ts';
import { type Destination, findDestination, roleOf, selectPrimaryAddress } from '../destination.ts';
import type { TraceService } from '../objects.ts';
import { createItem, createNote, enumerate, removeFullStop } from '../reasons.ts';
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
    const forwardedAttempt = findForwardedName(target, attempts, cluster);
    return forwardedAttempt ? createForwardedStep(forwardedAttempt, attempts) : createNotFoundStep(attempts, cluster, config);
  }
  const destination = destinationOfAnswer(successfulAttempt, target, cluster);
  const addresses = addressesOfRecords(successfulAttempt.records);
  const families = new Set(addresses.map(familyOf));
  const followedFamily =
    'address' in destination ? familyOf(destination.address) : 'family' in destination ? destination.family : undefined;
  const isDeadEnd = destination.kind === 'nowhere' && destination.service?.spec?.type === 'ExternalName';
  const deadEndNote = isDeadEnd ? findDeadEnd(successfulAttempt.records) : undefined;
  const notes = [
    ...(deadEndNote ? [deadEndNote] : []),
    createReasonNote(successfulAttempt),
    ...(families.size > 1 && followedFamily ? [createNote('FamilyTraced', { family: followedFamily }, 'service.spec.ipFamilies')] : []),
    ...(destination.kind === 'endpoints' ? [createNote('AnswerBypassesRules')] : []),
    ...(destination.kind === 'outside'
      ? [createNote('NameLeadsOutside', { name: destination.description }, 'service.spec.externalName')]
      : []),
  ];
  const srvRecord = successfulAttempt.records.find(({ type }) => type === 'SRV');
  return {
    record: createStep('record', `Records of ${successfulAttempt.name}`, {
      notes,
      chosen: successfulAttempt.records.map(createRecordItem),
      leftOut: attempts.filter((each) => each !== successfulAttempt).map((each) => createAttemptItem(each, { withRemedy: false })),
      ...(deadEndNote && { outcome: 'error', cause: removeFullStop(deadEndNote.message) }),
    }),
    destination,
    ...(srvRecord?.type === 'SRV' && { port: String(srvRecord.port) }),
  };
}

/** Creates the step for a name that another DNS server resolves. Its answer is unknown, which is not an error. */
export function createForwardedStep(forwardedAttempt: Attempt, attempts: readonly Attempt[]): RecordStep {
  const name = forwardedAttempt.name.replace(/\.$/, '');
  const leftOut = attempts.filter((each) => each !== forwardedAttempt).map((each) => createAttemptItem(each, { withRemedy: false }));
  const notes = [createNote('NameForwarded', { name: forwardedAttempt.name })];
  const record = createStep('record', 'Not a name of the cluster', {
    notes,
    chosen: [createItem(`name/${forwardedAttempt.name}`, forwardedAttempt.name)],
    leftOut,
  });
  return { record, destination: { kind: 'outside', description: name } };
}

function createNotFoundStep(attempts: readonly Attempt[], cluster: Cluster, config: DnsConfig): RecordStep {
  const referencedService = findReferencedService(attempts, cluster);
  const closestAttempt = referencedService.attempt ?? findClosestAttempt(attempts);
  const aliasNote = referencedService.service && explainAlias(referencedService.service, cluster, config);
  const leftOut = attempts.map((each) =>
    createAttemptItem(each, { withRemedy: true, description: each === closestAttempt ? aliasNote : undefined }),
  );
  const names = enumerate(attempts.map(({ name }) => name));
  const forwardedAttempts = attempts.filter(({ isForwarded }) => isForwarded);
  const suggestions = suggestServices(
    referencedService.service ? findAliasTargets(aliasNote, referencedService.service, config) : attempts,
    cluster,
  );
  const notes = [
    ...(aliasNote ? [aliasNote] : closestAttempt ? [createReasonNote(closestAttempt)] : []),
    createNote('NameNotFound', { names }),
    ...forwardedAttempts.slice(0, 1).map(({ name }) => createNote('NameForwarded', { name })),
    ...suggestions,
  ];
  const [firstSuggestion] = suggestions;
  const reason = aliasNote ? aliasNote.message : closestAttempt ? explainAnswer(closestAttempt.reason) : (notes[0]?.message ?? '');
  const cause = removeFullStop(
    firstSuggestion
      ? `${removeFullStop(reason)}; ${firstSuggestion.message.charAt(0).toLowerCase()}${firstSuggestion.message.slice(1)}`
      : reason,
  );
  return {
    record: createStep('record', 'No record', { outcome: 'error', notes, leftOut, cause }),
    destination: { kind: 'nowhere', ...(referencedService.service && { service: referencedService.service }) },
  };
}

/** Finds an existing Service that one of the names without records refers to; prefers names without an endpoint part. */
export function findReferencedService(
  attempts: readonly Attempt[],
  cluster: Cluster,
): { readonly attempt?: Attempt; readonly service?: TraceService } {
  const candidates = attempts.flatMap((attempt) => {
    const { service: name = '', namespace = '' } = attempt.request ?? {};
    const service = cluster.findService(namespace, name);
    return service ? [{ attempt, service }] : [];
  });
  return candidates.find(({ attempt: { request } }) => request?.endpoint === undefined) ?? candidates[0] ?? {};
}

/** Selects the attempt whose name is closest to an existing object. */
const findClosestAttempt = (attempts: readonly Attempt[]): Attempt | undefined => {
  const clusterNames = attempts.filter(({ isForwarded }) => !isForwarded);
  const rank = ({ request, reason }: Attempt): number =>
    reason.code === 'ServiceNotFound' && request?.endpoint === undefined ? 0 : reason.code === 'NamespaceNotFound' ? 1 : 2;
  return clusterNames.toSorted((a, b) => rank(a) - rank(b))[0] ?? attempts[0];
};

const createReasonNote = ({ reason }: Attempt, withRemedy = true): TraceNote => {
  const remedy = withRemedy ? suggestRemedy(reason) : undefined;
  return { code: reason.code, message: explainAnswer(reason), ...(remedy !== undefined && { remedy }) };
};

interface AttemptItemOptions {
  /** False if a later name has records, because the earlier names without records then need no fix. */
  readonly withRemedy: boolean;
  /** By default, the reason for the answer. */
  readonly description?: TraceNote | undefined;
}

const createAttemptItem = (
  attempt: Attempt,
  { withRemedy, description = createReasonNote(attempt, withRemedy) }: AttemptItemOptions,
): TraceItem => createItem(`name/${attempt.name}`, attempt.name, [description]);

const createRecordItem = (record: DnsRecord): TraceItem => createItem(`record/${formatRecord(record)}`, formatRecord(record));

const addressesOfRecords = (records: readonly DnsRecord[]): string[] =>
  records.flatMap((record) => (record.type === 'A' || record.type === 'AAAA' ? [canonicalIP(record.address) ?? record.address] : []));

function destinationOfAnswer(attempt: Attempt, target: Target, cluster: Cluster): Destination {
  const addresses = addressesOfRecords(attempt.records);
  const [firstAddress] = addresses;
  const service = serviceOfAnswer(attempt, cluster);
  const outsideName = (attempt.outsideName ?? '').replace(/\.$/, '');
  // For an ExternalName Service without any target address the answer is only a CNAME.
  if (firstAddress === undefined)
    return outsideName === '' ? { kind: 'nowhere', ...(service && { service }) } : { kind: 'outside', description: outsideName };
  if (!service) return findDestination(firstAddress, target, cluster);
  const address = selectPrimaryAddress(addresses, service) ?? firstAddress;
  const role = roleOf(address, service);
  if (role) return { kind: 'service', service, address, role };
  const family = familyOf(address) ?? 'IPv4';
  return { kind: 'endpoints', service, family, addresses: addresses.filter((each) => familyOf(each) === family) };
}

/** The Service at the end of the answer, after following CNAMEs. */
function serviceOfAnswer({ request, finalRequest }: Attempt, cluster: Cluster): TraceService | undefined {
  const { namespace = '', service = '' } = finalRequest ?? request ?? {};
  return cluster.findService(namespace, service);
}

const externalNamePath = 'service.spec.externalName';

/** Returns a note if ExternalName Services refer to each other in a loop; undefined otherwise, and for a Service that refers to itself. */
export function findLoop(service: TraceService, cluster: Cluster, config: DnsConfig): TraceNote | undefined {
  const visitedKeys = [objectKey(service)];
  for (let next = aliasTargetOf(service, cluster, config); next; next = aliasTargetOf(next, cluster, config)) {
    const key = objectKey(next);
    const isLoop = visitedKeys.includes(key);
    visitedKeys.push(key);
    // An alias of itself is reported as ExternalNameIsItself.
    if (isLoop && visitedKeys.length === 2) return undefined;
    if (isLoop) return createNote('ExternalNameLoop', { services: visitedKeys.join(', ') }, externalNamePath);
  }
  return undefined;
}

/** Explains an ExternalName Service that is in a loop, or whose target is a name of the cluster without a Service; otherwise undefined. */
function explainAlias(service: TraceService, cluster: Cluster, config: DnsConfig): TraceNote | undefined {
  const { namespace = '', service: target } = parseAliasTarget(service, config) ?? {};
  if (!target || cluster.findService(namespace, target)) return findLoop(service, cluster, config);
  const values = { name: objectKey(service), target: service.spec?.externalName ?? '', service: `${namespace}/${target}` };
  return createNote('AliasTargetNotFound', values, externalNamePath);
}

/** The missing target of an alias, for which a similar name is suggested. */
const findAliasTargets = (note: TraceNote | undefined, service: TraceService, config: DnsConfig): readonly Pick<Attempt, 'request'>[] => {
  const request = note?.code === 'AliasTargetNotFound' ? parseAliasTarget(service, config) : undefined;
  return request ? [{ request }] : [];
};

/** Parses the target of an ExternalName Service; undefined for other Services, or if the target is no name of the cluster. */
const parseAliasTarget = ({ spec }: TraceService, config: DnsConfig): ParsedRequest | undefined =>
  spec?.type === 'ExternalName' ? parseName(`${(spec.externalName ?? '').replace(/\.$/, '')}.`, config).request : undefined;

/** Finds the Service that an ExternalName Service refers to; undefined for other Services, or if the target is no Service. */
function aliasTargetOf(alias: TraceService, cluster: Cluster, config: DnsConfig): TraceService | undefined {
  const { namespace = '', service = '' } = parseAliasTarget(alias, config) ?? {};
  return cluster.findService(namespace, service);
}

/** Returns a note if the answer ends in a CNAME whose target is invalid or has no address; undefined if there is no CNAME. */
export function findDeadEnd(records: readonly DnsRecord[]): TraceNote | undefined {
  const lastAlias = records.findLast(({ type }) => type === 'CNAME');
  if (lastAlias?.type !== 'CNAME') return undefined;
  const target = lastAlias.target.replace(/\.$/, '');
  const values = { name: lastAlias.name, target: target === '' ? 'nothing' : target };
  return createNote(isValidDnsName(target) ? 'AliasTargetHasNoAddress' : 'AliasTargetInvalid', values, externalNamePath);
}

const isValidDnsName = (name: string): boolean => name.length <= 253 && name.split('.').every(({ length }) => length >= 1 && length <= 63);
