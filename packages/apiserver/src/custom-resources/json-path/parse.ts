import { formatFloat } from '../../patch/go-format.ts';
import { isFields } from '../../resources/field/read.ts';

/** A step of a path. It applies to each value that the previous steps found. */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' | 'recursive' }
  | { readonly kind: 'slice'; readonly start?: number; readonly end?: number; readonly step?: number; readonly isIndex: boolean }
  | { readonly kind: 'union'; readonly paths: readonly Path[] }
  | { readonly kind: 'filter'; readonly left: Path; readonly operator?: string; readonly right?: Path }
  | { readonly kind: 'constant'; readonly value: string | number | boolean };

export type Path = readonly Step[];

/**
 * Parses a JSONPath expression without the braces of a template. Mirrors Parser (client-go/util/jsonpath, 1.36).
 * @returns undefined if it is malformed
 */
export function parsePath(text: string): Path | undefined {
  const steps: Step[] = [];
  let rest = text;
  while (rest !== '') {
    const parsedStep = parseStep(rest);
    if (!parsedStep) return undefined;
    if (parsedStep.step) steps.push(parsedStep.step);
    rest = parsedStep.rest;
  }
  return steps;
}

interface ParsedStep {
  readonly step?: Step;
  readonly rest: string;
}

function parseStep(text: string): ParsedStep | undefined {
  if (text.startsWith('[?(')) return parseFilter(text);
  if (text.startsWith('..')) return { step: { kind: 'recursive' }, rest: /^\.\.\w/.test(text) ? text.slice(1) : text.slice(2) };
  if (/^[ @$]/.test(text)) return { rest: text.slice(1) };
  if (text.startsWith('[')) return parseBrackets(text);
  if (text.startsWith('.')) return parseField(text);
  const quotedText = /^(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')/s.exec(text);
  if (quotedText) {
    const value = (quotedText[1] ?? quotedText[2] ?? '').replace(/\\(.)/gs, '$1');
    return { step: { kind: 'constant', value }, rest: text.slice(quotedText[0].length) };
  }
  const numberText = /^[-+]?[\d.]+/.exec(text)?.[0];
  if (numberText !== undefined && /^[-+]?\d/.test(text)) {
    const value = Number(numberText);
    return Number.isNaN(value) ? undefined : { step: { kind: 'constant', value }, rest: text.slice(numberText.length) };
  }
  const booleanText = /^(true|false)(?=$|[ \n.,[\]$@{}])/.exec(text)?.[1];
  return booleanText === undefined
    ? undefined
    : { step: { kind: 'constant', value: booleanText === 'true' }, rest: text.slice(booleanText.length) };
}

function parseField(text: string): ParsedStep {
  const rawName = /^\.((?:\\.|[^\\ \n.,[\]$@{}])*)/s.exec(text)?.[1] ?? '';
  const rest = text.slice(1 + rawName.length);
  return rawName === '*' ? { step: { kind: 'wildcard' }, rest } : { step: { kind: 'field', name: rawName.replaceAll('\\', '') }, rest };
}

function parseBrackets(text: string): ParsedStep | undefined {
  const end = text.indexOf(']');
  if (end < 0) return undefined;
  const content = text.slice(1, end);
  const rest = text.slice(end + 1);
  if (content.includes(',')) {
    const paths = content.split(',').map((each) => parsePath(`[${each.trim()}]`));
    return paths.every((path) => path !== undefined) ? { step: { kind: 'union', paths }, rest } : undefined;
  }
  const key = /^'([^']*)'$/.exec(content)?.[1];
  if (key !== undefined) return toKeyStep(parsePath(`.${key}`), rest);
  const sliceMatch = /^(-?\d*)(:-?\d*)?(:\d*)?$/.exec(content === '*' ? ':' : content);
  if (!sliceMatch) return undefined;
  const toBound = (part: string | undefined): number | undefined => (/\d/.test(part ?? '') ? Number(part?.replace(':', '')) : undefined);
  const [start, stop, step] = [toBound(sliceMatch[1]), toBound(sliceMatch[2]), toBound(sliceMatch[3])];
  const isIndex = sliceMatch[2] === undefined;
  return {
    step: {
      kind: 'slice',
      isIndex,
      ...(start !== undefined && { start }),
      ...(stop !== undefined && { end: stop }),
      ...(step !== undefined && { step }),
    },
    rest,
  };
}

/** The step for a quoted key. A key with unescaped dots is a path of several steps. */
const toKeyStep = (path: Path | undefined, rest: string): ParsedStep | undefined =>
  path && { step: path.length === 1 ? (path[0] as Step) : { kind: 'union', paths: [path] }, rest };

function parseFilter(text: string): ParsedStep | undefined {
  const end = findEndOfFilter(text);
  if (end === undefined) return undefined;
  const content = text.slice(3, end);
  const rest = text.slice(end + 2);
  const comparison = /^([^!<>=]+)([!<>=]+)(.+?)$/s.exec(content);
  if (!comparison) {
    const left = parsePath(content);
    return left && { step: { kind: 'filter', left }, rest };
  }
  const [left, right] = [parsePath(comparison[1] as string), parsePath(comparison[3] as string)];
  return left && right && { step: { kind: 'filter', left, operator: comparison[2] as string, right }, rest };
}

/** Returns the index of the closing parenthesis, ignoring those within quotes; undefined unless "]" follows it. */
function findEndOfFilter(text: string): number | undefined {
  let quote = '';
  for (let i = 3; i < text.length; i++) {
    const char = text[i] as string;
    if (quote !== '') {
      if (char === quote && text[i - 1] !== '\\') quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === ')') return text[i + 1] === ']' ? i : undefined;
  }
  return undefined;
}

/** Formats a value like Go's `%v`. */
export function printPlain(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return printNumber(value);
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(printPlain).join(' ')}]`;
  if (!isFields(value)) return String(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${key}:${printPlain(value[key])}`);
  return `map[${entries.join(' ')}]`;
}

/** Formats a JSON number like Go: as an integer if it fits into 64 bits, otherwise as a float. */
export const printNumber = (value: number | bigint): string => (isInt64(value) ? BigInt(value).toString() : formatFloat(Number(value)));

/**
 * Whether Go decodes a number as int64: larger integers are BigInts if they fit into 64 bits, otherwise floats. Includes JSON's 1.0, which
 * JavaScript cannot distinguish from 1.
 */
export const isInt64 = (value: number | bigint): boolean => typeof value === 'bigint' || Number.isSafeInteger(value);
