import { isDeepStrictEqual } from 'node:util';
import type { ApiObject } from 'kube-endpoints/port';
import type { History, Version } from './history.ts';
import { keyFrom, sameObject, versionOf } from './kinds.ts';
import { type DeleteCollectionRecord, type Intent, isUnsaved, type WriteRecord } from './record.ts';

/**
 * Compares writes with the history. Each successful write must appear once, based on the previous state. Each failure must have a valid
 * reason. Every version must belong to a write.
 */
export function checkWrites(
  writes: readonly WriteRecord[],
  deleteCollections: readonly DeleteCollectionRecord[],
  history: History,
): string[] {
  const problems: string[] = [];
  const writerByVersion = new Map<Version, string>();
  const claim = (version: Version, writer: string): void => {
    if (writerByVersion.has(version))
      problems.push(`${formatVersion(version)} is written by both ${writerByVersion.get(version)} and ${writer}`);
    writerByVersion.set(version, writer);
  };
  for (const write of writes) {
    const { outcome } = write;
    const problem = 'object' in outcome ? checkSuccess(write, outcome.object, history, claim) : checkFailure(write, outcome, history);
    if (problem !== undefined) problems.push(`${formatWrite(write)}: ${problem}`);
  }
  claimDeletions(history, deleteCollections, writerByVersion);
  for (const version of history.versions)
    if (!writerByVersion.has(version)) problems.push(`${formatVersion(version)} does not belong to any write`);
  return problems;
}

export const formatWrite = ({ resource: { plural }, key, intent }: WriteRecord): string => `${intent.verb} ${plural} ${keyFrom(key)}`;
const formatVersion = ({ type, key, version }: Version): string => `${type} ${key}@${version}`;

type Claim = (version: Version, writer: string) => void;

function checkSuccess(write: WriteRecord, object: ApiObject, history: History, claim: Claim): string | undefined {
  const { intent, span } = write;
  const version =
    intent.verb === 'delete' ? deletionOf(object, history) : history.versions.find((each) => each.version === versionOf(object));
  if (!version || version.key !== keyFrom(write.key)) return `version ${versionOf(object)} of the answer is not in the history`;
  claim(version, formatWrite(write));
  if (version.version <= span.low || version.version > span.high)
    return `version ${version.version} is not between ${span.low} and ${span.high}`;
  if (intent.verb !== 'delete' && !(version.after && sameObject(version.after, object)))
    return 'the answer differs from the written object';
  const before = intent.verb === 'delete' ? stateBeforeMark(version, history) : version.before;
  return checkIntent(intent, before, version.after);
}

/** Finds the deletion by uid, because an object is deleted only once. */
const deletionOf = ({ metadata: { uid } }: ApiObject, { versions }: History): Version | undefined =>
  versions.find(({ type, before }) => type === 'DELETED' && before?.metadata.uid === uid);

/** The state before the deletion, or before the previous write if that write only set deletionTimestamp for this deletion. */
function stateBeforeMark(deletion: Version, { versions }: History): ApiObject | undefined {
  return findDeletionMark(deletion, versions)?.before ?? deletion.before;
}

const findDeletionMark = ({ version, key }: Version, versions: readonly Version[]): Version | undefined =>
  versions.find(
    (each) =>
      each.version === version - 1 &&
      each.key === key &&
      each.after?.metadata.deletionTimestamp !== undefined &&
      onlySetsDeletionTimestamp(each),
  );

function onlySetsDeletionTimestamp({ before, after }: Version): boolean {
  if (!before || !after) return false;
  const withoutMark = ({ metadata, ...rest }: ApiObject): unknown => {
    const { deletionTimestamp: _, deletionGracePeriodSeconds: __, generation: ___, resourceVersion: ____, ...otherMetadata } = metadata;
    return { ...rest, metadata: otherMetadata };
  };
  return isDeepStrictEqual(withoutMark(before), withoutMark(after));
}

function checkIntent(intent: Intent, before: ApiObject | undefined, after: ApiObject | undefined): string | undefined {
  if (intent.verb === 'create') return before ? 'the object already existed' : labelsProblem(after, intent.sent);
  if (!before) return 'the object did not exist';
  if ('version' in intent && intent.version !== undefined && intent.version !== versionOf(before)) {
    return `it is based on ${intent.version}, but replaced ${versionOf(before)}`;
  }
  if (intent.verb === 'delete') return intent.uid !== undefined && intent.uid !== before.metadata.uid ? 'it had another uid' : undefined;
  if (intent.verb === 'update') return labelsProblem(after, intent.sent) ?? statusProblem(after, before['status']);
  if (intent.verb === 'status') return labelsProblem(after, intent.sent ?? before) ?? statusProblem(after, intent.status, contains);
  const annotations = { ...before.metadata.annotations, [intent.annotation]: intent.value };
  return labelsProblem(after, { metadata: { ...before.metadata, annotations } }) ?? statusProblem(after, before['status']);
}

function labelsProblem(after: ApiObject | undefined, expected: ApiObject): string | undefined {
  const [actual, expectedFields] = [after, expected].map((object) => [object?.metadata.labels ?? {}, object?.metadata.annotations ?? {}]);
  return isDeepStrictEqual(actual, expectedFields)
    ? undefined
    : `its labels and annotations are ${JSON.stringify(actual)}, not ${JSON.stringify(expectedFields)}`;
}

function statusProblem(
  after: ApiObject | undefined,
  expected: unknown,
  isSame: (actual: unknown, expected: unknown) => boolean = isDeepStrictEqual,
): string | undefined {
  const actual = after?.['status'];
  return isSame(actual, expected) ? undefined : `its status is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
}

/** True if all expected values are present; other values may be present, too. */
function contains(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return actual === expected;
  if (typeof actual !== 'object' || actual === null) return false;
  return Object.entries(expected).every(([name, value]) => contains((actual as Readonly<Record<string, unknown>>)[name], value));
}

function checkFailure(
  { key, intent, span, resource }: WriteRecord,
  { code, reason, message }: { readonly code: number; readonly reason: string; readonly message: string },
  history: History,
): string | undefined {
  if (isUnsaved({ code, message })) return undefined;
  const states = history.statesDuring(keyFrom(key), span);
  const version = 'version' in intent ? intent.version : undefined;
  const uid = 'uid' in intent ? intent.uid : 'sent' in intent ? intent.sent?.metadata.uid : undefined;
  const validReasons: Readonly<Record<string, () => boolean>> = {
    NotFound: () => intent.verb !== 'create' && states.includes(undefined),
    AlreadyExists: () => intent.verb === 'create' && states.some((state) => state !== undefined),
    Conflict: () =>
      intent.verb !== 'create' &&
      states.some(
        (state) => (version !== undefined && state && versionOf(state) !== version) || (uid !== undefined && state?.metadata.uid !== uid),
      ),
  };
  if (validReasons[reason]?.()) return undefined;
  return `${resource.plural} fails with ${code} ${reason} without a reason (${message})`;
}

/** Assigns deletions to deletecollection calls, and writes that set deletionTimestamp to their deletion. */
function claimDeletions(
  history: History,
  deleteCollections: readonly DeleteCollectionRecord[],
  writerByVersion: Map<Version, string>,
): void {
  for (const version of history.versions) {
    if (version.type !== 'DELETED') continue;
    // It deletes by name, as upstream, so that it may delete an object that was created after the answer's list.
    const isSwept = deleteCollections.some(
      ({ keys, span }) => keys.includes(version.key) && span.low < version.version && version.version <= span.high,
    );
    if (isSwept && !writerByVersion.has(version)) writerByVersion.set(version, 'deletecollection');
    const mark = findDeletionMark(version, history.versions);
    if (mark && writerByVersion.has(version) && !writerByVersion.has(mark)) writerByVersion.set(mark, 'the deletion that follows it');
  }
}
