import type { EndpointOverrides, OverrideAction, OverrideRule } from '../rule.ts';
import type { FormProblem } from './problem.ts';

/** What a rule says that can never come true together. */
export function contradictionsIn({ addresses, action }: OverrideRule): FormProblem[] {
  const problems: FormProblem[] = [];
  const state = addresses?.state;
  const aim = aimOf(action);
  if ('freeze' in action && addresses) {
    problems.push({
      path: ['addresses'],
      message: 'freeze concerns the whole object',
      fix: 'remove "addresses"; to keep single addresses in, give keepIn',
    });
  }
  if (state && ('hold' in action || 'keepReady' in action)) {
    problems.push({ path: ['addresses', 'state'], message: 'the action looks at addresses of both states', fix: 'remove it' });
  } else if (state && aim === state && !isAbsence(action)) {
    problems.push({
      path: ['addresses', 'state'],
      message: `the addresses are ${state} already`,
      fix: `give the other state, or remove it`,
    });
  }
  if ('hold' in action && !action.hold.afterReady && !action.hold.afterUnready) {
    problems.push({
      path: ['action', 'hold'],
      message: 'it holds for no time',
      fix: 'give afterReady or afterUnready more than 0 seconds',
    });
  }
  return problems;
}

/** Rules of which one never acts, or undoes all that another does. */
export function contradictionsAmong({ evaluation, rules }: EndpointOverrides): FormProblem[] {
  const problems: FormProblem[] = [];
  const enforced = rules.map((rule, place) => ({ rule, place })).filter(({ rule }) => rule.mode !== 'audit');
  const matches = new Map<string, string>();
  const aims = new Map<string, { readonly name: string; readonly aim: string }>();
  for (const [at, { rule, place }] of enforced.entries()) {
    const aim = aimOf(rule.action);
    const scope = JSON.stringify([sorted(rule.match ?? {}), sorted(rule.addresses ?? {})]);
    const other = aims.get(scope);
    if (aim && other && other.aim !== aim) {
      const message = `it wants the very addresses ${wordFor[aim]} that ${JSON.stringify(other.name)} wants ${wordFor[other.aim as typeof aim]}`;
      problems.push({ path: ['rules', place, 'action'], message, fix: 'remove one of the two, or let them match different objects' });
    } else if (aim) aims.set(scope, { name: rule.name, aim });
    const match = JSON.stringify(sorted(rule.match ?? {}));
    const earlier = matches.get(match);
    if (evaluation === 'first' && earlier !== undefined && match !== '{}') {
      const message = `it never acts: ${JSON.stringify(earlier)} before it matches the same objects`;
      problems.push({ path: ['rules', place, 'match'], message, fix: 'remove one of the two, or let them match different objects' });
    }
    matches.set(match, earlier ?? rule.name);
    const later = enforced[at + 1];
    if (evaluation === 'first' && later && Object.keys(rule.match ?? {}).length === 0) {
      const message = `it never acts: ${JSON.stringify(rule.name)} before it matches every object`;
      problems.push({ path: ['rules', later.place], message, fix: 'put it before that rule, or give that rule a "match"' });
      break;
    }
    if (evaluation !== 'first' && at > 0 && 'freeze' in rule.action && Object.keys(rule.match ?? {}).length === 0) {
      problems.push({
        path: ['rules', place, 'action'],
        message: 'it undoes what all rules before it do, for every object',
        fix: 'put it first, or give it a "match"',
      });
    }
  }
  return problems;
}

const wordFor = { ready: 'in', notReady: 'out' } as const;

/** Where an action wants addresses to be. */
function aimOf(action: OverrideAction): 'ready' | 'notReady' | undefined {
  if ('keepIn' in action) return 'ready';
  if ('keepOut' in action) return 'notReady';
  return 'move' in action ? action.move.to : undefined;
}

const isAbsence = (action: OverrideAction): boolean => 'keepOut' in action && action.keepOut.as === 'absent';

/** Fields and lists in one order: what is asked for alike reads alike. Every object has a namespace, but not a Service, and no address needs a pod. */
const sorted = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]): [string, unknown] => [name, Array.isArray(value) ? value.toSorted() : value])
      .filter(([name, value]) => !(name === 'namespaces' && Array.isArray(value) && value.includes('*')))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
