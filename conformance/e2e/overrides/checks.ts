import { type Check, check } from '../compare.ts';
import { type ChurnResult, type ReadinessChange, roleOf } from './churn.ts';
import { ipOf, members, type Role, roles } from './fleet.ts';
import { holdSeconds, keptReady } from './rules.ts';
import type { StoredVersion } from './witness.ts';

/** A condition's time is in whole seconds, so that a hold may end up to a second early. */
const MAX_EARLY_MS = 1000;
const MAX_LATE_MS = 3500;
/** The same controllers combine changes into one write more or less often from run to run. */
const MAX_RATIO = 1.05;

/** Rules must hold in every stored version. */
export function checkRules(key: string, { storedVersions, readinessChanges }: ChurnResult): Check[] {
  const of = (role: string): StoredVersion[] => storedVersions.filter(({ service }) => roleOf(service) === role);
  const outs = new Set(members.filter(({ role }) => role === 'out').map((member) => ipOf(member, 0)));
  const shown = of('out').filter(({ ready }) => ready.some((ip) => outs.has(ip)));
  const empty = of('full').filter(({ ready }) => ready.length < keptReady);
  return [
    check(key, 'versions in which an excluded address is ready', shown, []),
    check(key, `versions with fewer than ${keptReady} ready`, empty, []),
    check(key, 'enough versions were checked', of('out').length > 20 && of('full').length > 20 && of('calm').length > 20, true),
    ...checkHolds(key, of('calm'), readinessChanges),
  ];
}

/** Each pod that became ready is shown as ready after the delay, and not before. */
function checkHolds(key: string, storedVersions: readonly StoredVersion[], readinessChanges: readonly ReadinessChange[]): Check[] {
  const shown = readinessChanges
    .filter(({ member, ready }) => member.role === 'calm' && ready)
    .flatMap(({ at, member, pod }) =>
      (['Endpoints', 'EndpointSlice'] as const).map((kind) => {
        const ip = ipOf(member, pod);
        const first = storedVersions.find(
          (each) => each.kind === kind && each.service === member.service && each.at > at && each.ready.includes(ip),
        );
        return { what: `${kind} ${ip}`, after: first ? first.at - at : Number.POSITIVE_INFINITY };
      }),
    );
  const after = shown.map((each) => each.after);
  console.log(`${key}: pods that became ready are shown after ${Math.min(...after)} to ${Math.max(...after)} ms`);
  const [minMs, maxMs] = [holdSeconds * 1000 - MAX_EARLY_MS, holdSeconds * 1000 + MAX_LATE_MS];
  return [
    check(key, 'pods held', shown.length > 10, true),
    check(
      key,
      `pods shown as ready before ${minMs} ms`,
      shown.filter(({ after }) => after < minMs),
      [],
    ),
    check(
      key,
      `pods not shown as ready within ${maxMs} ms`,
      shown.filter(({ after }) => after > maxMs),
      [],
    ),
  ];
}

/**
 * Checks that webhook and controllers do not overwrite each other in a loop: as many writes as without rules, plus those that release held
 * endpoints.
 * @param echoes whether the slice controller may sync when it sees its own write before the response, and so notice a rule's change: each
 * write may then be followed by one with the same endpoints and no trigger time
 */
export function checkNoLoop(key: string, without: ChurnResult, beside: ChurnResult, echoes: boolean): Check[] {
  const most = roles.flatMap((role) => kinds.map((kind) => ({ role, kind, most: maxVersions(role, kind, without, beside, echoes) })));
  const sum = most.reduce((total, each) => total + each.most, 0);
  console.log(`${key}: writes: ${without.requests} without rules, ${beside.requests} with rules`);
  return [
    ...most.map((each) => {
      const [plain, ruled] = [without, beside].map(({ versions }) => versions[each.kind][each.role]);
      console.log(
        `${key}: ${each.kind} of ${each.role}: ${plain} versions without rules, ${ruled} with rules, ${beside.resyncs[each.role]} resyncs`,
      );
      return check(key, `versions of ${each.kind} of ${each.role}: ${ruled}, at most ${each.most}`, (ruled ?? 0) <= each.most, true);
    }),
    check(key, `requests: ${beside.requests}, at most ${sum}`, beside.requests <= sum, true),
    check(key, 'resyncs of Services without held endpoints', [beside.resyncs.plain, beside.resyncs.out, beside.resyncs.full], [0, 0, 0]),
    check(key, 'enough writes without rules', without.requests > 100, true),
    check(key, 'writes in a quiet time without rules', without.quiet, { versions: 0, requests: 0 }),
    check(key, 'writes in a quiet time with rules', beside.quiet, { versions: 0, requests: 0 }),
  ];
}

const kinds = ['Endpoints', 'EndpointSlice'] as const;

function maxVersions(role: Role, kind: StoredVersion['kind'], without: ChurnResult, beside: ChurnResult, echoes: boolean): number {
  const expected = without.versions[kind][role] + beside.resyncs[role];
  const again = echoes && kind === 'EndpointSlice' && role !== 'plain' ? expected : 0;
  return Math.ceil(expected * MAX_RATIO) + again;
}
