import { plainCopy } from 'kube-endpoints/internal/apimachinery';
import { applyProgram, type Program } from './apply/apply.ts';
import { type CompiledAction, type CompiledRule, compileRangeCheck } from './apply/compiled.ts';
import { createCelParser } from './cel.ts';
import { compileAddressMatch, compileObjectMatch, type ObjectMatcher } from './match/match.ts';
import { type OverrideRequest, type Overrides, RulesError } from './overrides.ts';
import { checkRules } from './read/check.ts';
import type { AddressMatch, EndpointOverrides, OverrideAction, OverrideRule } from './rule.ts';

/**
 * Compiles rules.
 * @throws RulesError with all problems, if the rules are invalid
 */
export function createOverrides(rules: EndpointOverrides): Overrides {
  const problems = checkRules(rules);
  if (problems.length > 0) throw new RulesError(problems.map(({ path, message, fix }) => ({ path: printPath(path), message, fix })));
  return compileOverrides(plainCopy(rules));
}

/** Compiles validated rules. */
export function compileOverrides(rules: EndpointOverrides): Overrides {
  const program = compileRules(rules);
  return {
    rules: rules.rules.map(({ name }) => name),
    needs: findNeeds(rules.rules),
    apply(request) {
      checkRequest(request);
      return applyProgram(program, request);
    },
  };
}

/** Validates a request. @throws TypeError naming the invalid field */
function checkRequest({ operation, object, now }: OverrideRequest): void {
  if (operation !== 'CREATE' && operation !== 'UPDATE') throw new TypeError(`operation is ${String(operation)}: give "CREATE" or "UPDATE"`);
  if (typeof object !== 'object' || object === null) throw new TypeError('object is missing: give Endpoints or an EndpointSlice');
  if (!(now instanceof Date) || Number.isNaN(now.getTime())) throw new TypeError('now is not a valid date: give a Date');
}

/** Formats a path, such as "rules[2].match.percentage". */
export const printPath = (path: readonly (string | number)[]): string =>
  path.reduce<string>((text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`), '');

/** Compiles validated rules. The result shares no mutable state with them. */
export function compileRules({ evaluation = 'all', rules }: EndpointOverrides): Program {
  const parser = createCelParser();
  return {
    evaluation,
    rules: rules.map(({ name, mode, match = {}, addresses, action }): CompiledRule => {
      const objectMatcher = compileObjectMatch(match, name, parser);
      return {
        name,
        audit: mode === 'audit',
        objectMatcher,
        matchesEntry: addresses && Object.keys(addresses).length > 0 ? compileAddressMatch(addresses, name, parser) : undefined,
        action: compileAction(action),
        dependsOn: dependencyOf(objectMatcher, addresses),
      };
    }),
  };
}

function dependencyOf({ readsContent }: ObjectMatcher, addresses: AddressMatch | undefined): CompiledRule['dependsOn'] {
  if (readsContent) return 'object';
  return addresses?.expression !== undefined || addresses?.state !== undefined ? 'addresses' : undefined;
}

type ActionName = { [K in keyof Required<UnionToIntersection<OverrideAction>>]: K }[keyof Required<UnionToIntersection<OverrideAction>>];
type UnionToIntersection<U> = (U extends unknown ? (member: U) => void : never) extends (member: infer I) => void ? I : never;
type ActionBodies = UnionToIntersection<OverrideAction>;

/** The name of the only action of a rule. */
export const actionNameOf = (action: OverrideAction): ActionName => Object.keys(action)[0] as ActionName;

const actionCompilers: { readonly [K in ActionName]: (body: ActionBodies[K]) => CompiledAction } = {
  keepIn: () => ({ kind: 'keepIn' }),
  keepOut: ({ as }) => ({ kind: 'keepOut', absent: as === 'absent' }),
  move: ({ to }) => ({ kind: 'move', ready: to === 'ready' }),
  keepReady: ({ atLeast }) => ({ kind: 'keepReady', atLeast: compileMinimum(atLeast) }),
  hold: ({ afterReady = 0, afterUnready = 0 }) => ({ kind: 'hold', afterReady, afterUnready }),
  freeze: () => ({ kind: 'freeze' }),
  refuse: (ranges) => ({ kind: 'refuse', check: compileRangeCheck(ranges) }),
  drop: (ranges) => ({ kind: 'drop', check: compileRangeCheck(ranges) }),
};

function compileAction(action: OverrideAction): CompiledAction {
  const name = actionNameOf(action);
  return actionCompilers[name]((action as ActionBodies)[name] as never);
}

/** Compiles a minimum to a function of the total number of addresses. The result for a percentage is rounded up. */
function compileMinimum(atLeast: number | string): (total: number) => number {
  if (typeof atLeast === 'number') return () => atLeast;
  const percentage = Number(atLeast.slice(0, -1));
  return (total) => Math.ceil((total * percentage) / 100);
}

/** Finds the optional request fields that rules need to match and to act fully. */
export function findNeeds(rules: readonly OverrideRule[]): {
  readonly service: boolean;
  readonly pods: boolean;
  readonly otherSlices: boolean;
} {
  const isMentioned = (name: string): boolean =>
    rules.some(({ match, addresses }) =>
      [match?.expression, addresses?.expression].some((source) => source && new RegExp(`\\b${name}\\b`).test(source)),
    );
  const ranges = rules.flatMap(({ action }) => ('refuse' in action ? [action.refuse] : 'drop' in action ? [action.drop] : []));
  return {
    service: rules.some(({ match }) => match?.serviceLabels !== undefined) || isMentioned('service'),
    pods:
      rules.some(({ addresses, action }) => addresses?.podLabels !== undefined || 'hold' in action) ||
      ranges.some(({ presets }) => presets?.includes('pods-of-other-namespaces')) ||
      isMentioned('pods?'),
    otherSlices: rules.some(({ action }) => 'keepReady' in action),
  };
}
