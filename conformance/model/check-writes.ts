import { isDeepStrictEqual } from 'node:util';
import type { ApiObject } from 'kube-endpoints/port';
import type { History, Version } from './history.ts';
import { keyFrom, sameObject, versionOf } from './kinds.ts';
import type { Intent, SweepRecord, WriteRecord } from './record.ts';

/**
 * Compares writes with the history: each successful write appears once, based on the previous state; each failure has
 * a reason; and every change belongs to a write.
 */
export function checkWrites(writes: readonly WriteRecord[], sweeps: readonly SweepRecord[], history: History): string[] {
  const problems: string[] = [];
  const claimed = new Map<Version, string>();
  const claim = (version: Version, by: string): void => {
    if (claimed.has(version)) problems.push(`${formatVersion(version)} is written by both ${claimed.get(version)} and ${by}`);
    claimed.set(version, by);
  };
  for (const write of writes) {
    const { outcome } = write;
    const problem = 'object' in outcome ? checkSuccess(write, outcome.object, history, claim) : checkFailure(write, outcome, history);
    if (problem !== undefined) problems.push(`${formatWrite(write)}: ${problem}`);
  }
  claimRest(history, sweeps, claimed);
  for (const version of history.versions)
    if (!claimed.has(version)) problems.push(`${formatVersion(version)} does not belong to any write`);
  return problems;
}

export const formatWrite = ({ resource: { plural }, key, intent }: WriteRecord): string => `${intent.verb} ${plural} ${keyFrom(key)}`;
const formatVersion = ({ type, key, version }: Version): string => `${type} ${key}@${version}`;

type Claim = (version: Version, by: string) => void;

function checkSuccess(write: WriteRecord, object: ApiObject, history: History, claim: Claim): string | undefined {
  const { intent, span } = write;
  const version =
    intent.verb === 'delete' ? deletionOf(object, history) : history.versions.find((each) => each.version === versionOf(object));
  if (!version || version.key !== keyFrom(write.key)) return `version ${versionOf(object)} of the answer is not in the history`;
  claim(version, formatWrite(write));
  if (version.version <= span.low || version.version > span.high)
    return `version ${version.version} is not between ${span.low} and ${span.high}`;
  if (intent.verb !== 'delete' && !(version.after && sameObject(version.after, object))) return 'what is answered is not what is written';
  const before = intent.verb === 'delete' ? beforeMark(version, history) : version.before;
  return checkIntent(intent, before, version.after);
}

/** An object is deleted once. */
const deletionOf = ({ metadata: { uid } }: ApiObject, { versions }: History): Version | undefined =>
  versions.find(({ type, before }) => type === 'DELETED' && before?.metadata.uid === uid);

/** The state before the deletionTimestamp was set by the previous write. */
function beforeMark(deletion: Version, { versions }: History): ApiObject | undefined {
  return markOf(deletion, versions)?.before ?? deletion.before;
}

const markOf = ({ version, key }: Version, versions: readonly Version[]): Version | undefined =>
  versions.find(
    (each) =>
      each.version === version - 1 && each.key === key && each.after?.metadata.deletionTimestamp !== undefined && isSameButMarked(each),
  );

function isSameButMarked({ before, after }: Version): boolean {
  if (!before || !after) return false;
  const plain = ({ metadata, ...rest }: ApiObject): unknown => {
    const { deletionTimestamp: _, deletionGracePeriodSeconds: __, generation: ___, resourceVersion: ____, ...kept } = metadata;
    return { ...rest, metadata: kept };
  };
  return isDeepStrictEqual(plain(before), plain(after));
}

function checkIntent(intent: Intent, before: ApiObject | undefined, after: ApiObject | undefined): string | undefined {
  if (intent.verb === 'create') return before ? 'the object already existed' : sameLabels(after, intent.sent);
  if (!before) return 'the object did not exist';
  if ('version' in intent && intent.version !== undefined && intent.version !== versionOf(before)) {
    return `it is based on ${intent.version}, but replaced ${versionOf(before)}`;
  }
  if (intent.verb === 'delete') return intent.uid !== undefined && intent.uid !== before.metadata.uid ? 'it had another uid' : undefined;
  if (intent.verb === 'update') return sameLabels(after, intent.sent) ?? sameStatus(after, before['status']);
  if (intent.verb === 'status') return sameLabels(after, intent.sent ?? before) ?? sameStatus(after, intent.status, contains);
  const annotations = { ...before.metadata.annotations, [intent.annotation]: intent.value };
  return sameLabels(after, { metadata: { ...before.metadata, annotations } }) ?? sameStatus(after, before['status']);
}

function sameLabels(after: ApiObject | undefined, wanted: ApiObject): string | undefined {
  const [got, expected] = [after, wanted].map((object) => [object?.metadata.labels ?? {}, object?.metadata.annotations ?? {}]);
  return isDeepStrictEqual(got, expected)
    ? undefined
    : `its labels and annotations are ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`;
}

function sameStatus(
  after: ApiObject | undefined,
  wanted: unknown,
  same: (got: unknown, wanted: unknown) => boolean = isDeepStrictEqual,
): string | undefined {
  const got = after?.['status'];
  return same(got, wanted) ? undefined : `its status is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`;
}

/** Whether all wanted values are present; others may be. */
function contains(got: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return got === wanted;
  if (typeof got !== 'object' || got === null) return false;
  return Object.entries(wanted).every(([name, value]) => contains((got as Readonly<Record<string, unknown>>)[name], value));
}

function checkFailure(
  { key, intent, span, resource }: WriteRecord,
  { code, reason, message }: { readonly code: number; readonly reason: string; readonly message: string },
  history: History,
): string | undefined {
  const states = history.during(keyFrom(key), span);
  const version = 'version' in intent ? intent.version : undefined;
  const uid = 'uid' in intent ? intent.uid : 'sent' in intent ? intent.sent?.metadata.uid : undefined;
  const justified: Readonly<Record<string, () => boolean>> = {
    NotFound: () => intent.verb !== 'create' && states.includes(undefined),
    AlreadyExists: () => intent.verb === 'create' && states.some((state) => state !== undefined),
    Conflict: () =>
      intent.verb !== 'create' &&
      states.some(
        (state) => (version !== undefined && state && versionOf(state) !== version) || (uid !== undefined && state?.metadata.uid !== uid),
      ),
  };
  if (justified[reason]?.()) return undefined;
  return `${resource.plural} fails with ${code} ${reason} without a reason (${message})`;
}

/** Matches deletecollection calls, and the writes that set deletionTimestamp. */
function claimRest(history: History, sweeps: readonly SweepRecord[], claimed: Map<Version, string>): void {
  for (const version of history.versions) {
    if (version.type !== 'DELETED') continue;
    const uid = version.before?.metadata.uid ?? '';
    const swept = sweeps.some(({ uids, span }) => uids.includes(uid) && span.low < version.version && version.version <= span.high);
    if (swept && !claimed.has(version)) claimed.set(version, 'deletecollection');
    const mark = markOf(version, history.versions);
    if (mark && claimed.has(version) && !claimed.has(mark)) claimed.set(mark, 'the deletion behind it');
  }
}
