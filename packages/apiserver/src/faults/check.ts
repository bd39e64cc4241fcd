import { type Fields, isFields } from '../store/fields.ts';
import { allVerbs, type Check, kinds } from './kinds.ts';
import type { FaultRule } from './rule.ts';

/** @throws RangeError that names what is wrong with a rule */
export function checkRule(rule: FaultRule, at: string): void {
  const fields: Fields = isFields(rule) ? rule : refuse(at, 'has to be a rule');
  const { fault } = fields;
  if (typeof fault !== 'string' || !Object.hasOwn(kinds, fault)) {
    refuse(`${at}.fault`, `${say(fault)} is none of ${Object.keys(kinds).join(', ')}`);
  }
  const kind = kinds[fault as keyof typeof kinds];
  for (const name of Object.keys(fields)) {
    if (['fault', 'when', ...scope].includes(name) || fields[name] === undefined) continue;
    const check = Object.hasOwn(kind.fields, name) ? kind.fields[name] : undefined;
    if (!check) refuse(`${at}.${name}`, `is nothing that the fault ${fault} has`);
    else checks[check](fields[name], `${at}.${name}`);
  }
  for (const name of kind.required ?? []) if (fields[name] === undefined) refuse(`${at}.${name}`, 'is required');
  checkScope(fields, at);
  const wrong = (rule.verbs ?? []).filter((verb) => !kind.verbs.includes(verb));
  if (wrong.length > 0) refuse(`${at}.verbs`, `${fault} does not happen to ${wrong.join(', ')}, only to ${kind.verbs.join(', ')}`);
  checkWhen(fields['when'], `${at}.when`);
}

/** @throws RangeError */
export function checkWhole(value: unknown, at: string, lowest: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < lowest) refuse(at, `${say(value)} is no whole number from ${lowest} on`);
}

export function refuse(at: string, why: string): never {
  throw new RangeError(`faults: ${at} ${why}`);
}

const scope: readonly string[] = ['verbs', 'resources', 'namespaces'];

const checks: Readonly<Record<Check, (value: unknown, at: string) => void>> = {
  boolean: (value, at) => typeof value === 'boolean' || refuse(at, `${say(value)} is neither true nor false`),
  text: (value, at) => typeof value === 'string' || refuse(at, `${say(value)} is no text`),
  seconds: (value, at) => checkWhole(value, at, 1),
  'count span': (value, at) => checkSpan(value, at, Number.isSafeInteger, 'whole number'),
  'time span': (value, at) => checkSpan(value, at, Number.isFinite, 'number'),
  moment: (value, at) => value === 'before' || value === 'after' || refuse(at, `${say(value)} is neither "before" nor "after"`),
  watches(value, at) {
    if (!isFields(value)) refuse(at, `${say(value)} has to say resources or namespaces`);
    const unknown = Object.keys(value).find((name) => name !== 'resources' && name !== 'namespaces');
    if (unknown !== undefined) refuse(`${at}.${unknown}`, 'does not select watches; resources and namespaces do');
    checkScope(value, at);
  },
};

function checkSpan(value: unknown, at: string, isRight: (number: unknown) => boolean, what: string): void {
  const ends = Array.isArray(value) ? value : [value, value];
  const [lowest, highest] = ends;
  if (ends.length === 2 && ends.every((end) => isRight(end) && end >= 0) && lowest <= highest) return;
  refuse(at, `${say(value)} is neither a ${what} from 0 on nor a lowest and a highest`);
}

function checkScope(fields: Fields, at: string): void {
  for (const name of scope) {
    const value = fields[name];
    if (value === undefined) continue;
    const each = name === 'verbs' ? isVerb : name === 'resources' ? isResource : isName;
    if (!Array.isArray(value) || value.length === 0) refuse(`${at}.${name}`, `${say(value)} is no list with something in it`);
    const wrong = value.findIndex((entry) => !each(entry));
    if (wrong >= 0) refuse(`${at}.${name}[${wrong}]`, `${say(value[wrong])} is ${nothings[name]}`);
  }
}

const nothings: Readonly<Record<string, string>> = {
  verbs: `none of ${allVerbs.join(', ')}`,
  resources: 'neither a plural such as "pods" nor a resource',
  namespaces: 'no name',
};

function checkWhen(when: unknown, at: string): void {
  if (when === undefined || when === 'once' || when === 'always') return;
  if (!isFields(when) || Object.keys(when).length === 0) refuse(at, `${say(when)} is neither "once", "always" nor { nth, times, chance }`);
  const { nth, times, chance, ...rest } = when;
  for (const name of Object.keys(rest)) refuse(`${at}.${name}`, 'is none of nth, times, chance');
  if (nth !== undefined) checkWhole(nth, `${at}.nth`, 1);
  if (times !== undefined) checkWhole(times, `${at}.times`, 1);
  const isChance = chance === undefined || (typeof chance === 'number' && chance >= 0 && chance <= 1);
  if (!isChance) refuse(`${at}.chance`, `${say(chance)} is no number from 0 to 1`);
}

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isVerb = (value: unknown): boolean => (allVerbs as readonly unknown[]).includes(value);
const isResource = (value: unknown): boolean =>
  isFields(value) ? isName(value['plural']) && typeof value['group'] === 'string' : isName(value) && !(value as string).startsWith('/');

const say = (value: unknown): string => JSON.stringify(value) ?? String(value);
