import { createCelParser } from '../cel.ts';
import type { EndpointOverrides, OverrideAction, OverrideRule } from '../rule.ts';
import { type FormSchema, overridesSchema } from '../schema.ts';
import { checkSemantics, describeValue, type FormProblem } from './semantics.ts';

/** Finds all problems of rules. Accepts any value and never throws. */
export function checkRules(value: unknown): FormProblem[] {
  const problems = checkSchema(value, overridesSchema);
  const ruleList = (value as { readonly rules?: unknown } | null)?.rules;
  if (!Array.isArray(ruleList)) return problems;
  const invalidIndexes = new Set(problems.map(({ path }) => (path[0] === 'rules' ? path[1] : undefined)));
  const validRules = ruleList.map((rule, index) => (invalidIndexes.has(index) ? undefined : (rule as OverrideRule)));
  const parser = createCelParser();
  for (const [index, rule] of validRules.entries()) {
    if (!rule) continue;
    const ruleProblems = [...checkSemantics(rule, parser), ...findContradictions(rule)];
    problems.push(...ruleProblems.map((problem) => ({ ...problem, path: ['rules', index, ...problem.path] })));
  }
  problems.push(...findDuplicateNames(ruleList));
  if (problems.length === 0) problems.push(...findContradictionsBetween(value as EndpointOverrides));
  return problems;
}

function findDuplicateNames(ruleList: readonly unknown[]): FormProblem[] {
  const seenNames = new Set<unknown>();
  const problems: FormProblem[] = [];
  for (const [index, rule] of ruleList.entries()) {
    const name = (rule as { readonly name?: unknown } | null | undefined)?.name;
    if (typeof name === 'string' && seenNames.has(name)) {
      problems.push({
        path: ['rules', index, 'name'],
        message: `another rule is named ${JSON.stringify(name)}`,
        fix: 'give each rule a name of its own',
      });
    }
    seenNames.add(name);
  }
  return problems;
}

type Path = readonly (string | number)[];

/** Validates a value against the published schema. */
export function checkSchema(value: unknown, schema: FormSchema, path: Path = []): FormProblem[] {
  const typedSchema = schema.anyOf ? schemaFor(value, schema.anyOf) : schema;
  if (!typedSchema) return [{ path, message: `${describeValue(value)} has the wrong type`, fix: `give ${describeAcceptedValues(schema)}` }];
  if (typeOf(value, typedSchema) !== typedSchema.type)
    return [{ path, message: `${describeValue(value)} is not of type ${typedSchema.type}`, fix: `give ${describeAcceptedValues(schema)}` }];
  if (typedSchema.type === 'object') return checkObject(value as object, typedSchema, path);
  if (typedSchema.type === 'array') return checkList(value as readonly unknown[], typedSchema, path);
  const message = typedSchema.type === 'string' ? validateText(value as string, typedSchema) : validateNumber(value as number, typedSchema);
  return message === undefined ? [] : [{ path, message, fix: `give ${describeAcceptedValues(schema)}` }];
}

const schemaFor = (value: unknown, schemas: readonly FormSchema[]): FormSchema | undefined =>
  schemas.find((schema) => typeOf(value, schema) === schema.type);

/** Returns the schema type of a value. An integer is a number unless the schema requires an integer. */
function typeOf(value: unknown, { type }: FormSchema): FormSchema['type'] | undefined {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return value === null ? undefined : 'object';
  if (typeof value === 'number')
    return Number.isInteger(value) ? (type === 'integer' ? 'integer' : 'number') : Number.isFinite(value) ? 'number' : undefined;
  return typeof value === 'string' ? 'string' : undefined;
}

function checkObject(
  value: object,
  { properties = {}, required = [], minProperties = 0, maxProperties, description }: FormSchema,
  path: Path,
): FormProblem[] {
  const fields = Object.keys(value).filter(
    (name) => (value as Record<string, unknown>)[name] !== undefined || !Object.hasOwn(properties, name),
  );
  const fieldNames = Object.keys(properties);
  const fieldList = fieldNames.join(', ');
  const problems = fields.flatMap((name): FormProblem[] => {
    if (Object.hasOwn(properties, name))
      return checkSchema((value as Record<string, unknown>)[name], properties[name] as FormSchema, [...path, name]);
    const fix = fieldNames.length === 0 ? 'remove it: no field is allowed here' : `remove it, or give one of ${fieldList}`;
    return [{ path: [...path, name.slice(0, 80)], message: 'the field is unknown', fix, atKey: true }];
  });
  for (const name of required) {
    if (!fields.includes(name))
      problems.push({
        path: [...path, name],
        message: 'the field is missing',
        fix: `give ${describeAcceptedValues(properties[name] ?? {})}`,
      });
  }
  if (fields.length < minProperties) problems.push({ path, message: 'it is empty', fix: `give one of ${fieldList}` });
  if (maxProperties !== undefined && fields.length > maxProperties) {
    problems.push({ path, message: `${fields.slice(0, 4).join(' and ')} are both set`, fix: `keep one: ${decapitalize(description)}` });
  }
  return problems;
}

function checkList(value: readonly unknown[], { items = {}, minItems = 0, maxItems, uniqueItems }: FormSchema, path: Path): FormProblem[] {
  if (value.length < minItems) return [{ path, message: 'the list is empty', fix: 'give at least one' }];
  if (maxItems !== undefined && value.length > maxItems) {
    return [{ path, message: `the list has ${value.length} items`, fix: `give at most ${maxItems}` }];
  }
  const problems = Array.from(value, (item, index) => checkSchema(item, items, [...path, index])).flat();
  const duplicateIndex = uniqueItems ? value.findIndex((item, index) => value.indexOf(item) < index) : -1;
  if (duplicateIndex >= 0)
    problems.push({
      path: [...path, duplicateIndex],
      message: `${describeValue(value[duplicateIndex])} occurs twice`,
      fix: 'remove one of them',
    });
  return problems;
}

function validateText(value: string, { enum: values, pattern, minLength = 0, maxLength }: FormSchema): string | undefined {
  if (values && !values.includes(value)) return `${describeValue(value)} is not a valid value`;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return `${describeValue(value)} does not have the required form`;
  const length = [...value].length;
  if (length < minLength) return 'the text is empty';
  return maxLength !== undefined && length > maxLength ? `the text is ${length} characters long` : undefined;
}

const validateNumber = (value: number, { minimum, maximum }: FormSchema): string | undefined =>
  (minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum) ? `${value} is out of range` : undefined;

/** Describes the values that a schema accepts. */
function describeAcceptedValues({ type, enum: values, minimum, maximum, maxLength, description, anyOf, items }: FormSchema): string {
  if (values) return `one of ${values.join(', ')}`;
  const hint = description ? ` (${description.replace(/\.$/, '')})` : '';
  if (anyOf) return `${anyOf.map((each) => describeAcceptedValues(each)).join(' or ')}${hint}`;
  if (type === 'number' || type === 'integer')
    return `${type === 'integer' ? 'a whole number' : 'a number'} from ${minimum} to ${maximum}${hint}`;
  if (type === 'array') return `a list${items?.enum ? ` of ${items.enum.join(', ')}` : ''}${hint}`;
  if (type === 'object') return `an object${hint}`;
  return `text${maxLength === undefined ? '' : ` of at most ${maxLength} characters`}${hint}`;
}

const decapitalize = (text = ''): string => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');

/** Finds settings of one rule that contradict each other. */
export function findContradictions({ addresses, action }: OverrideRule): FormProblem[] {
  const problems: FormProblem[] = [];
  const state = addresses?.state;
  const readiness = readinessSetBy(action);
  if ('freeze' in action && addresses) {
    problems.push({
      path: ['addresses'],
      message: 'freeze applies to the whole object',
      fix: 'remove "addresses"; to keep single addresses in, give keepIn',
    });
  }
  if (state && ('hold' in action || 'keepReady' in action)) {
    problems.push({ path: ['addresses', 'state'], message: 'the action applies to addresses of both states', fix: 'remove it' });
  } else if (state && readiness === state && !makesAbsent(action)) {
    problems.push({
      path: ['addresses', 'state'],
      message: `the addresses are ${state} already`,
      fix: `give the other state, or remove it`,
    });
  }
  if ('hold' in action && !action.hold.afterReady && !action.hold.afterUnready) {
    problems.push({
      path: ['action', 'hold'],
      message: 'the hold has no duration',
      fix: 'give afterReady or afterUnready more than 0 seconds',
    });
  }
  return problems;
}

/** Finds pairs of rules of which one never acts, or undoes everything that the other does. */
export function findContradictionsBetween({ evaluation, rules }: EndpointOverrides): FormProblem[] {
  const problems: FormProblem[] = [];
  const enforcedRules = rules.map((rule, index) => ({ rule, index })).filter(({ rule }) => rule.mode !== 'audit');
  const ruleNamesByMatch = new Map<string, string>();
  const readinessByScope = new Map<string, { readonly name: string; readonly readiness: string }>();
  for (const [position, { rule, index }] of enforcedRules.entries()) {
    const readiness = readinessSetBy(rule.action);
    const scope = JSON.stringify([normalizeMatch(rule.match ?? {}), normalizeMatch(rule.addresses ?? {})]);
    const otherRule = readinessByScope.get(scope);
    if (readiness && otherRule && otherRule.readiness !== readiness) {
      const message = `it makes the same addresses ${readinessWords[readiness]} that ${JSON.stringify(otherRule.name)} makes ${readinessWords[otherRule.readiness as typeof readiness]}`;
      problems.push({ path: ['rules', index, 'action'], message, fix: 'remove one of the two, or let them match different objects' });
    } else if (readiness) readinessByScope.set(scope, { name: rule.name, readiness });
    const match = JSON.stringify(normalizeMatch(rule.match ?? {}));
    const earlierName = ruleNamesByMatch.get(match);
    if (evaluation === 'first' && earlierName !== undefined && match !== '{}') {
      const message = `it never acts: the earlier rule ${JSON.stringify(earlierName)} matches the same objects`;
      problems.push({ path: ['rules', index, 'match'], message, fix: 'remove one of the two, or let them match different objects' });
    }
    ruleNamesByMatch.set(match, earlierName ?? rule.name);
    const laterRule = enforcedRules[position + 1];
    if (evaluation === 'first' && laterRule && Object.keys(rule.match ?? {}).length === 0) {
      const message = `it never acts: the earlier rule ${JSON.stringify(rule.name)} matches every object`;
      problems.push({ path: ['rules', laterRule.index], message, fix: 'put it before that rule, or give that rule a "match"' });
      break;
    }
    if (evaluation !== 'first' && position > 0 && 'freeze' in rule.action && Object.keys(rule.match ?? {}).length === 0) {
      problems.push({
        path: ['rules', index, 'action'],
        message: 'it undoes what all rules before it do, for every object',
        fix: 'put it first, or give it a "match"',
      });
    }
  }
  return problems;
}

const readinessWords = { ready: 'ready', notReady: 'not ready' } as const;

/** Returns the readiness that an action always sets; undefined if there is none. */
function readinessSetBy(action: OverrideAction): 'ready' | 'notReady' | undefined {
  if ('keepIn' in action) return 'ready';
  if ('keepOut' in action) return 'notReady';
  return 'move' in action ? action.move.to : undefined;
}

const makesAbsent = (action: OverrideAction): boolean => 'keepOut' in action && action.keepOut.as === 'absent';

/**
 * Sorts fields and lists, so that equal matches compare equal. Drops `namespaces: ["*"]`, which matches every object; "*" for services or
 * pods does not, since an object need not have a Service, nor an address a pod.
 */
const normalizeMatch = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]): [string, unknown] => [name, Array.isArray(value) ? value.toSorted() : value])
      .filter(([name, value]) => !(name === 'namespaces' && Array.isArray(value) && value.includes('*')))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
