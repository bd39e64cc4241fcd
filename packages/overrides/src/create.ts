import { plainCopy } from 'kube-endpoints/internal';
import { applyProgram } from './apply/settle.ts';
import { compileRules, needsOf } from './compile.ts';
import type { OverrideRequest, Overrides } from './overrides.ts';
import { checkRules } from './read/check.ts';
import type { EndpointOverrides } from './rule.ts';
import { RulesError } from './rules-error.ts';

/**
 * Rules that are ready to be applied.
 * @throws RulesError with everything that is wrong, where anything is
 */
export function createOverrides(rules: EndpointOverrides): Overrides {
  const problems = checkRules(rules);
  if (problems.length > 0) throw new RulesError(problems.map(({ path, message, fix }) => ({ path: printPath(path), message, fix })));
  return overridesOf(plainCopy(rules));
}

/** Rules that were found to be sound. */
export function overridesOf(rules: EndpointOverrides): Overrides {
  const program = compileRules(rules);
  return {
    rules: rules.rules.map(({ name }) => name),
    needs: needsOf(rules.rules),
    apply(request) {
      checkRequest(request);
      return applyProgram(program, request);
    },
  };
}

/** @throws TypeError naming the field of a request that no host can mean */
function checkRequest({ operation, object, now }: OverrideRequest): void {
  if (operation !== 'CREATE' && operation !== 'UPDATE') throw new TypeError(`operation is ${String(operation)}: give "CREATE" or "UPDATE"`);
  if (typeof object !== 'object' || object === null) throw new TypeError('object is missing: give Endpoints or an EndpointSlice');
  if (!(now instanceof Date) || Number.isNaN(now.getTime())) throw new TypeError('now is no time: give a Date');
}

/** "rules[2].match.percentage". */
export const printPath = (path: readonly (string | number)[]): string =>
  path.reduce<string>((text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`), '');
