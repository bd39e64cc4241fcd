import { type Check, check } from '../compare.ts';
import { type ChurnResult, type ReadinessChange, roleOf } from './churn.ts';
import { ipOf, members, type Role, roles } from './fleet.ts';
import { holdSeconds, minReady } from './rules.ts';
import type { StoredVersion } from './witness.ts';

/** Times of conditions are in whole seconds, so a hold may end up to a second early. */
const MAX_EARLY_MS = 1000;
const MAX_LATE_MS = 3500;
/** Allows 5 % more writes, because the number of changes that one write combines differs from run to run. */
const MAX_RATIO = 1.05;

/** Checks the rules in every stored version. */
export function checkRules(key: string, { storedVersions, readinessChanges }: ChurnResult): Check[] {
  const versionsOf = (role: string): StoredVersion[] => storedVersions.filter(({ service }) => roleOf(service) === role);
  const excludedIPs = new Set(members.filter(({ role }) => role === 'out').map((member) => ipOf(member, 0)));
  const violations = versionsOf('out').filter(({ ready }) => ready.some((ip) => excludedIPs.has(ip)));
  const tooFewReady = versionsOf('full').filter(({ ready }) => ready.length < minReady);
  return [
    check(key, 'versions in which an excluded address is ready', violations, []),
    check(key, `versions with fewer than ${minReady} ready`, tooFewReady, []),
    check(
      key,
      'enough versions were checked',
      versionsOf('out').length > 20 && versionsOf('full').length > 20 && versionsOf('calm').length > 20,
      true,
    ),
    ...checkHolds(key, versionsOf('calm'), readinessChanges),
  ];
}

/** Checks that each pod that became ready is shown as ready after the hold, and not before. */
function checkHolds(key: string, storedVersions: readonly StoredVersion[], readinessChanges: readonly ReadinessChange[]): Check[] {
  const delays = readinessChanges
    .filter(({ member, ready }) => member.role === 'calm' && ready)
    .flatMap(({ timeMs, member, pod }) =>
      (['Endpoints', 'EndpointSlice'] as const).map((kind) => {
        const ip = ipOf(member, pod);
        const firstReady = storedVersions.find(
          (entry) => entry.kind === kind && entry.service === member.service && entry.timeMs > timeMs && entry.ready.includes(ip),
        );
        return { address: `${kind} ${ip}`, delayMs: firstReady ? firstReady.timeMs - timeMs : Number.POSITIVE_INFINITY };
      }),
    );
  const delayMs = delays.map((entry) => entry.delayMs);
  console.log(`${key}: pods that became ready are shown after ${Math.min(...delayMs)} to ${Math.max(...delayMs)} ms`);
  const [minMs, maxMs] = [holdSeconds * 1000 - MAX_EARLY_MS, holdSeconds * 1000 + MAX_LATE_MS];
  return [
    check(key, 'pods held', delays.length > 10, true),
    check(
      key,
      `pods shown as ready before ${minMs} ms`,
      delays.filter(({ delayMs }) => delayMs < minMs),
      [],
    ),
    check(
      key,
      `pods not shown as ready within ${maxMs} ms`,
      delays.filter(({ delayMs }) => delayMs > maxMs),
      [],
    ),
  ];
}

/**
 * Checks that webhook and controllers do not overwrite each other in a loop: the controllers write as often as without rules, plus once for
 * each release of held endpoints.
 * @param mayRepeatWrites whether the slice controller may see its own write before the response, and then sync because a rule changed it:
 * each write may then be followed by a write of the same endpoints without a trigger time
 */
export function checkNoLoop(key: string, withoutRules: ChurnResult, withRules: ChurnResult, mayRepeatWrites: boolean): Check[] {
  const maxima = roles.flatMap((role) =>
    kinds.map((kind) => ({ role, kind, max: computeMaxVersions(role, kind, withoutRules, withRules, mayRepeatWrites) })),
  );
  const maxRequests = maxima.reduce((total, entry) => total + entry.max, 0);
  console.log(`${key}: writes: ${withoutRules.requests} without rules, ${withRules.requests} with rules`);
  return [
    ...maxima.map((entry) => {
      const [countWithout, countWith] = [withoutRules, withRules].map(({ versions }) => versions[entry.kind][entry.role]);
      console.log(
        `${key}: ${entry.kind} of ${entry.role}: ${countWithout} versions without rules, ${countWith} with rules, ${withRules.resyncs[entry.role]} resyncs`,
      );
      return check(
        key,
        `versions of ${entry.kind} of ${entry.role}: ${countWith}, at most ${entry.max}`,
        (countWith ?? 0) <= entry.max,
        true,
      );
    }),
    check(key, `requests: ${withRules.requests}, at most ${maxRequests}`, withRules.requests <= maxRequests, true),
    check(
      key,
      'resyncs of Services without held endpoints',
      [withRules.resyncs.plain, withRules.resyncs.out, withRules.resyncs.full],
      [0, 0, 0],
    ),
    check(key, 'enough writes without rules', withoutRules.requests > 100, true),
    check(key, 'writes in a quiet time without rules', withoutRules.quiet, { versions: 0, requests: 0 }),
    check(key, 'writes in a quiet time with rules', withRules.quiet, { versions: 0, requests: 0 }),
  ];
}

const kinds = ['Endpoints', 'EndpointSlice'] as const;

function computeMaxVersions(
  role: Role,
  kind: StoredVersion['kind'],
  withoutRules: ChurnResult,
  withRules: ChurnResult,
  mayRepeatWrites: boolean,
): number {
  const expected = withoutRules.versions[kind][role] + withRules.resyncs[role];
  const repeats = mayRepeatWrites && kind === 'EndpointSlice' && role !== 'plain' ? expected : 0;
  return Math.ceil(expected * MAX_RATIO) + repeats;
}
